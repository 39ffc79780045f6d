import { z } from "zod";
import type { Keys } from "../keys.ts";

const shape = z.object({ sealed: z.base64() });

/** A payload whose values a dump of the database does not show: codes, addresses. `kind`: that of the job. */
export function sealPayload(keys: Keys, kind: string, payload: unknown): { sealed: string } {
  const content = Buffer.from(JSON.stringify(payload));
  return { sealed: Buffer.from(keys.seal("job", content, kind)).toString("base64") };
}

/** What `sealPayload` sealed for a job of this kind. @throws when the instance's secret is another by now */
export function openPayload(keys: Keys, kind: string, payload: unknown): unknown {
  const { sealed } = shape.parse(payload);
  return JSON.parse(Buffer.from(keys.open("job", Buffer.from(sealed, "base64"), kind)).toString());
}
