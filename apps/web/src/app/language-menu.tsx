import { Check, Globe } from "lucide-react";
import { t, useLanguage } from "../i18n/i18n.ts";
import { isLanguage, languages } from "../i18n/languages.ts";
import { cx } from "../ui/class-names.ts";
import { Disclosure } from "../ui/disclosure.tsx";
import { changeLanguage } from "./change-language.ts";

/** The language menu of the header. */
export function LanguageMenu() {
  const active = useLanguage();
  return (
    <Disclosure
      align="end"
      label={`${t("shell.language")}: ${isLanguage(active) ? languages[active] : active}`}
      buttonClassName="grid size-9 place-items-center rounded-6 text-muted hover:bg-accent/10 hover:text-ink"
      button={<Globe aria-hidden="true" className="size-5" strokeWidth={1.75} />}
      panelClassName="w-44 p-1.5"
    >
      {(close) => (
        <ul>
          {Object.entries(languages).map(([tag, name]) => (
            <li key={tag}>
              <button
                type="button"
                lang={tag}
                aria-current={tag === active ? "true" : undefined}
                onClick={() => {
                  close();
                  if (isLanguage(tag)) changeLanguage(tag);
                }}
                className={cx(
                  "flex h-10 w-full items-center justify-between gap-3 rounded-6 px-3 text-left text-14 hover:bg-accent/10",
                  tag === active && "font-strong text-accent",
                )}
              >
                {name}
                {tag === active && <Check aria-hidden="true" className="size-4" strokeWidth={1.75} />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}
