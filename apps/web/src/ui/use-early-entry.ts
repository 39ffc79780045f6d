import { useEffect } from "react";

/**
 * Reports what a reader entered into a field of a server-rendered page before React took the field over: React leaves it
 * in the field and raises no event, so the next render would put `value` back. `id` is the field's.
 */
export function useEarlyEntry<Field extends HTMLInputElement | HTMLSelectElement>(
  id: string,
  value: unknown,
  report: (field: Field) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: later entries raise events
  useEffect(() => {
    const field = document.getElementById(id) as Field | null;
    if (field !== null && value !== undefined && field.value !== String(value)) report(field);
  }, []);
}
