import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { ErrorBody } from "@aqua/sdk/api/envelope";
import { MINUTE_MS } from "@aqua/sdk/durations";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../errors.ts";
import { networksOf } from "../limits/network.ts";
import { createPlaces, type PlaceLimits } from "../limits/places.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Milliseconds in which a caller must send the body of a request to this route, up to `MAX_BODY_MS`. */
    bodyTimeout?: number;
  }
}

export interface ConnectionLimits {
  /** Open connections. */
  connections: PlaceLimits;
  /** Requests whose body has not arrived in full. */
  unfinished: PlaceLimits;
  /** Milliseconds for a body on routes without their own value. */
  bodyMs: number;
}
const defaultLimits: ConnectionLimits = {
  connections: { perNetwork: 256, perSite: 1_024 },
  unfinished: { perNetwork: 50, perSite: 200 },
  bodyMs: 30_000,
};

/** Maximum milliseconds for a body on any route. */
export const MAX_BODY_MS = 10 * MINUTE_MS;

/**
 * Options that Fastify passes to Node's HTTP server. Node applies one time limit to all requests, so its limit is
 * that of the longest upload, and this module applies the shorter limits. Node checks every 30 s by default, which
 * would allow a caller twice its time.
 */
export const serverTimeouts = {
  requestTimeout: MAX_BODY_MS + 30_000,
  http: { headersTimeout: 30_000, connectionsCheckingInterval: 1_000 },
};

/**
 * Bounds the connections of callers and their requests whose bodies have not arrived. Both count by network and site
 * (`networksOf`). Behind trusted proxies every connection is a proxy's: the proxies must then bound connections, and
 * unfinished requests count by the address the proxies report.
 */
export function registerConnectionLimits(
  app: FastifyInstance,
  trustedProxies: number,
  limits: ConnectionLimits = defaultLimits,
): void {
  if (trustedProxies === 0) limitConnections(app, limits.connections);

  const unfinished = createPlaces(limits.unfinished);
  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    if (!announcesBody(raw)) return done();
    const end = unfinished.take(networksOf(request.ip));
    if (end === null) {
      // The server does not wait for the body. It closes the connection with the rejection.
      reply.header("connection", "close");
      const message = "Too many unfinished requests from this address";
      return done(new ApiError("too_many_requests", message, { retryAfter: 1, limit: "unfinished" }));
    }
    const ms = Math.min(request.routeOptions.config?.bodyTimeout ?? limits.bodyMs, MAX_BODY_MS);
    const timer = setTimeout(() => {
      // A request injected by a test has no socket to end.
      const live = raw.socket instanceof Socket;
      if (!raw.complete && live) app.server.emit("clientError", requestTimedOut(), raw.socket);
    }, ms).unref();
    const finish = () => {
      clearTimeout(timer);
      end();
    };
    raw.once("end", finish).once("close", finish);
    done();
  });
}

function limitConnections(app: FastifyInstance, limits: PlaceLimits): void {
  const open = createPlaces(limits);
  app.server.on("connection", (socket: Socket) => {
    const close = open.take(networksOf(socket.remoteAddress ?? ""));
    if (close === null) socket.destroy();
    else socket.once("close", close);
  });
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Responds in the shape of the API to data that never became a request: it arrived too late, or is not HTTP. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const late = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const body: ErrorBody = {
    error_code: "validation_error",
    message: late ? "The request did not arrive in time" : "The request cannot be understood",
    request_id: randomUUID(),
  };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${late ? "408 Request Timeout" : "400 Bad Request"}`,
    "connection: close",
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  if (socket.writable) socket.write(`${head.join("\r\n")}\r\n\r\n${text}`);
  socket.destroy(error);
}

/** The error that Node raises for its own time limit. */
function requestTimedOut(): Error {
  return Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
}
