import type { AskedPurpose, CodeSent } from "@aqua/sdk/api/auth";
import { now } from "../../server-clock.ts";
import { api } from "../api.ts";
import { mailLanguage } from "./mail-language.ts";

/**
 * Sends a code. Returns the time from which another may be requested, in Unix milliseconds. Throws errors of the client
 * unchanged.
 */
export async function sendCode(email: string, purpose: AskedPurpose): Promise<number> {
  const sent: CodeSent =
    purpose === "register"
      ? await api.sendVerificationCode({ email, purpose, ...mailLanguage() })
      : await api.forgetPassword({ email, ...mailLanguage() });
  return now() + sent.resend_in * 1000;
}
