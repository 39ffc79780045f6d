import type { Notifications, notificationsBody, Unsubscription } from "@aqua/sdk/api/notices";
import type { z } from "zod";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import { preferencesOf, readNotifications, setNotifications } from "./preferences.ts";
import { readUnsubscribeToken, type Unsubscribing } from "./unsubscribe.ts";

export interface NotificationService {
  show(accountId: string): Promise<Notifications>;
  change(accountId: string, body: z.output<typeof notificationsBody>): Promise<Notifications>;
  /**
   * The kind of mail that a link stops, and whether it is still sent. @throws ApiError not_found for a link that is not
   * ours
   */
  showLink(token: string): Promise<Unsubscription>;
  /** Stops the kind of mail. Stopping it again succeeds too. @throws ApiError not_found for a link that is not ours */
  unsubscribe(token: string): Promise<Unsubscription>;
}

/** The notices of an account, changed with a session or by the link in a mail. */
export function createNotificationService(parts: {
  db: Database;
  keys: Keys;
  writer: LogWriter;
  now?: () => number;
}): NotificationService {
  const { db, keys, writer, now = Date.now } = parts;
  const opened = (token: string): Unsubscribing => {
    const link = readUnsubscribeToken(keys, token);
    if (link === null) throw unknownLink();
    return link;
  };
  return {
    show: (accountId) => readNotifications(db.orm, accountId),
    async change(accountId, body) {
      await db.transaction((tx) => setNotifications(tx, accountId, { ...body, now: now(), writer }));
      return readNotifications(db.orm, accountId);
    },
    async showLink(token) {
      const { accountId, kind } = opened(token);
      const isOn = await preferencesOf(db.orm, [accountId]);
      return { kind, on: isOn(accountId, kind) };
    },
    async unsubscribe(token) {
      const { accountId, kind } = opened(token);
      const kinds = { [kind]: false };
      const changed = await db.transaction((tx) => setNotifications(tx, accountId, { kinds, now: now(), writer }));
      if (!changed) throw unknownLink();
      return { kind, on: false };
    },
  };
}

function unknownLink(): ApiError {
  return new ApiError("not_found", "This link is not valid; use the one in the newest e-mail, or log in");
}
