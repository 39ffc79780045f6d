import { sql } from "drizzle-orm";
import { z } from "zod";
import type { SealedColumn } from "../db/sealed.ts";
import type { Keys } from "../keys.ts";

const shape = z.object({ sealed: z.base64() });

/**
 * Encrypts a payload, so that a dump of the database does not reveal its values: codes, addresses. `kind` is the kind
 * of the job.
 */
export function sealPayload(keys: Keys, kind: string, payload: unknown): { sealed: string } {
  const content = Buffer.from(JSON.stringify(payload));
  return { sealed: Buffer.from(keys.seal("job", content, kind)).toString("base64") };
}

/**
 * Decrypts a payload that `sealPayload` encrypted for a job of this kind.
 * @throws if none of the instance's keys encrypted it
 */
export function openPayload(keys: Keys, kind: string, payload: unknown): unknown {
  const { sealed } = shape.parse(payload);
  return JSON.parse(Buffer.from(keys.open("job", Buffer.from(sealed, "base64"), kind)).toString());
}

export const sealedPayloads: SealedColumn = {
  purpose: "job",
  table: sql`job`,
  id: sql`id`,
  sealed: sql`decode(payload->>'sealed', 'base64')`,
  context: sql`kind`,
  set: (sealed) => sql`payload = jsonb_build_object('sealed', ${Buffer.from(sealed).toString("base64")}::text)`,
};
