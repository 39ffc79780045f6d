import { confirmationMs, type Security } from "@aqua/sdk/api/security";
import { factorState } from "../account/factors.ts";
import { passkeysPossible } from "../account/passkeys.ts";
import type { ActiveSession } from "../account/sessions.ts";
import type { Orm } from "../db/database.ts";
import { shownSwitch } from "../records/switches.ts";

/** What protects the account of this session. @param publicUrl origin of the instance */
export async function readSecurity(
  orm: Orm,
  { accountId, confirmedTime }: ActiveSession,
  publicUrl: string,
): Promise<Security> {
  const { passkeys, totp, recoveryCodes } = await factorState(orm, accountId);
  const until = confirmedTime + confirmationMs;
  return {
    confirmed_until: until > Date.now() ? until : null,
    second_factor: passkeys.length > 0 || totp !== null,
    passkeys_possible: passkeysPossible(publicUrl),
    passkeys,
    totp,
    recovery_codes: recoveryCodes,
    pending_switch: await shownSwitch(orm, accountId, publicUrl),
  };
}
