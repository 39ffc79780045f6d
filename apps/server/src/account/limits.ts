import { isIPv6 } from "node:net";
import type { LimitedUse, LimitRule } from "../limits/limits.ts";

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

/** One customer's line has a whole /64 of IPv6. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith("::ffff:")) return ip.replace(/^::ffff:/, "");
  const [head = "", tail] = ip.split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array<string>(8 - groups.length - after.length).fill("0");
  const all = [...groups, ...zeros, ...after];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
