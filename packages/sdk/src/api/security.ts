import { z } from "zod";
import { MINUTE_MS } from "../durations.ts";
import { code, email, factor, passkeyAnswer, password } from "./auth.ts";
import { address, time } from "./envelope.ts";
import { shownText } from "./text.ts";

/** Milliseconds for which a confirmation is valid within its session. */
export const confirmationMs = 5 * MINUTE_MS;

export const securityEventKinds = [
  "registered",
  "log_in",
  "log_in_wallet",
  "log_in_passkey",
  "password_entered",
  "log_in_failed",
  "confirm_failed",
  "sessions_ended",
  "logged_out_by_operator",
  "password_changed",
  "email_changed",
  "exported",
  "passkey_added",
  "passkey_removed",
  "totp_added",
  "totp_removed",
  "recovery_made",
  "recovery_used",
  "wallet_linked",
  "wallet_switched",
  "wallet_unlinked",
  "switch_stopped",
  "switch_signed",
] as const;
export type SecurityEventKind = (typeof securityEventKinds)[number];

export const securityEvent = z.object({
  id: z.string(),
  time,
  kind: z.enum(securityEventKinds),
  user_agent: z.string().nullable(),
  place: z.string().nullable(),
  detail: z.string().nullable(),
});
export type SecurityEvent = z.infer<typeof securityEvent>;

const secondFactor = z.object({ id: z.string(), name: z.string(), create_time: time, last_use: time.nullable() });
export type SecondFactor = z.infer<typeof secondFactor>;

/**
 * A switch of the wallet that can still be stopped. Several consecutive switches count as one, from the wallet before
 * the first. `consent` is the text that this wallet signs to make the switch effective at once.
 */
export const pendingSwitch = z.object({
  id: z.string(),
  from: address,
  to: address,
  create_time: time,
  effective_time: time,
  consent: z.string(),
});
export type PendingSwitch = z.infer<typeof pendingSwitch>;

/** GET account/security */
export const security = z.object({
  /** The time until which no further confirmation is needed. Null if the next sensitive call needs one. */
  confirmed_until: time.nullable(),
  /** True if this account confirms with a second factor. False if it uses the password or a mailed code. */
  second_factor: z.boolean(),
  /** False if this site's address does not allow passkeys, as with a bare IP address. */
  passkeys_possible: z.boolean(),
  passkeys: z.array(secondFactor),
  totp: secondFactor.nullable(),
  recovery_codes: z.number().int().nonnegative(),
  pending_switch: pendingSwitch.nullable(),
});
export type Security = z.infer<typeof security>;

/** Exactly one of these. An account with a second factor accepts only `factor`. */
export const confirmBody = z.object({
  password: z.string().min(1).max(1_024).optional(),
  code: code.optional(),
  factor: factor.optional(),
});
export type ConfirmBody = z.infer<typeof confirmBody>;
export const confirmed = z.object({ confirmed_until: time });

export const changePasswordBody = z.object({ password });
export const emailCodeBody = z.object({ email });
export const changeEmailBody = z.object({ email, code });
export const changedEmail = z.object({ email: z.string() });

/** The argument of the browser's API, as JSON. */
export const passkeyOptions = z.looseObject({ challenge: z.string() });
export type PasskeyOptions = z.infer<typeof passkeyOptions>;
const name = shownText.trim().min(1).max(60);
export const addPasskeyBody = z.object({ name, passkey: passkeyAnswer });
export const passkeyLogInBody = z.object({ passkey: passkeyAnswer });
/** The secret in base32, and a link with it for an authenticator app. */
export const totpSetup = z.object({ secret: z.string(), uri: z.string() });
export const addTotpBody = z.object({ code });
export const removeFactorBody = z.object({ id: z.string().max(2_000) });
/** Recovery codes, which are shown once. Empty if the account already has some. */
export const recoveryCodes = z.object({ codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodes>;

/** The account's current wallet. */
export const unlinkWalletBody = z.object({ address });

/** `token` is from the mail. Without it a confirmed session is required. */
export const stopSwitchBody = z.object({ token: z.string().max(100).optional() });
export const stoppedSwitch = z.object({ from: address, to: address });
export const signSwitchBody = z.object({
  signature: z
    .string()
    // Empty if the signers of a contract wallet have approved the message on chain.
    .regex(/^0x([0-9a-fA-F]{2})*$/, "Invalid signature")
    .max(32_000),
});
