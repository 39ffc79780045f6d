import { DAY_MS, HOUR_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { ApiError } from "../errors.ts";
import type { LimitedUse, LimitRule, Limits } from "../limits/limits.ts";
import { networkOf } from "../limits/network.ts";

/** The sender of a call that guesses, mails or hashes. */
export interface Caller {
  ip: string;
  /**
   * The device if it has logged in with this e-mail before (`KnownDevices`), or a session's account. Otherwise null.
   */
  device: string | null;
  userAgent: string | undefined;
}

/** Returns the caller of a session. The account replaces the device, so that another session allows no new tries. */
export function callerInSession(
  { ip, headers }: { ip: string; headers: { "user-agent"?: string | undefined } },
  { accountId }: { accountId: string },
): Caller {
  return { ip, device: `account ${accountId}`, userAgent: headers["user-agent"] };
}

/**
 * A known device counts on its own, and also with all devices of its e-mail at its address. All others count first by
 * address and then by the e-mail they enter, so that one address uses up only its own tries. Limits that devices
 * share slow callers down and do not lock them out.
 */
export const limitRules = {
  passwordOfDevice: {
    name: "password.device",
    most: 10,
    windowMs: 15 * MINUTE_MS,
    slow: { firstMs: 1_000, maxMs: MINUTE_MS },
  },
  // Allows ten tries within any 15 minutes: 5 at once, then one more after 15 s, 30 s, 1, 2 and 4 minutes each.
  passwordOfAddress: {
    name: "password.address",
    most: 5,
    windowMs: 15 * MINUTE_MS,
    slow: { firstMs: 15_000, maxMs: 15 * MINUTE_MS },
  },
  // Allows 16 a day, so that one address alone never slows down the others.
  passwordOfAddressDaily: {
    name: "password.address.day",
    most: 10,
    windowMs: DAY_MS,
    slow: { firstMs: 15 * MINUTE_MS, maxMs: DAY_MS },
  },
  // Allows about 750 a day.
  passwordOfStrangers: {
    name: "password.strangers",
    most: 20,
    windowMs: DAY_MS,
    slow: { firstMs: 1_000, maxMs: 2 * MINUTE_MS },
  },
  codesToDevice: { name: "code.sent.device", most: 6, windowMs: HOUR_MS },
  codesToAddress: { name: "code.sent.address", most: 3, windowMs: HOUR_MS },
  codesToStrangers: { name: "code.sent.strangers", most: 6, windowMs: HOUR_MS },
  // Allows about 70 guesses a day over all codes of an e-mail, so that a new code allows no new guesses.
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
  // Mails about failed tries: the first at once, then one each after 2, 4 and 8 hours.
  failureMails: { name: "failures.mailed", most: 1, windowMs: DAY_MS, slow: { firstMs: 2 * HOUR_MS, maxMs: DAY_MS } },
  guessesOfCode: { name: "code.guesses.code", most: 5, windowMs: 10 * MINUTE_MS },
} satisfies Record<string, LimitRule>;

/**
 * Returns the uses of a known device. Every log-in without a cookie creates another device, so all devices of an
 * e-mail at one address together have twice the limit of one device.
 */
function ofDevice(rule: LimitRule, { device, ip, email }: { device: string; ip: string; email: string }): LimitedUse[] {
  const together = { ...rule, name: `${rule.name}s`, most: 2 * rule.most };
  return [
    { rule, whom: device },
    { rule: together, whom: `${networkOf(ip)} ${email}` },
  ];
}

/** Limits for tries of a password, at log-in and at deletion. */
export function passwordTries({ device, ip }: Caller, email: string): LimitedUse[] {
  if (device !== null) return ofDevice(limitRules.passwordOfDevice, { device, ip, email });
  return [
    { rule: limitRules.passwordOfAddress, whom: `${networkOf(ip)} ${email}` },
    { rule: limitRules.passwordOfAddressDaily, whom: `${networkOf(ip)} ${email}` },
    { rule: limitRules.passwordOfStrangers, whom: email },
  ];
}

/** Limits for codes that are sent. */
export function codesSent({ device, ip }: Caller, email: string): LimitedUse[] {
  if (device !== null) return ofDevice(limitRules.codesToDevice, { device, ip, email });
  return [
    { rule: limitRules.codesToAddress, whom: `${networkOf(ip)} ${email}` },
    { rule: limitRules.codesToStrangers, whom: email },
  ];
}

/** Limits for guesses at any code of an e-mail. */
export function codeGuesses({ device, ip }: Caller, email: string): LimitedUse[] {
  if (device !== null) return ofDevice(limitRules.guessesOfDevice, { device, ip, email });
  return [
    { rule: limitRules.guessesOfAddress, whom: `${networkOf(ip)} ${email}` },
    { rule: limitRules.guessesOfStrangers, whom: email },
  ];
}

/**
 * Limits for tries of a second factor's codes. Only a caller that knows the password or holds the session can make
 * them.
 */
export function factorTries({ device, ip }: Caller, email: string): LimitedUse[] {
  if (device !== null) return ofDevice(limitRules.factorOfDevice, { device: `${device} ${email}`, ip, email });
  return [
    { rule: limitRules.factorOfAddress, whom: `${networkOf(ip)} ${email}` },
    { rule: limitRules.factorOfStrangers, whom: email },
  ];
}

/**
 * Limit for tries of one code by one device or address. A caller that uses it up does not affect others' tries of the
 * code.
 */
export function codeGuess({ device, ip }: Caller, codeHash: string): LimitedUse[] {
  return [{ rule: limitRules.guessesOfCode, whom: `${device ?? networkOf(ip)} ${codeHash}` }];
}

/**
 * Counts a call that guesses, mails or hashes.
 * @throws ApiError too_many_requests
 */
export type AccountCalls = (caller: Pick<Caller, "ip" | "device">) => Promise<void>;

/**
 * Counts all such calls of one address together, including those of known devices and sessions, because anyone can
 * create devices. When the limit of the address is used up, known devices have an extra tenth of it. Strangers cannot
 * use up that tenth, and it slows devices down without locking them out.
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
