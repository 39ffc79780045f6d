import type { Orm } from "../db/database.ts";
import { type ContentOf, defineMail } from "../mail/definition.ts";
import { mailFormat } from "../mail/format.ts";
import { expiryStage, FIRST_EXPIRY_STAGE, type Notice } from "./notice.ts";
import { expiringIdentities } from "./store.ts";

export const verificationMails = {
  identity_expires: defineMail<{ date: string; path: string }>({ action: "identity_expires.action" }),
};
type VerificationNotice = Notice<ContentOf<typeof verificationMails>>;

/** Notifies verified accounts 30 and 7 days before their verification ends. @param now Unix milliseconds */
export async function verification(orm: Orm, now: number): Promise<VerificationNotice[]> {
  const ending = await expiringIdentities(orm, { from: now, to: now + FIRST_EXPIRY_STAGE * 1_000 });
  return ending.flatMap(({ accountId, until }): VerificationNotice[] => {
    const days = expiryStage((until - now) / 1_000);
    if (days === null) return [];
    return [
      {
        accountId,
        kind: "verification",
        key: `verification${days}:${until}`,
        compose: (language) => ({
          kind: "identity_expires",
          path: "/account",
          date: mailFormat(language).date(until),
        }),
      },
    ];
  });
}
