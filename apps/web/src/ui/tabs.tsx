import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { cx } from "./class-names.ts";

interface TabsProps<Value extends string> {
  /** Accessible name of the row of tabs. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: { value: Value; label: string; panel: ReactNode }[];
  /** Use `line` under headings, `box` as the head of a panel. */
  look?: "line" | "box";
}

/**
 * Tabs with the ARIA pattern: one stop in the tab order, arrow keys move between tabs, and the selection follows the
 * focus.
 */
export function Tabs<Value extends string>({ label, value, onChange, tabs, look = "line" }: TabsProps<Value>) {
  const id = useId();
  const index = tabs.findIndex((tab) => tab.value === value);
  const row = useRef<HTMLDivElement>(null);

  // On a phone the row is wider than the screen, so the selected tab is scrolled into view.
  useEffect(() => {
    const tab = document.getElementById(`${id}-${value}`);
    if (!row.current || !tab) return;
    const end = tab.offsetLeft + tab.offsetWidth - row.current.offsetLeft;
    const start = tab.offsetLeft - row.current.offsetLeft;
    if (end > row.current.scrollLeft + row.current.clientWidth) row.current.scrollLeft = end - row.current.clientWidth;
    else if (start < row.current.scrollLeft) row.current.scrollLeft = start;
  }, [id, value]);

  function onKeyDown(event: KeyboardEvent) {
    // Alt with an arrow key is the browser's back or forward.
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const last = tabs.length - 1;
    const targets: Record<string, number> = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    const tab = target === undefined ? undefined : tabs[target];
    if (!tab) return;
    event.preventDefault();
    onChange(tab.value);
    document.getElementById(`${id}-${tab.value}`)?.focus();
  }

  return (
    <div>
      <div
        ref={row}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className={
          look === "line"
            ? "flex gap-6 overflow-x-auto border-b border-line"
            : "grid auto-cols-fr grid-flow-col border-b border-line"
        }
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-${tab.value}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className={cx(
              "-mb-px border-b-2 py-3 font-strong whitespace-nowrap transition-colors focus-visible:-outline-offset-2",
              tab.value === value ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink",
              look === "box" ? "text-16" : "text-14",
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-${tab.value}-panel`}
          aria-labelledby={`${id}-${tab.value}`}
          hidden={tab.value !== value}
        >
          {tab.value === value && tab.panel}
        </div>
      ))}
    </div>
  );
}
