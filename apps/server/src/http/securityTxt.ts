import { DAY_MS } from "@aqua/sdk/durations";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Config } from "../config.ts";
import { ApiError } from "../errors.ts";

/**
 * RFC 9116 recommends an expiry within a year. Each answer sets its own, so the file is valid for as long as the
 * instance names a contact.
 */
const VALID_MS = 180 * DAY_MS;

/** GET /.well-known/security.txt (RFC 9116): where to report a vulnerability of this instance. */
export function registerSecurityTxt(
  app: FastifyInstance,
  { publicUrl, securityContacts }: Pick<Config, "publicUrl" | "securityContacts">,
  now: () => number = Date.now,
): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    "/.well-known/security.txt",
    {
      schema: {
        summary: "Whom to tell of a vulnerability; not_found where the operator has named nobody",
        tags: ["operations"],
        response: { 200: z.string() },
      },
    },
    async (_request, reply) => {
      // The file is valid only with a contact.
      if (securityContacts.length === 0) {
        throw new ApiError("not_found", "This instance names no contact: its operator has not set SECURITY_CONTACT");
      }
      reply.header("content-type", "text/plain; charset=utf-8");
      reply.header("cache-control", "public, max-age=86400");
      return [
        ...securityContacts.map((contact) => `Contact: ${contact}`),
        `Expires: ${new Date(now() + VALID_MS).toISOString()}`,
        `Canonical: ${publicUrl}/.well-known/security.txt`,
        "",
      ].join("\n");
    },
  );
}
