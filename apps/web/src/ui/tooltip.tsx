import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { cx } from "./class-names.ts";

interface TooltipProps {
  /** A short text without any clickable content. No action may depend on it. */
  text: ReactNode;
  /** Exactly one focusable element. */
  children: ReactElement<{ "aria-describedby"?: string; "aria-labelledby"?: string }>;
  /**
   * Use `name` if the text is the element's only name, as on an icon button. By default the text is the description.
   */
  as?: "description" | "name";
  className?: string;
}

/** Milliseconds before the text opens on hover, and before it closes, so that the pointer can reach the text. */
const openAfter = 300;
const closeAfter = 120;
const gap = 8;
const margin = 8;

/**
 * Shows a text beside an element while it is hovered or focused, or after a tap. Escape hides only this text. The
 * pointer may move onto the text (WCAG 1.4.13).
 */
export function Tooltip({ text, children, as = "description", className }: TooltipProps) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();

  function change(next: boolean, after = 0) {
    clearTimeout(timer.current);
    if (after === 0) setOpen(next);
    else timer.current = setTimeout(() => setOpen(next), after);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    if (!open) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      setOpen(false);
    };
    addEventListener("keydown", onKeyDown, true);
    return () => removeEventListener("keydown", onKeyDown, true);
  }, [open]);

  useLayoutEffect(() => {
    if (!open) return;
    // Focus may scroll the element into view, so the text must follow.
    const place = () => {
      const target = anchor.current?.firstElementChild?.getBoundingClientRect();
      const own = bubble.current;
      if (!target || !own) return;
      const { width, height } = own.getBoundingClientRect();
      const right = document.documentElement.clientWidth - margin - width;
      const above = target.top - gap - height;
      own.style.left = `${Math.max(margin, Math.min(target.left + (target.width - width) / 2, right))}px`;
      own.style.top = `${above >= margin ? above : target.bottom + gap}px`;
    };
    place();
    addEventListener("scroll", place, { capture: true, passive: true });
    return () => removeEventListener("scroll", place, true);
  }, [open]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens to events of the element inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: focus does the same for the keyboard
    <span
      ref={anchor}
      className={cx("inline-flex", className)}
      onPointerEnter={(event) => event.pointerType !== "touch" && change(true, openAfter)}
      onPointerLeave={(event) => event.pointerType !== "touch" && change(false, closeAfter)}
      onFocus={() => change(true)}
      onBlur={() => change(false)}
      onClick={() => change(true)}
    >
      {cloneElement(children, { [as === "name" ? "aria-labelledby" : "aria-describedby"]: id })}
      <span
        ref={bubble}
        id={id}
        role="tooltip"
        hidden={!open}
        className="fixed z-60 w-max max-w-[min(280px,calc(100vw-16px))] animate-fade rounded-6 border border-transparent bg-ink px-2.5 py-1.5 text-left font-sans text-12 font-normal whitespace-normal text-ground shadow-float"
      >
        {text}
      </span>
    </span>
  );
}
