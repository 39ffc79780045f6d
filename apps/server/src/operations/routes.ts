import { envelope } from "@aqua/sdk/api/envelope";
import { operatorStatus, retriedJobs, retryJobsBody } from "@aqua/sdk/api/operator";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { type OperatorAccess, operatorOnly } from "../operators/access.ts";
import type { OperationService } from "./service.ts";

/** The operator's calls about the running instance. */
export function operationRoutes(service: OperationService, access: OperatorAccess): FastifyPluginAsyncZod {
  return async (app) => {
    operatorOnly(app, access, "operations");
    app.get(
      "/operator/status",
      {
        schema: {
          summary: "What runs on this database, and what needs a person",
          tags: ["operator"],
          response: { 200: envelope(operatorStatus) },
        },
      },
      async () => ({ data: await service.status() }),
    );
    app.post(
      "/operator/jobs/retry",
      {
        schema: {
          summary: "Tries jobs again now that fail or were given up",
          description: "Of one id, of one kind, or all of them. A job that runs at this moment is left alone.",
          tags: ["operator"],
          body: retryJobsBody,
          response: { 200: envelope(retriedJobs) },
        },
      },
      async ({ body, act }) => ({ data: { retried: await service.retryJobs(body, act) } }),
    );
  };
}
