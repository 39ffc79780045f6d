import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { ErrorBody } from "@aqua/sdk/api/envelope";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../errors.ts";
import { networkOf } from "../limits/network.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Milliseconds a caller may take to send the body of a request to this route, up to `MAX_BODY_MS`. */
    bodyTimeout?: number;
  }
}

export interface ConnectionLimits {
  /** Open connections of one network. */
  connections: number;
  /** Requests of one network whose body has not arrived in full. */
  unfinished: number;
  /** Milliseconds a body may take on routes that say nothing else. */
  bodyMs: number;
}
const defaultLimits: ConnectionLimits = { connections: 256, unfinished: 50, bodyMs: 30_000 };

/** Milliseconds a body may take on any route. */
export const MAX_BODY_MS = 10 * 60_000;

/**
 * What Fastify passes to Node's HTTP server. Node times all requests alike, so its own limit is that of the longest
 * upload and the shorter ones are timed here; it checks every 30 s by default, which would let a caller take twice its
 * time.
 */
export const serverTimeouts = {
  requestTimeout: MAX_BODY_MS + 30_000,
  http: { headersTimeout: 30_000, connectionsCheckingInterval: 1_000 },
};

/**
 * Bounds what callers hold open without asking for anything: connections, and requests whose bodies they do not send.
 * Both count by network (an IPv4 address, a /64 of IPv6). Behind trusted proxies every connection is a proxy's, so
 * connections are the proxy's to bound and unfinished requests count by the address the proxies report.
 */
export function registerConnectionLimits(
  app: FastifyInstance,
  trustedProxies: number,
  limits: ConnectionLimits = defaultLimits,
): void {
  if (trustedProxies === 0) limitConnections(app, limits.connections);

  const unfinished = createCounter();
  app.addHook("onRequest", async (request, reply) => {
    const { raw } = request;
    if (!announcesBody(raw)) return;
    const network = networkOf(request.ip);
    if (unfinished.of(network) >= limits.unfinished) {
      // The body is not waited for: the connection ends with the refusal.
      reply.header("connection", "close");
      throw new ApiError("too_many_requests", "Too many unfinished requests from this address", { retryAfter: 1 });
    }
    const ms = Math.min(request.routeOptions.config?.bodyTimeout ?? limits.bodyMs, MAX_BODY_MS);
    const end = unfinished.begin(network);
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
  });
}

function limitConnections(app: FastifyInstance, limit: number): void {
  const open = createCounter();
  app.server.on("connection", (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    if (open.of(network) >= limit) {
      socket.destroy();
      return;
    }
    socket.once("close", open.begin(network));
  });
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Answers in the shape of the API what never became a request: it came too late, or is no HTTP. */
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

/** As Node reports it for its own limit. */
function requestTimedOut(): Error {
  return Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
}

/** Counts what is under way by key; `begin` returns the function that ends one, which may be called more than once. */
function createCounter() {
  const counts = new Map<string, number>();
  return {
    of: (key: string) => counts.get(key) ?? 0,
    begin(key: string): () => void {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const left = (counts.get(key) ?? 1) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
  };
}
