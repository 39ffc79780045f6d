import { chooseLanguage, t } from "../i18n/i18n.ts";
import type { Language } from "../i18n/languages.ts";
import { toast } from "../ui/toast.tsx";

/** The visitor's choice. Its texts come over the network: when they do not, the page stays as it was and says so. */
export async function changeLanguage(language: Language) {
  try {
    await chooseLanguage(language);
  } catch {
    toast({ title: t("shell.language.unreachable"), look: "error" });
  }
}
