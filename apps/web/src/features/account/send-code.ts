import type { CodePurpose, CodeSent } from "@aqua/sdk/api/accounts";
import { language } from "../../i18n/i18n.ts";
import { isLanguage } from "../../i18n/languages.ts";
import { api } from "../api.ts";

/** The language of mails: the one shown, unless no mail is written in it. */
export function mailLanguage() {
  const shown = language();
  return isLanguage(shown) ? { language: shown } : {};
}

/** Has a code sent; answers from when another may be asked for, Unix milliseconds. Throws as the client does. */
export async function sendCode(email: string, purpose: CodePurpose): Promise<number> {
  const sent: CodeSent =
    purpose === "register"
      ? await api.sendVerificationCode({ email, purpose, ...mailLanguage() })
      : await api.forgetPassword({ email, ...mailLanguage() });
  return Date.now() + sent.resend_in * 1000;
}
