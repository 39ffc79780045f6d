import { useId } from "react";
import { t, useLanguage } from "../i18n/i18n.ts";
import { isLanguage, languages } from "../i18n/languages.ts";
import { changeLanguage } from "./change-language.ts";

/** A native select of the languages, each in its own name, for the footer and the drawer. */
export function LanguageSelect({ className }: { className: string }) {
  const id = useId();
  const language = useLanguage();
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id}>{t("shell.language")}</label>
      <select
        id={id}
        value={language}
        onChange={(event) => isLanguage(event.target.value) && changeLanguage(event.target.value)}
        className={className}
      >
        {Object.entries(languages).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
