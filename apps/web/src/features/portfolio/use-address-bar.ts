import { useSearchParams } from "react-router";

/** Reads the parameters of the address bar and changes some of them in place. An empty value removes its parameter. */
export function useAddressBar(): [URLSearchParams, (changes: Readonly<Record<string, string>>) => void] {
  const [search, setSearch] = useSearchParams();
  function change(changes: Readonly<Record<string, string>>) {
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  }
  return [search, change];
}
