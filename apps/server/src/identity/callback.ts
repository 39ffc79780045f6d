import { envelope } from "@aqua/sdk/api/envelope";
import { reason } from "@aqua/sdk/api/operator";
import { shownText } from "@aqua/sdk/api/text";
import { YEAR_MS } from "@aqua/sdk/durations";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../errors.ts";
import { isTooDeep, tooDeep } from "../jsonDepth.ts";
import type { Decision, Decisions } from "./decisions.ts";
import { isSigned, SIGNATURE_AGE_MS, SIGNATURE_HEADER } from "./signing.ts";
import { consumeCallback } from "./store.ts";

const LONGEST_MS = 10 * YEAR_MS;

/**
 * The decision of an external provider about a case. `id` identifies the callback: if it is sent again, it counts once.
 */
const callbackBody = z.object({
  id: shownText.min(1).max(100),
  case_id: shownText.max(100),
  decision: z.enum(["verified", "rejected"]),
  /** Unix milliseconds. Default: a year from now. */
  valid_until: z.number().int().optional(),
  /** Shown to the person who submitted the case. */
  reason: reason.optional(),
});

/** POST identity/callback: receives the decisions of an external provider. */
export function callbackRoutes(decisions: Decisions, secret: string): FastifyPluginAsyncZod {
  return async (app) => {
    // The signature covers the bytes as received, so the body must not be parsed first.
    app.removeContentTypeParser("application/json");
    app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));
    app.post(
      "/identity/callback",
      {
        schema: {
          summary: "The decision of an outside identity provider, signed with the shared secret",
          tags: ["identity provider"],
          consumes: ["application/json"],
          response: { 200: envelope(z.object({})) },
        },
      },
      async ({ body, headers }) => {
        const text = typeof body === "string" ? body : "";
        if (!isSigned({ secret, body: text, header: String(headers[SIGNATURE_HEADER] ?? "") })) {
          throw new ApiError(
            "signature_invalid",
            `${SIGNATURE_HEADER} is not the signature of this body, or is too old`,
          );
        }
        const { id, case_id, ...rest } = parse(text);
        const first = (tx: Parameters<typeof consumeCallback>[0]) =>
          consumeCallback(tx, id, Date.now() + 2 * SIGNATURE_AGE_MS);
        await decisions.decide(case_id, decisionOf(rest), { first });
        return { data: {} };
      },
    );
  };
}

function parse(text: string): z.infer<typeof callbackBody> {
  if (isTooDeep(text)) throw tooDeep();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError("validation_error", "The body is not valid JSON");
  }
  const parsed = callbackBody.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new ApiError("validation_error", details[0]?.message ?? "Invalid callback", { details });
}

function decisionOf(body: Pick<z.infer<typeof callbackBody>, "decision" | "valid_until" | "reason">): Decision {
  const now = Date.now();
  const refuse = (path: string, message: string) =>
    new ApiError("validation_error", message, { details: [{ path, message }] });
  if (body.decision === "rejected") {
    if (body.reason === undefined) throw refuse("reason", "A rejection needs a reason");
    return { kind: "rejected", reason: body.reason };
  }
  const validUntil = body.valid_until ?? now + YEAR_MS;
  if (validUntil <= now || validUntil > now + LONGEST_MS) {
    throw refuse("valid_until", "valid_until must be within the next ten years, in Unix milliseconds");
  }
  return { kind: "verified", validUntil };
}
