import { useEffect, useRef, useState } from "react";

/**
 * Text typed into a field whose value is in the address. The address updates a moment later, so the field stores its
 * own text. It adopts only values that it did not send itself: after going back, or after a filter is removed.
 */
export function useTyped(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value);
  const sent = useRef([value]);
  useEffect(() => {
    const index = sent.current.indexOf(value);
    if (index >= 0) {
      sent.current = sent.current.slice(index);
      return;
    }
    sent.current = [value];
    setText(value);
  }, [value]);
  function type(next: string, meant: string = next) {
    setText(next);
    if (sent.current.at(-1) === meant) return;
    sent.current.push(meant);
    onChange(meant);
  }
  return [text, type] as const;
}
