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
import { failureText, type LazyText } from "./failure.ts";

type Answer = NonNullable<Factor["passkey"]>;

/** True if this browser can use passkeys at this address. Passkeys need a domain, over https or on this machine. */
export function passkeysPossible(): boolean {
  const { hostname } = location;
  return browserSupportsWebAuthn() && isSecureContext && !/^[\d.]+$|:/.test(hostname);
}

/** Asks the reader to choose a passkey of this site. Throws the browser's error if the reader cancels. */
export async function askPasskey(autofill = false): Promise<Answer> {
  const options = await api.passkeyOptions();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return (await startAuthentication({ optionsJSON, useBrowserAutofill: autofill })) as unknown as Answer;
}

export async function logInWithPasskey(): Promise<Session> {
  return api.passkeyLogIn({ passkey: await askPasskey() });
}

/**
 * Offers passkeys in the autofill of the e-mail field. Resolves to the passkey that the reader chose, or to null if
 * passkeys or their autofill are not available. Throws if it is cancelled.
 */
export async function offerPasskeys(): Promise<Answer | null> {
  if (!passkeysPossible() || !(await browserSupportsWebAuthnAutofill())) return null;
  return askPasskey(true);
}

const withoutPasskey = [
  // The reader cancelled or waited too long.
  "NotAllowedError",
  // The page aborted the request.
  "AbortError",
  // The device cannot store passkeys; Chromium reports this for a device without a place for them.
  "NotSupportedError",
  // The device cannot verify its user.
  "ConstraintError",
];

/** True if the browser asked for a passkey and none is available. This is no fault. */
export function hasNoPasskey(error: unknown): boolean {
  return error instanceof Error && withoutPasskey.includes(error.name);
}

/**
 * Explains why the reader's passkey did not work. Reports unexpected errors. Requires the texts of `security` and
 * `forms`.
 */
export function passkeyFailure(error: unknown): LazyText {
  if (!(error instanceof Error)) return failureText(error, { login_failed: () => t("security.passkey.failed") });
  if (!hasNoPasskey(error)) reportError("page", error);
  return () => t("security.passkey.none");
}

/** Explains why the browser created no passkey. Reports unexpected errors. Requires the texts of `security`. */
export function newPasskeyFailure(error: Error): LazyText {
  if (error.name === "InvalidStateError") return () => t("security.passkeys.known");
  if (!hasNoPasskey(error)) reportError("page", error);
  return () => t("security.passkeys.notMade");
}

/** Cancels a request that waits for the reader's choice. */
export function cancelPasskeys() {
  WebAuthnAbortService.cancelCeremony();
}

/** Creates a passkey on this device or a security key, and stores it under `name`. */
export async function makePasskey(name: string): Promise<RecoveryCodes> {
  const options = await api.newPasskey();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const passkey = (await startRegistration({ optionsJSON })) as unknown as Answer;
  return api.addPasskey({ name, passkey });
}
