import { createHash } from "node:crypto";
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";
import helmet, { type HelmetOptions } from "helmet";

export interface SecuritySettings {
  publicUrl: string;
  walletConnectProjectId: string | null;
}

/** Sets the security headers of every response, of pages and of the API. */
export async function registerSecurity(app: FastifyInstance, settings: SecuritySettings): Promise<void> {
  const relay = settings.walletConnectProjectId === null ? [] : ["wss://relay.walletconnect.org"];
  const headers = await headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The wallet kit writes two style tags of its own; scripts stay strict.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:"],
        connectSrc: ["'self'", ...relay],
        fontSrc: ["'self'"],
        frameSrc: ["'none'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
      },
    },
    // A browser that once got this header from http://localhost would refuse every other local server.
    strictTransportSecurity: settings.publicUrl.startsWith("https:")
      ? { maxAge: 31_536_000, includeSubDomains: false }
      : false,
    referrerPolicy: { policy: "same-origin" },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    xFrameOptions: { action: "deny" },
  });
  const all = { ...headers, "permissions-policy": permissions };
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(all);
    done();
  });
}

const SCRIPT_SOURCES = "script-src 'self'";

/**
 * Allows a page to run the scripts in the built index.html, by the hashes of their text. Scripts in the page's
 * content, which others write, are never allowed.
 */
export function allowScriptsOf(indexHtml: string, reply: FastifyReply): void {
  const policy = reply.getHeader("content-security-policy");
  if (typeof policy !== "string") return;
  const hashes = [...indexHtml.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, text = ""]) => ` 'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  reply.header("content-security-policy", policy.replace(SCRIPT_SOURCES, SCRIPT_SOURCES + hashes.join("")));
}

const IMAGE_SOURCES = "img-src 'self' data:";
const FRAME_SOURCES = "frame-src 'none'";

/**
 * Lets the desk of operators show a submitted document, which it has loaded with the operator's token, and keeps search
 * engines away from it.
 */
export function forDesk(reply: FastifyReply): void {
  const policy = reply.getHeader("content-security-policy");
  if (typeof policy !== "string") return;
  reply.header("x-robots-tag", "noindex");
  reply.header(
    "content-security-policy",
    policy.replace(IMAGE_SOURCES, `${IMAGE_SOURCES} blob:`).replace(FRAME_SOURCES, "frame-src blob:"),
  );
}

const permissions =
  "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()";

/**
 * Computes the headers that helmet sets once, because they are the same for every response. Computing them each time
 * took a quarter of the time of a cached response.
 */
async function headersOf(options: HelmetOptions): Promise<OutgoingHttpHeaders> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  await new Promise<void>((resolve, reject) => {
    helmet(options)(request, response, (error) => (error === undefined ? resolve() : reject(error)));
  });
  return response.getHeaders();
}

/**
 * Disables caching, because responses depend on the moment and the caller. A route may allow caching of its own
 * responses.
 */
export function registerNoStore(app: FastifyInstance): void {
  app.addHook("onRequest", (_request, reply, done) => {
    reply.header("cache-control", "no-store");
    done();
  });
}
