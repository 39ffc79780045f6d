import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { cx } from "../../ui/class-names.ts";

interface LinkTabsProps<Tab extends string> {
  /** Accessible name of the row. */
  label: string;
  current: Tab;
  tabs: readonly { tab: Tab; to: string; label: string }[];
}

/** A row of tabs that are links, so that Back, the keyboard and a copied address work. */
export function LinkTabs<Tab extends string>({ label, current, tabs }: LinkTabsProps<Tab>) {
  const row = useRef<HTMLUListElement>(null);

  // On a phone the row is wider than the screen. The effect scrolls the chosen tab into view without scrolling the
  // page.
  useEffect(() => {
    const chosen = row.current?.querySelector<HTMLElement>(`[data-tab=${current}]`);
    if (!row.current || !chosen) return;
    row.current.scrollLeft = chosen.offsetLeft - (row.current.clientWidth - chosen.offsetWidth) / 2;
  }, [current]);

  return (
    <nav aria-label={label}>
      <ul ref={row} className="relative flex gap-6 overflow-x-auto">
        {tabs.map(({ tab, to, label: name }) => (
          <li key={tab} data-tab={tab} className="shrink-0">
            <Link
              to={to}
              aria-current={tab === current ? "page" : undefined}
              className={cx(
                "block border-b-2 py-3 text-14 font-strong whitespace-nowrap focus-visible:-outline-offset-2",
                tab === current ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink",
              )}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
