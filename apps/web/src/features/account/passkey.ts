import type { Factor, Session } from "@aqua/sdk/api/auth";
import type { RecoveryCodes } from "@aqua/sdk/api/security";
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { t } from "../../i18n/i18n.ts";
import { reportError } from "../../report-error.ts";
import { api } from "../api.ts";
import { failureText, type Said } from "./failure.ts";

type Answer = NonNullable<Factor["passkey"]>;

/** Whether this browser can use passkeys at this address: they need a domain, over https or on this machine. */
export function passkeysPossible(): boolean {
  const { hostname } = location;
  return browserSupportsWebAuthn() && isSecureContext && !/^[\d.]+$|:/.test(hostname);
}

/** Has the reader choose a passkey of this site. Throws the browser's error when they cancel. */
export async function askPasskey(autofill = false): Promise<Answer> {
  const options = await api.passkeyOptions();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return (await startAuthentication({ optionsJSON, useBrowserAutofill: autofill })) as unknown as Answer;
}

export async function logInWithPasskey(): Promise<Session> {
  return api.passkeyLogIn({ passkey: await askPasskey() });
}

/**
 * Offers the passkeys in the autofill of the e-mail field; resolves with the one the reader chose, or null where the
 * browser has no such autofill. Throws when it is cancelled.
 */
export async function offerPasskeys(): Promise<Answer | null> {
  if (!passkeysPossible() || !(await browserSupportsWebAuthnAutofill())) return null;
  return askPasskey(true);
}

const withoutPasskey = [
  // The reader cancelled, or waited too long.
  "NotAllowedError",
  // The page ended it.
  "AbortError",
  // The device keeps no passkeys, as Chromium says of one without a place for them.
  "NotSupportedError",
  // The device cannot check who holds it.
  "ConstraintError",
];

/** Whether the browser was asked for a passkey and has none to give, with nothing broken. */
export function hasNoPasskey(error: unknown): boolean {
  return error instanceof Error && withoutPasskey.includes(error.name);
}

/** Why the reader's passkey did not work. Reports what is broken. Requires the texts of `security` and `forms`. */
export function passkeyFailure(error: unknown): Said {
  if (!(error instanceof Error)) return failureText(error, { login_failed: () => t("security.passkey.failed") });
  if (!hasNoPasskey(error)) reportError("page", error);
  return () => t("security.passkey.none");
}

/** Why the browser made no passkey. Reports what is broken. Requires the texts of `security`. */
export function newPasskeyFailure(error: Error): Said {
  if (error.name === "InvalidStateError") return () => t("security.passkeys.known");
  if (!hasNoPasskey(error)) reportError("page", error);
  return () => t("security.passkeys.notMade");
}

/** Ends what waits for the reader's choice. */
export function cancelPasskeys() {
  WebAuthnAbortService.cancelCeremony();
}

/** Makes a passkey on this device or a security key, and stores it under the name. */
export async function makePasskey(name: string): Promise<RecoveryCodes> {
  const options = await api.newPasskey();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const passkey = (await startRegistration({ optionsJSON })) as unknown as Answer;
  return api.addPasskey({ name, passkey });
}
