import { useEffect, useRef, useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * Reports what a reader entered into a field of a server-rendered page before React took the field over: React leaves it
 * in the field and raises no event, so the next render would put `value` back. `id` is the field's. Does nothing for a
 * field that is rendered in the browser: a select may not have the option of its value yet.
 */
export function useEarlyEntry<Field extends HTMLInputElement | HTMLSelectElement>(
  id: string,
  value: unknown,
  report: (field: Field) => void,
): void {
  // React reads the third function only on the server and in the first render of a hydration.
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
