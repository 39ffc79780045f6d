import { z } from "zod";

/** Parts of the web app that have their own error boundary. */
export const clientParts = ["page", "wallet", "menu", "account", "version", "footer", "chat", "live"] as const;
export type ClientPart = (typeof clientParts)[number];

/** An error of the web app that a browser reports to the operator: POST client/error. */
export const clientErrorBody = z.object({
  part: z.enum(clientParts),
  message: z.string().max(500),
  stack: z.string().max(4_000),
  /** Path of the page, without its query. */
  path: z.string().max(200),
});
export type ClientErrorBody = z.infer<typeof clientErrorBody>;
