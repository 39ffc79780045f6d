import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

export interface SecuritySettings {
  publicUrl: string;
  walletConnectProjectId: string | null;
}

/** Security headers of every answer, pages and API alike. */
export async function registerSecurity(app: FastifyInstance, settings: SecuritySettings): Promise<void> {
  const relay = settings.walletConnectProjectId === null ? [] : ["wss://relay.walletconnect.org"];
  await app.register(helmet, {
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
        baseUri: ["'self'"],
        formAction: ["'self'"],
      },
    },
    // A browser that once heard this from http://localhost would refuse every other local server.
    strictTransportSecurity: settings.publicUrl.startsWith("https:")
      ? { maxAge: 31_536_000, includeSubDomains: false }
      : false,
    referrerPolicy: { policy: "same-origin" },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    xFrameOptions: { action: "deny" },
  });
  app.addHook("onRequest", async (_request, reply) => {
    reply.header(
      "permissions-policy",
      "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
    );
  });
}

/** Answers are for the moment and for who asked: no cache keeps them, unless a route says that its own may be kept. */
export function registerNoStore(app: FastifyInstance): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store");
  });
}
