import { z } from "zod";
import { countryCodes } from "../countries.ts";
import { languageCodes } from "../languages.ts";
import { address, chainId, time, transactionHash } from "./envelope.ts";
import { codeLength, codePoints, emailAddress, passwordLength } from "./rules.ts";

/** An e-mail address, normalised to the form in which it is stored; see `emailAddress`. */
export const email = z
  .string()
  .max(1_024, "Enter a valid e-mail address")
  .overwrite((text) => emailAddress(text) ?? text)
  .refine((text) => emailAddress(text) !== null, "Enter a valid e-mail address")
  .meta({ format: "email" });
export const password = z
  .string()
  .max(1_024, `A password has at most ${passwordLength.max} characters`)
  .refine((text) => codePoints(text) >= passwordLength.min, `A password has at least ${passwordLength.min} characters`)
  .refine((text) => codePoints(text) <= passwordLength.max, `A password has at most ${passwordLength.max} characters`);
export const country = z
  .string()
  .toUpperCase()
  .refine((code) => countryCodes.includes(code), "Choose a country");
export const language = z.enum(languageCodes);
/** A code of six digits. Spaces, hyphens and full-width digits are accepted: "123 456", "123-456". */
export const code = z
  .string()
  .max(40)
  .overwrite((text) => text.normalize("NFKC").replace(/[\s-]/g, ""))
  .regex(/^\d{6}$/, `The code has ${codeLength} digits`);
const ticket = z.string().min(1).max(100);

/** Purposes of a code that anyone may request. Codes for `confirm` and `change_email` need a session. */
const askedPurpose = z.enum(["register", "reset_password"]);
export type AskedPurpose = z.infer<typeof askedPurpose>;
export const codePurpose = z.enum([...askedPurpose.options, "confirm", "change_email"]);
export type CodePurpose = z.infer<typeof codePurpose>;

/**
 * A log-in accepts any password that is not empty. Only the comparison decides; the rules for new passwords do not
 * apply.
 */
const knownPassword = z.string().min(1, "Enter the password").max(1_024);
/**
 * A credential in the form that the browser returns (WebAuthn's JSON). The library that verifies it checks its parts.
 */
export const passkeyAnswer = z.looseObject({ id: z.string().max(2_000) });
/** Exactly one of: a passkey's answer, a code of the authenticator app, a recovery code. */
export const factor = z.object({
  passkey: passkeyAnswer.optional(),
  totp: code.optional(),
  recovery: z.string().trim().max(40).optional(),
});
export type Factor = z.infer<typeof factor>;
/**
 * `factor` is needed if the account has a second factor. The server then answers `second_factor_required` without it.
 */
export const loginBody = z.object({ email, password: knownPassword, factor: factor.optional() });
export const sendCodeBody = z.object({ email, purpose: askedPurpose, language: language.optional() });
export const forgetPasswordBody = z.object({ email, language: language.optional() });
export const verifyEmailBody = z.object({ email, code, purpose: askedPurpose });
export const registerBody = z.object({ email, password, ticket, country, language: language.optional() });
export const resetPasswordBody = z.object({ email, ticket, password });

/** A session. `token` goes into `Authorization: Bearer`. */
export const session = z.object({ token: z.string(), email: z.string() });
export type Session = z.infer<typeof session>;
/** Seconds until the code expires, and seconds until another may be requested. */
export const codeSent = z.object({ expires_in: z.number().int(), resend_in: z.number().int() });
export type CodeSent = z.infer<typeof codeSent>;
export const emailTicket = z.object({ ticket: z.string() });
export type EmailTicket = z.infer<typeof emailTicket>;
export const nothing = z.object({});

export const identityStatus = z.enum(["unverified", "pending", "verified", "rejected", "expired"]);
export type IdentityStatus = z.infer<typeof identityStatus>;

/**
 * The reason why a wallet's record on a chain differs from its owner's expectation. `other_subject`: on this chain the
 * wallet belongs to another identity. `retired`: the wallet was replaced for good. `handed_on`: it switched to another
 * wallet. `signature`: the chain rejects its signature. `other_chain`: the signature is a contract wallet's and was
 * made for another chain. `not_created`: the wallet's contract does not exist on this chain yet. `signature_used`: the
 * chain has already used the stored signature and accepts each once, so the wallet must be linked again with a new one.
 * `switch_waits`: the switch of the wallet can still be stopped.
 */
