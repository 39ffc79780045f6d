import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { cx } from "./class-names.ts";

interface DisclosureProps {
  /** The button's content; without text, set `label` as its `aria-label`. */
  button: ReactNode;
  label?: string;
  buttonClassName?: string;
  panelClassName?: string;
  align?: "start" | "end";
  /** Opens above the button, for use at the bottom of a page. */
  above?: boolean | undefined;
  /** Receives `close`, which returns the focus to the button. */
  children: (close: () => void) => ReactNode;
  onOpen?: () => void;
  /** Called when the pointer or focus reaches the button, to prefetch the panel's data. */
  onIntent?: () => void;
}

/** Minimum distance between a panel and the edges of the screen, in pixels. */
const margin = 16;

/**
 * A button that shows a small floating panel. The panel closes on Escape, on a click outside and when the focus leaves
 * it.
 */
export function Disclosure(props: DisclosureProps) {
  const {
    button,
    label,
    buttonClassName,
    panelClassName,
    align = "start",
    above = false,
    children,
    onOpen,
    onIntent,
  } = props;
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();

  // Near an edge the panel would extend beyond a narrow screen, so it is shifted.
  useLayoutEffect(() => {
    const box = panel.current?.getBoundingClientRect();
    if (!open || !panel.current || !box) return;
    const over = box.right - (document.documentElement.clientWidth - margin);
    const shift = box.left < margin ? margin - box.left : over > 0 ? -over : 0;
    panel.current.style.translate = `${shift}px`;
  }, [open]);

  useEffect(() => {
    if (!open) return;
    const onPointerDown = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
  }, [open]);

  function close() {
    setOpen(false);
    toggle.current?.focus({ preventScroll: true });
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens for Escape and for focus that leaves
    <div
      ref={root}
      className="relative"
      onKeyDown={(event) => {
        if (event.key === "Escape" && open) {
          event.stopPropagation();
          close();
        }
      }}
      onBlur={(event) => {
        if (event.relatedTarget && !root.current?.contains(event.relatedTarget as Node)) setOpen(false);
      }}
    >
      <button
        ref={toggle}
        type="button"
        aria-label={label}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onPointerEnter={onIntent}
        onFocus={onIntent}
        onClick={() => {
          if (!open) onOpen?.();
          setOpen(!open);
        }}
        className={buttonClassName}
      >
        {button}
      </button>
      {open && (
        <div
          ref={panel}
          id={id}
          className={cx(
            "panel absolute z-30 animate-fade shadow-float",
            above ? "bottom-full mb-2" : "top-full mt-2",
            align === "end" ? "right-0" : "left-0",
            panelClassName,
          )}
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}
