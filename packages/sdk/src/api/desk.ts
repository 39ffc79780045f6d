import { z } from "zod";
import { HOUR_MS } from "../durations.ts";
import { passkeyAnswer } from "./auth.ts";
import { time } from "./envelope.ts";

// The calls of the desk at /operator. A named operator adds a passkey with their token, and logs in with it.

/** Milliseconds after which a log-in at the desk ends. */
export const deskSessionMs = 10 * HOUR_MS;

/** POST operator/desk/passkey. `only`: all other passkeys and log-ins of the operator end, as after a lost device. */
export const addDeskPasskeyBody = z.object({ passkey: passkeyAnswer, only: z.boolean().default(false) });
export const addedDeskPasskey = z.object({ name: z.string(), passkeys: z.number().int().positive() });
export type AddedDeskPasskey = z.infer<typeof addedDeskPasskey>;

/** POST operator/desk/login */
export const deskLogInBody = z.object({ passkey: passkeyAnswer });
/** The token is sent as bearer token of the operator's calls. It allows what the operator's scopes allow. */
export const deskLogIn = z.object({
  token: z.string(),
  expires_at: time,
  name: z.string(),
  scopes: z.array(z.string()),
});
export type DeskLogIn = z.infer<typeof deskLogIn>;

/** GET operator/desk */
export const deskState = z.object({
  name: z.string(),
  scopes: z.array(z.string()),
  /** End of this log-in. Null: the call was made with the operator's own token. */
  expires_at: time.nullable(),
  /** Each change needs the signature of an operator's key, so that the desk only reads. */
  signs: z.boolean(),
  /** Scopes whose changes need two operators. */
  four_eyes: z.array(z.string()),
});
export type DeskState = z.infer<typeof deskState>;

/** POST operator/desk/logout */
export const deskLoggedOut = z.object({ ended: z.boolean() });

export type AddDeskPasskeyBody = z.input<typeof addDeskPasskeyBody>;
export type DeskLogInBody = z.input<typeof deskLogInBody>;
