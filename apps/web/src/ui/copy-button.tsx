import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { t } from "../i18n/i18n.ts";
import { cx } from "./class-names.ts";
import { copyText } from "./copy-text.ts";

/** Copies `text`. `what` names the text for screen readers: "address". The check mark is shown for 1500 ms. */
export function CopyButton({ text, what, className }: { text: string; what: string; className?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      aria-label={t("ui.copy", { what })}
      onClick={async () => setCopied(await copyText(text))}
      className={cx(
        "inline-grid size-8 shrink-0 place-items-center rounded-6 text-muted hover:bg-accent/10 hover:text-accent",
        className,
      )}
    >
      <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />
    </button>
  );
}
