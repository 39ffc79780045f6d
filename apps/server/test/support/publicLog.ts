import { rootOfLeaves } from "@aqua/sdk/proofs/log/tree";
import type { Hex } from "viem";
import type { Database } from "../../src/db/database.ts";
import type { Keys } from "../../src/keys.ts";
import { createLimits } from "../../src/limits/limits.ts";
import type { OperatorAccess } from "../../src/operators/access.ts";
import { createDesk } from "../../src/operators/desk.ts";
import { createOperators } from "../../src/operators/service.ts";
import { openLog } from "../../src/publicLog/open.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";

/** The origin of the log in tests. */
export const LOG_ORIGIN = "aqua.example/log";

/** Lets operators in by their token, and what they change by the signature of one of `operators`, if there are any. */
export function operatorAccess(
  db: Database,
  keys: Keys,
  { token, operators = [], fourEyes = [] }: { token: string; operators?: readonly Hex[]; fourEyes?: readonly string[] },
): OperatorAccess {
  const named = createOperators({ db, keys, writer: createLogWriter(keys) });
  const desk = createDesk({ db, keys, named, publicUrl: "https://aqua.example" });
  return { db, limits: createLimits(db, keys), token, operators, origin: LOG_ORIGIN, named, desk, fourEyes };
}

/** Opens the public log of these tables, and returns what the audit needs. */
export async function publicLogOf(db: Database, keys: Keys, operators: readonly Hex[] = []) {
  const writer = createLogWriter(keys);
  const key = await openLog(db, { keys, writer, publicUrl: "https://aqua.example", operators });
  return { keys, key, writer, seen: { size: 0, root: rootOfLeaves([]) } };
}
