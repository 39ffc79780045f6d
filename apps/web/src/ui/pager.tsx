import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { formatCount } from "../i18n/format.ts";
import { t } from "../i18n/i18n.ts";
import { Button } from "./button.tsx";

interface PagerProps {
  /** The first page is 1. */
  page: number;
  pageSize: number;
  total: number;
  onChange: (page: number) => void;
}

/**
 * Shows the displayed rows, their total, and buttons to other pages. Renders nothing if all rows fit on one page. If
 * the page is beyond the end, because the list became shorter or the address names a missing page, it goes to the last
 * page.
 */
export function Pager({ page, pageSize, total, onChange }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const goToLast = useEffectEvent(() => onChange(last));
  const beyond = page > last;
  useEffect(() => {
    if (beyond) goToLast();
  }, [beyond]);
  if (total <= pageSize) return null;
  const from = (page - 1) * pageSize + 1;
  const to = Math.min(page * pageSize, total);
  return (
    <nav
      aria-label={t("ui.pager.label")}
      className="flex items-center justify-between gap-4 border-t border-line px-5 py-3 text-14 text-muted"
    >
      <p aria-live="polite">
        {t("ui.pager.rows", { from: formatCount(from), to: formatCount(to), total: formatCount(total) })}
      </p>
      <div className="flex gap-2">
        <Button
          look="secondary"
          size="small"
          inactive={page <= 1}
          aria-label={t("ui.pager.previous")}
          onClick={() => onChange(page - 1)}
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
        </Button>
        <Button
          look="secondary"
          size="small"
          inactive={to >= total}
          aria-label={t("ui.pager.next")}
          onClick={() => onChange(page + 1)}
        >
          <ChevronRight aria-hidden="true" className="size-4" />
        </Button>
      </div>
    </nav>
  );
}
