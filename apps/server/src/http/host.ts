import { isIP } from "node:net";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../errors.ts";

/** Asked by probes under whatever name they know the machine by; nothing in them is anyone's. */
const PROBES = new Set(["/live", "/health", "/ready", "/metrics"]);

/**
 * Rejects requests under a foreign host name. A page of another site can point its own name at this machine (DNS
 * rebinding) and would then share an origin with the app. It cannot do so with an address, so any address is
 * accepted.
 */
export function registerHost(app: FastifyInstance, publicUrl: string, allowedHosts: readonly string[]): void {
  const allowed = new Set([new URL(publicUrl).hostname, "localhost", ...allowedHosts]);
  app.addHook("onRequest", (request, _reply, done) => {
    const name = request.hostname.toLowerCase();
    if (allowed.has(name) || isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0) return done();
    if (PROBES.has(request.url.split("?", 1)[0] ?? "")) return done();
    done(new ApiError("validation_error", "This server does not answer under that host name"));
  });
}
