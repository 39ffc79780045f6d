import type { ErrorBody } from "@aqua/sdk/api/envelope";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { isDiskFull } from "../db/database.ts";
import { ApiError, DatabaseUnavailable, isDatabaseAway } from "../errors.ts";

/** Sends a refusal in the shape of the API. Logs an unexpected error and leaves its text out of the answer. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error as FastifyError);
  // The database itself is logged once for all queries that fail because it does not answer.
  const isKnown = refusal instanceof DatabaseUnavailable;
  if ((refusal.code === "internal_error" && !isKnown) || refusal.code === "storage_full")
    request.log.error({ err: error }, "request failed");
  const body: ErrorBody = {
    error_code: refusal.code,
    message: refusal.message,
    ...(refusal.details ? { details: refusal.details } : {}),
    ...(refusal.retryAfter === undefined ? {} : { retry_after: refusal.retryAfter }),
    request_id: request.id,
  };
  if (refusal.retryAfter !== undefined) reply.header("retry-after", String(refusal.retryAfter));
  // Serialised here: the schemas of a route describe its success, and a refusal must not depend on them.
  return reply
    .code(refusal.statusCode)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .serializer((value: unknown) => JSON.stringify(value))
    .send(body);
}

export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendError);
}

/** Rejects all other requests to a process without the role `web`. */
export function registerNoWeb(app: FastifyInstance, roles: readonly string[]): void {
  const message = `This process serves neither web app nor API: its ROLES are ${roles.join(", ")}`;
  app.setNotFoundHandler(async (request, reply) => sendError(new ApiError("not_found", message), request, reply));
}

const DISK_FULL_RETRY_S = 60;

function refusalOf(error: FastifyError): ApiError {
  if (error instanceof ApiError) return error;
  if (isDatabaseAway(error)) return new DatabaseUnavailable();
  if (isDiskFull(error)) {
    const message = "The server's disk is full, so nothing was stored; try again later";
    return new ApiError("storage_full", message, { retryAfter: DISK_FULL_RETRY_S });
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const details = error.validation.map(({ instancePath, message }) => ({
      path: instancePath.split("/").filter(Boolean).join("."),
      message: message ?? "Invalid value",
    }));
    return new ApiError("validation_error", details[0]?.message ?? "Invalid request", { details });
  }
  if (error.code === "FST_ERR_CTP_INVALID_JSON_BODY" || error.code === "FST_ERR_CTP_EMPTY_JSON_BODY") {
    return new ApiError("validation_error", "The body is not valid JSON");
  }
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new ApiError("validation_error", "The body must be JSON, with content-type application/json");
  }
  if (error.statusCode === 413) return new ApiError("payload_too_large", "The body is too large");
  if (error.statusCode === 404) return new ApiError("not_found", "Not found");
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ApiError("validation_error", "The request cannot be understood");
  }
  return new ApiError("internal_error", "Something went wrong on our side; try again in a moment");
}