export const bindingReasons = [
  "other_subject",
  "retired",
  "handed_on",
  "signature",
  "other_chain",
  "not_created",
  "signature_used",
  "switch_waits",
] as const;
export type BindingReason = (typeof bindingReasons)[number];

/**
 * State of a wallet's record on one chain. `waiting`: it waits for the identity check or for its turn. `sent`: the
 * transaction is pending. `bound`: the record is on chain. `retired`: the account switched to another wallet, and this
 * one may only redeem. `failed`: it is not retried; `reason` says why.
 */
export const walletBinding = z.object({
  chain_id: z.number().int(),
  state: z.enum(["waiting", "sent", "bound", "retired", "failed"]),
  hash: transactionHash.nullable(),
  reason: z.enum(bindingReasons).nullable(),
});
export type WalletBinding = z.infer<typeof walletBinding>;

export const linkedWallet = z.object({
  address,
  create_time: time,
  /**
   * False for a former wallet that the account switched away from. It can no longer log in but still owns its holdings.
   */
  current: z.boolean(),
  bindings: z.array(walletBinding),
});
export type LinkedWallet = z.infer<typeof linkedWallet>;

/** The account's wallets, as in account/info. A new password does not stop the current wallet from logging in. */
export const passwordReset = z.object({ wallets: z.array(linkedWallet) });
export type PasswordReset = z.infer<typeof passwordReset>;

/** GET account/info. `wallets` lists the current one first, then former ones, newest first. */
export const accountInfo = z.object({
  email: z.string(),
  country: z.string(),
  language,
  identity_status: identityStatus,
  /** The reason why the last submission was rejected: one of `rejectionCodes`, or the operator's own text. */
  identity_reason: z.string().optional(),
  create_time: time,
  wallets: z.array(linkedWallet),
});
export type AccountInfo = z.infer<typeof accountInfo>;

/**
 * `switch_from` is a wallet of the account that `address` replaces. The text then contains the statement that the
 * contract expects.
 */
export const signMessageBody = z.object({ address, chain_id: chainId, switch_from: address.optional() });
/**
 * An EIP-4361 text that must be signed unchanged. With a session it ends with `Request ID: <subject>`, which binds the
 * wallet on chain.
 */
export const signMessage = z.object({ message: z.string(), nonce: z.string(), expires_at: time });
export type SignMessage = z.infer<typeof signMessage>;
export const authenticateBody = z.object({
  message: z.string().max(4_000),
  signature: z
    .string()
    // Empty if the signers of a contract wallet have approved the message on chain.
    .regex(/^0x([0-9a-fA-F]{2})*$/, "Invalid signature")
    // Large enough for ERC-6492 signatures, which include the call that deploys the wallet.
    .max(32_000),
});
/** With a session, the account. Without one, a new session of the account that the wallet is linked to. */
export const authenticated = z.union([session, accountInfo]);
export type Authenticated = z.infer<typeof authenticated>;

/** One log-in of the account. */
export const sessionInfo = z.object({
  id: z.string(),
  create_time: time,
  last_use: time,
  expires_at: time,
  /** Browser and system from the log-in's user agent, shortened. Null if there was none. */
  user_agent: z.string().nullable(),
  /** The network of the log-in without its last part, such as "203.0.113.x". Null for older log-ins. */
  place: z.string().nullable(),
  current: z.boolean(),
});
export type SessionInfo = z.infer<typeof sessionInfo>;
/** Ends the session `id`. Without `id` it ends all sessions except the caller's. */
export const endSessionsBody = z.object({ id: z.string().max(64).optional() });
/** Deleting an account requires the password again. */
export const deleteAccountBody = z.object({ password: knownPassword });

/** Mails of the embedded outbox. It exists only if `npm start` runs everything on this machine. */
export const outboxQuery = z.object({ to: z.string().max(254).optional() });
export const outboxMail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** Headers that mail programs use to unsubscribe. */
  headers: z.record(z.string(), z.string()),
  time,
});
export type OutboxMail = z.infer<typeof outboxMail>;
