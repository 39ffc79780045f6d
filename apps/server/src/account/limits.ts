import { DAY_MS, HOUR_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { ApiError } from "../errors.ts";
import type { LimitedUse, LimitRule, Limits } from "../limits/limits.ts";
import { networkOf } from "../limits/network.ts";

/** Who makes a call that guesses, mails or hashes. */
export interface Caller {
  ip: string;
  /** The device, where it has logged in with this e-mail before (`KnownDevices`), or a session's account; else null. */
  device: string | null;
  userAgent: string | undefined;
}

/** Who calls in a session. The account counts in place of a device, so that another session gives no fresh tries. */
export function callerInSession(
  { ip, headers }: { ip: string; headers: { "user-agent"?: string | undefined } },
  { accountId }: { accountId: string },
): Caller {
  return { ip, device: `account ${accountId}`, userAgent: headers["user-agent"] };
}

/**
 * A known device counts by itself, and with all devices of its e-mail at its address. Everyone else counts by address
 * first and only then by the e-mail they name, so that one address uses up its own tries and not those of others; what
 * devices share is slowed down, not locked.
 */
export const limitRules = {
  passwordOfDevice: {
    name: "password.device",
    most: 10,
    windowMs: 15 * MINUTE_MS,
    slow: { firstMs: 1_000, maxMs: MINUTE_MS },
  },
  // Ten within any 15 minutes: 5, and after 15 s, 30 s, 1, 2 and 4 minutes one more each.
  passwordOfAddress: {
    name: "password.address",
    most: 5,
    windowMs: 15 * MINUTE_MS,
    slow: { firstMs: 15_000, maxMs: 15 * MINUTE_MS },
  },
  // 16 a day, so that one address alone never slows the others down.
  passwordOfAddressDaily: {
    name: "password.address.day",
    most: 10,
    windowMs: DAY_MS,
    slow: { firstMs: 15 * MINUTE_MS, maxMs: DAY_MS },
  },
  // Some 750 a day.
  passwordOfStrangers: {
    name: "password.strangers",
    most: 20,
    windowMs: DAY_MS,
    slow: { firstMs: 1_000, maxMs: 2 * MINUTE_MS },
  },
  codesToDevice: { name: "code.sent.device", most: 6, windowMs: HOUR_MS },
  codesToAddress: { name: "code.sent.address", most: 3, windowMs: HOUR_MS },
  codesToStrangers: { name: "code.sent.strangers", most: 6, windowMs: HOUR_MS },
  // Over all codes of an e-mail some 70 guesses a day, so a new code gives no fresh ones.
  guessesOfDevice: {
    name: "code.guesses.device",
    most: 20,
    windowMs: DAY_MS,
    slow: { firstMs: MINUTE_MS, maxMs: 30 * MINUTE_MS },
  },
  // 15 a day, for the same reason.
  guessesOfAddress: {
    name: "code.guesses.address",
    most: 8,
    windowMs: DAY_MS,
    slow: { firstMs: 10 * MINUTE_MS, maxMs: DAY_MS },
  },
  guessesOfStrangers: {
    name: "code.guesses.strangers",
    most: 20,
    windowMs: DAY_MS,
    slow: { firstMs: MINUTE_MS, maxMs: 30 * MINUTE_MS },
  },
  factorOfDevice: {
    name: "factor.device",
    most: 10,
    windowMs: 15 * MINUTE_MS,
    slow: { firstMs: 10_000, maxMs: 5 * MINUTE_MS },
  },
  factorOfAddress: {
    name: "factor.address",
    most: 8,
    windowMs: DAY_MS,
    slow: { firstMs: 10 * MINUTE_MS, maxMs: DAY_MS },
  },
  factorOfStrangers: {
    name: "factor.strangers",
    most: 20,
    windowMs: DAY_MS,
    slow: { firstMs: MINUTE_MS, maxMs: 30 * MINUTE_MS },
  },
  // Mails about failed tries: the first at once, then one after 2, 4 and 8 hours.
  failureMails: { name: "failures.mailed", most: 1, windowMs: DAY_MS, slow: { firstMs: 2 * HOUR_MS, maxMs: DAY_MS } },
  guessesOfCode: { name: "code.guesses.code", most: 5, windowMs: 10 * MINUTE_MS },
} satisfies Record<string, LimitRule>;

/**
 * Uses of a known device. Every log-in without a cookie makes another device, so those of an e-mail at one address have
 * twice as much as one together.
 */
function ofDevice(rule: LimitRule, { device, ip, email }: { device: string; ip: string; email: string }): LimitedUse[] {
  const together = { ...rule, name: `${rule.name}s`, most: 2 * rule.most };
  return [
    { rule, whom: device },
    { rule: together, whom: `${networkOf(ip)} ${email}` },
  ];
}

/** Tries of a password, at log-in and when deleting. */
export function passwordTries({ device, ip }: Caller, email: string): LimitedUse[] {
  if (device !== null) return ofDevice(limitRules.passwordOfDevice, { device, ip, email });
  return [
    { rule: limitRules.passwordOfAddress, whom: `${networkOf(ip)} ${email}` },
    { rule: limitRules.passwordOfAddressDaily, whom: `${networkOf(ip)} ${email}` },
    { rule: limitRules.passwordOfStrangers, whom: email },
  ];
}

/** Codes that are sent. */
export function codesSent({ device, ip }: Caller, email: string): LimitedUse[] {
  if (device !== null) return ofDevice(limitRules.codesToDevice, { device, ip, email });
  return [
    { rule: limitRules.codesToAddress, whom: `${networkOf(ip)} ${email}` },
    { rule: limitRules.codesToStrangers, whom: email },
  ];
}

/** Tries of an e-mail's codes, whichever they are. */
export function codeGuesses({ device, ip }: Caller, email: string): LimitedUse[] {
  if (device !== null) return ofDevice(limitRules.guessesOfDevice, { device, ip, email });
  return [
    { rule: limitRules.guessesOfAddress, whom: `${networkOf(ip)} ${email}` },
    { rule: limitRules.guessesOfStrangers, whom: email },
  ];
}

/** Tries of a second factor's codes, which only who knows the password or holds the session can make. */
export function factorTries({ device, ip }: Caller, email: string): LimitedUse[] {
  if (device !== null) return ofDevice(limitRules.factorOfDevice, { device: `${device} ${email}`, ip, email });
  return [
    { rule: limitRules.factorOfAddress, whom: `${networkOf(ip)} ${email}` },
    { rule: limitRules.factorOfStrangers, whom: email },
  ];
}

/** Tries of one code by one device or address: who uses up their own leaves the code to others. */
export function codeGuess({ device, ip }: Caller, codeHash: string): LimitedUse[] {
  return [{ rule: limitRules.guessesOfCode, whom: `${device ?? networkOf(ip)} ${codeHash}` }];
}

/** Counts a call that guesses, mails or hashes. @throws ApiError too_many_requests */
export type AccountCalls = (caller: Pick<Caller, "ip" | "device">) => Promise<void>;

/**
 * All such calls of one address together, known devices and sessions included: anyone can make devices. Where the address
 * is used up, known devices have a tenth of it besides, which strangers cannot use up and which then is slowed down, not
 * locked.
 */
export function createAccountCalls(limits: Pick<Limits, "spend">, most: number): AccountCalls {
  const windowMs = 15 * MINUTE_MS;
  const ofAddress: LimitRule = { name: "account.address", most, windowMs };
  const ofOneDevice: LimitRule = { name: "account.device", most, windowMs };
  const ofDevices: LimitRule = {
    name: "account.devices",
    most: Math.ceil(most / 10),
    windowMs,
    slow: { firstMs: 1_000, maxMs: MINUTE_MS },
  };
  return async ({ ip, device }) => {
    const whom = networkOf(ip);
    const own = device === null ? [] : [{ rule: ofOneDevice, whom: device }];
    try {
      await limits.spend([...own, { rule: ofAddress, whom }]);
    } catch (error) {
      if (device === null || !(error instanceof ApiError) || error.code !== "too_many_requests") throw error;
      await limits.spend([...own, { rule: ofDevices, whom }]);
    }
  };
}
