import { envelope } from "@aqua/sdk/api/envelope";
import { telemetryAnswer, telemetryBody } from "@aqua/sdk/api/telemetry";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ServerBusy } from "../errors.ts";
import { isTooDeep, tooDeep } from "../jsonDepth.ts";
import { Busy, type Ingest } from "./ingest.ts";

export interface TelemetryRoutesParts {
  ingest: Ingest;
  /** Calls a minute from one network. */
  perMinute: number;
  onBusy(): void;
}

const BODY_MAX = 1024 * 1024;

/** POST telemetry: for devices and gateways. The signature of each reading is the only credential. */
export function telemetryRoutes({ ingest, perMinute, onBusy }: TelemetryRoutesParts): FastifyPluginAsyncZod {
  return async (app) => {
    // Other routes refuse such a body as a whole. Here it is one bad reading, which must not affect the others.
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
        // Many devices send through one gateway, so they have a limit of their own.
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
          // 503 and not 429, because the caller is not at fault.
          throw new ServerBusy("Too many readings wait; send these again in a moment", "readings");
        }
      },
    );
  };
}
