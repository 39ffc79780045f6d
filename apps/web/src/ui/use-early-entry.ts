import { useEffect, useRef, useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * Reports input that a reader entered into a field of a server-rendered page before React hydrated the field. React
 * leaves the input in the field and raises no event, so the next render would restore `value`. `id` is the id of the
 * field. Does nothing for a field that the browser rendered: a select may not have the option of its value yet.
 */
export function useEarlyEntry<Field extends HTMLInputElement | HTMLSelectElement>(
  id: string,
  value: unknown,
  report: (field: Field) => void,
): void {
  // React calls the third function only on the server and in the first render of a hydration.
  const isHydrating = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const wasRendered = useRef(isHydrating);
  // biome-ignore lint/correctness/useExhaustiveDependencies: later entries raise events
  useEffect(() => {
    if (!wasRendered.current) return;
    const field = document.getElementById(id) as Field | null;
    if (field !== null && value !== undefined && field.value !== String(value)) report(field);
  }, []);
}
