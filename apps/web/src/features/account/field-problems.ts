import { codePoints, emailAddress, passwordLength } from "@aqua/sdk/api/rules";
import { t } from "../../i18n/i18n.ts";
import type { LazyText } from "./failure.ts";

/** The problem with an e-mail address, as far as a browser can check it. Null if there is none. */
export function emailProblem(text: string): LazyText | null {
  if (text.trim() === "") return () => t("forms.email.missing");
  return emailAddress(text) !== null ? null : () => t("forms.email.invalid");
}

/** The problem with a new password before the server checks it. Null if there is none. */
export function newPasswordProblem(password: string): LazyText | null {
  const length = codePoints(password);
  if (length === 0) return () => t("forms.password.missing");
  if (length < passwordLength.min) return () => t("register.password.short", { min: passwordLength.min });
  return length > passwordLength.max ? () => t("register.password.long", { max: passwordLength.max }) : null;
}

/** Selects the fields that have a problem. */
export function problems<Name extends string>(byField: Record<Name, LazyText | null>): Partial<Record<Name, LazyText>> {
  return Object.fromEntries(Object.entries(byField).filter(([, problem]) => problem !== null)) as Partial<
    Record<Name, LazyText>
  >;
}
