import type { LimitedUse, LimitRule } from "../limits/limits.ts";
import { networkOf } from "../limits/network.ts";

const MINUTE = 60_000;

/** Every try of a password, at login or elsewhere. */
const passwordTries: LimitRule = { name: "password.account", most: 10, windowMs: 15 * MINUTE };
const codesSent: LimitRule = { name: "code.email", most: 6, windowMs: 60 * MINUTE };
const codeTries: LimitRule = { name: "code.tries", most: 10, windowMs: 15 * MINUTE };

export const passwordTry = (email: string): LimitedUse => ({ rule: passwordTries, whom: email });
export const codeSend = (email: string): LimitedUse => ({ rule: codesSent, whom: email });
export const codeTry = (email: string): LimitedUse => ({ rule: codeTries, whom: email });

/** All calls without a session that guess, mail or hash, of one address together. */
export function addressUse(most: number): (ip: string) => LimitedUse {
  const rule: LimitRule = { name: "account.address", most, windowMs: 15 * MINUTE };
  return (ip) => ({ rule, whom: networkOf(ip) });
}
