import { t } from "../i18n/i18n.ts";
import { toast } from "./toast.tsx";

/** Copies a text and confirms it in a toast. Resolves to false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: t("ui.copySuccess"), look: "success" });
    return true;
  } catch {
    toast({ title: t("ui.copyFailed"), look: "error" });
    return false;
  }
}
