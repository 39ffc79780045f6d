import { useEffect, useRef, useState } from "react";

/**
 * What is being typed into a field whose value lives in the address. The address follows a moment later, so the field
 * keeps its own text and takes over only what it did not send itself: a way back, a filter taken away.
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
