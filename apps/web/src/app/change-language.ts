import { chooseLanguage, t } from "../i18n/i18n.ts";
import type { Language } from "../i18n/languages.ts";
import { reportFault } from "../report-error.ts";
import { toast } from "../ui/toast.tsx";

/**
 * Switches to the language that the visitor chose. If its texts cannot be loaded, the language stays and a toast
 * reports the failure.
 */
export async function changeLanguage(language: Language) {
  try {
    await chooseLanguage(language);
  } catch (error) {
    reportFault("page", error);
    toast({ title: t("shell.language.unreachable"), look: "error" });
  }
}
