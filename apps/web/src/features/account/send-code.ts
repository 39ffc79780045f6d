import type { CodePurpose, CodeSent } from "@aqua/sdk/api/auth";
import { api } from "../api.ts";
import { mailLanguage } from "./mail-language.ts";

/** Has a code sent; answers from when another may be asked for, Unix milliseconds. Throws as the client does. */
export async function sendCode(email: string, purpose: CodePurpose): Promise<number> {
  const sent: CodeSent =
    purpose === "register"
      ? await api.sendVerificationCode({ email, purpose, ...mailLanguage() })
      : await api.forgetPassword({ email, ...mailLanguage() });
  return Date.now() + sent.resend_in * 1000;
}
