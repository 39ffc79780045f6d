import { z } from "zod";
import { languageCodes } from "../languages.ts";
import { legalNames } from "./rules.ts";

export const legalParams = z.object({ name: z.enum(legalNames) });
export const legalQuery = z.object({ lang: z.enum(languageCodes).default("en-US") });

/** A text of the operator: terms, privacy, imprint or contact. */
export const legalText = z.object({
  name: z.enum(legalNames),
  /** The language of `text`: the requested one, or English if the operator has no text in it. */
  language: z.enum(languageCodes),
  /** Markdown. Show it without HTML, because its content is not checked. */
  text: z.string(),
});
export type LegalText = z.infer<typeof legalText>;
