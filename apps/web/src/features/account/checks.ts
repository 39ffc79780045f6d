import { codePoints, passwordLength } from "@aqua/sdk/api/rules";
import { t } from "../../i18n/i18n.ts";
import type { Said } from "./failure.ts";

/** What is wrong with an e-mail address, as far as a browser can check; null when nothing is. */
export function emailProblem(text: string): Said | null {
  const email = text.trim();
  if (email === "") return () => t("forms.email.missing");
  return email.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email) ? null : () => t("forms.email.invalid");
}

/** What is wrong with a new password before the server looks at it; null when nothing is. */
export function newPasswordProblem(password: string): Said | null {
  const length = codePoints(password);
  if (length === 0) return () => t("forms.password.missing");
  if (length < passwordLength.min) return () => t("register.password.short", { min: passwordLength.min });
  return length > passwordLength.max ? () => t("register.password.long", { max: passwordLength.max }) : null;
}

/** Only what is wrong. */
export function problems<Name extends string>(found: Record<Name, Said | null>): Partial<Record<Name, Said>> {
  return Object.fromEntries(Object.entries(found).filter(([, said]) => said !== null)) as Partial<Record<Name, Said>>;
}
