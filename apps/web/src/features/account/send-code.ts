import type { AskedPurpose, CodeSent } from "@aqua/sdk/api/auth";
import { now } from "../../server-clock.ts";
import { api } from "../api.ts";
import { mailLanguage } from "./mail-language.ts";

/** Sends a code; returns when another may be requested, Unix milliseconds. Throws what the client throws. */
export async function sendCode(email: string, purpose: AskedPurpose): Promise<number> {
  const sent: CodeSent =
    purpose === "register"
      ? await api.sendVerificationCode({ email, purpose, ...mailLanguage() })
      : await api.forgetPassword({ email, ...mailLanguage() });
  return now() + sent.resend_in * 1000;
}
