import { envelope } from "@aqua/sdk/api/envelope";
import { legalParams, legalQuery, legalText } from "@aqua/sdk/api/legal";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ApiError } from "../errors.ts";
import type { LegalTexts } from "./texts.ts";

/** GET legal/{name}: a text that the operator publishes about this site, as Markdown. */
export function legalRoutes(texts: LegalTexts): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/legal/:name",
      {
        schema: {
          summary: "The operator's terms, privacy text, imprint or contact, as Markdown; not_found where there is none",
          tags: ["operator's texts"],
          params: legalParams,
          querystring: legalQuery,
          response: { 200: envelope(legalText) },
        },
      },
      async ({ params: { name }, query: { lang } }) => {
        const data = await texts.read(name, lang);
        if (data === null) throw new ApiError("not_found", "The operator of this site has not published this");
        return { data };
      },
    );
  };
}
