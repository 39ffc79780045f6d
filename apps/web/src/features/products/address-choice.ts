import { useSearchParams } from "react-router";

/**
 * One of some values, stored in the page's address so that a shared link shows the same; the address does not name
 * `initial`. A value it names that does not exist is `initial`.
 */
export function useAddressChoice<Value extends string>(
  name: string,
  values: readonly Value[],
  initial: Value,
): [Value, (value: Value) => void] {
  const [search, setSearch] = useSearchParams();
  const choose = (next: Value) =>
    setSearch(
      (now) => {
        if (next === initial) now.delete(name);
        else now.set(name, next);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return [values.find((value) => value === search.get(name)) ?? initial, choose];
}
