import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import type { Keys } from "../keys.ts";
import { deleteOldActs, type OperatorAccess } from "../operators/access.ts";
import { publicLogRoutes, restoreRoutes } from "./routes.ts";
import { growTree, type LogKey } from "./tree.ts";
import type { LogWriter } from "./writer.ts";

export interface PublicLogParts {
  db: Database;
  keys: Keys;
  key: LogKey;
  writer: LogWriter;
  /** Null if this instance has no operator's token. */
  access: OperatorAccess | null;
  log: Pick<Logger, "error">;
  everyMs?: number;
}

const EVERY_MS = 1_000;

/** Publishes the log, and moves what was written into its tree every second. */
export function createPublicLogFeature({
  db,
  keys,
  key,
  writer,
  access,
  log,
  everyMs = EVERY_MS,
}: PublicLogParts): Feature {
  let timer: NodeJS.Timeout | undefined;
  let growing: Promise<void> = Promise.resolve();
  /** The last failure, so that one that stays is logged once. */
  let failure: string | null = null;

  async function grow(): Promise<void> {
    try {
      while ((await growTree(db, keys, key)) > 0);
      failure = null;
    } catch (error) {
      db.noteFailure(error);
      if (String(error) !== failure) log.error({ err: error }, "the public log cannot be continued; it is tried again");
      failure = String(error);
    }
  }

  return {
    routes: [publicLogRoutes(db, key), ...(access === null ? [] : [restoreRoutes({ db, writer, access })])],
    troubles: () =>
      failure === null
        ? []
        : [
            {
              part: "public log",
              reason: "not_continued",
              note: `New entries of the public log wait: ${failure}. docs/operators/accountability.md says what to do.`,
            },
          ],
    deleteExpired: () => deleteOldActs(db, Date.now()),
    start() {
      growing = grow();
      let isGrowing = false;
      timer = setInterval(() => {
        if (isGrowing) return;
        isGrowing = true;
        growing = grow().finally(() => {
          isGrowing = false;
        });
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await growing;
    },
  };
}
