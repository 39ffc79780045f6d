import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { cx } from "../../ui/class-names.ts";
import { type ProductTab, productTabs, tabPath } from "./product-tab.ts";

/** The one row of tabs of a product: links, so that Back, the keyboard and a copied address work. */
export function ProductTabs({ shortId, current }: { shortId: string; current: ProductTab }) {
  const row = useRef<HTMLUListElement>(null);

  // On a phone the row is wider than the screen: the chosen tab is scrolled into view, and the page is not.
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>(`[data-tab=${current}]`);
    if (!row.current || !tab) return;
    row.current.scrollLeft = tab.offsetLeft - (row.current.clientWidth - tab.offsetWidth) / 2;
  }, [current]);

  return (
    <nav aria-label={t("products.tab.label")} className="mt-6">
      <ul ref={row} className="relative flex gap-6 overflow-x-auto">
        {productTabs.map((tab) => (
          <li key={tab} data-tab={tab} className="shrink-0">
            <Link
              to={tabPath(shortId, tab)}
              aria-current={tab === current ? "page" : undefined}
              className={cx(
                "block border-b-2 py-3 text-14 font-strong whitespace-nowrap focus-visible:-outline-offset-2",
                tab === current ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink",
              )}
            >
              {t(`products.tab.${tab}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
