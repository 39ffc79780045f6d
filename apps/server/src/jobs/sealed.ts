import { sql } from "drizzle-orm";
import { z } from "zod";
import type { SealedColumn } from "../db/sealed.ts";
import type { Keys } from "../keys.ts";

const shape = z.object({ sealed: z.base64() });

/** A payload whose values a dump of the database does not show: codes, addresses. `kind`: that of the job. */
export function sealPayload(keys: Keys, kind: string, payload: unknown): { sealed: string } {
  const content = Buffer.from(JSON.stringify(payload));
  return { sealed: Buffer.from(keys.seal("job", content, kind)).toString("base64") };
}

/** What `sealPayload` sealed for a job of this kind. @throws when it was sealed with none of the instance's keys */
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
