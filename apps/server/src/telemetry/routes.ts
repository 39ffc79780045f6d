import { envelope } from "@aqua/sdk/api/envelope";
import { telemetryAnswer, telemetryBody } from "@aqua/sdk/api/telemetry";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ServerBusy } from "../errors.ts";
import { isTooDeep, tooDeep } from "../jsonDepth.ts";
import { Busy, type Ingest } from "./ingest.ts";

export interface TelemetryRoutesParts {
  ingest: Ingest;
  /** Calls a minute from one address. */
  perMinute: number;
  onBusy(): void;
}

const BODY_MAX = 1024 * 1024;

/** POST telemetry: for devices and gateways. The signature of each reading is all the credential there is. */
export function telemetryRoutes({ ingest, perMinute, onBusy }: TelemetryRoutesParts): FastifyPluginAsyncZod {
  return async (app) => {
    // What elsewhere refuses a body as a whole is here one bad reading, which must take no other with it.
    const parse = app.getDefaultJsonParser("ignore", "ignore");
    app.removeContentTypeParser("application/json");
    app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
      if (isTooDeep(body)) done(tooDeep(), undefined);
      else parse(request, body, done);
    });
    app.post(
      "/telemetry",
      {
        bodyLimit: BODY_MAX,
        // Many devices speak through one gateway: they are counted apart from people.
        config: { rateLimit: { max: perMinute, timeWindow: 60_000, groupId: "telemetry" } },
        schema: {
          summary: "Signed readings of devices",
          description:
            "At most 500. Answers when they are stored for good; each is judged by itself. 503 with Retry-After says that " +
            "nothing of the call was taken and it should be sent again.",
          tags: ["telemetry"],
          body: telemetryBody,
          response: { 200: envelope(telemetryAnswer) },
        },
      },
      async ({ body }) => {
        try {
          return { data: await ingest.take(body.readings, { via: "http" }) };
        } catch (error) {
          if (!(error instanceof Busy)) throw error;
          onBusy();
          // Not the caller's fault, as 429 would have it.
          throw new ServerBusy("Too many readings wait; send these again in a moment");
        }
      },
    );
  };
}
