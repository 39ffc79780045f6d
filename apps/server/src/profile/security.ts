import type { Security } from "@aqua/sdk/api/security";
import { factorState } from "../account/factors.ts";
import { passkeysPossible } from "../account/passkeyCeremony.ts";
import { type ActiveSession, confirmedUntil } from "../account/sessions.ts";
import type { Orm } from "../db/database.ts";
import { shownSwitch } from "../records/switches.ts";

/** The protection of the account of this session. @param publicUrl origin of the instance */
export async function readSecurity(orm: Orm, session: ActiveSession, publicUrl: string): Promise<Security> {
  const { accountId } = session;
  const { passkeys, totp, recoveryCodes } = await factorState(orm, accountId);
  const secondFactor = passkeys.length > 0 || totp !== null;
  return {
    confirmed_until: confirmedUntil(session, secondFactor),
    second_factor: secondFactor,
    passkeys_possible: passkeysPossible(publicUrl),
    passkeys,
    totp,
    recovery_codes: recoveryCodes,
    pending_switch: await shownSwitch(orm, accountId, publicUrl),
  };
}
