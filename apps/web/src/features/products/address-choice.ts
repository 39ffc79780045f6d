import { useSearchParams } from "react-router";

/**
 * Stores one of several values in the page's address, so that a shared link shows the same view. The address omits
 * `initial`. A value in the address that does not exist is read as `initial`.
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
