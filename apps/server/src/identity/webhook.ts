import type { Database } from "../db/database.ts";
import { enqueue } from "../jobs/store.ts";
import type { Keys } from "../keys.ts";
import type { IdentityProvider } from "./provider.ts";
import { SIGNATURE_HEADER, signatureOf } from "./signing.ts";
import { personOf, readCase, readDocument } from "./store.ts";

const KIND = "identity.webhook";
const ANSWER_WITHIN_MS = 20_000;

export interface WebhookParts {
  db: Database;
  keys: Keys;
  /** The address that receives submissions. */
  url: string;
  secret: string;
  /** Origin of this instance, to which decisions are sent. */
  publicUrl: string;
}

/**
 * Sends each submission, signed, to an external provider until the provider has accepted it. The decision arrives as a
 * callback.
 */
export function createWebhook({ db, keys, url, secret, publicUrl }: WebhookParts): IdentityProvider {
  return {
    name: "webhook",
    sandboxNames: [],
    submitted: (tx, caseId) => enqueue(tx, { kind: KIND, payload: { caseId } }),
    handlers: {
      async [KIND](payload, { signal }) {
        const row = await readCase(db.orm, (payload as { caseId: string }).caseId);
        if (row === null || row.status !== "pending") return;
        const document = await readDocument(db.orm, keys, row.id);
        if (document === null) return;
        const body = JSON.stringify({
          case_id: row.id,
          ...personOf(keys, row),
          country: row.country,
          document_kind: row.documentKind,
          document: { type: document.type, content: Buffer.from(document.content).toString("base64") },
          submitted_at: row.submitTime,
          callback_url: `${publicUrl}/api/v2/identity/callback`,
        });
        const response = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json", [SIGNATURE_HEADER]: signatureOf(secret, body) },
          body,
          redirect: "error",
          signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
        });
        await response.body?.cancel();
        if (!response.ok) throw new Error(`the identity provider answered ${response.status}`);
      },
    },
  };
}
