import { z } from "zod";
import { languageCodes } from "../languages.ts";
import { legalNames } from "./rules.ts";

export const legalParams = z.object({ name: z.enum(legalNames) });
export const legalQuery = z.object({ lang: z.enum(languageCodes).default("en-US") });

/** A text of the operator's: terms, privacy, imprint or contact. */
export const legalText = z.object({
  name: z.enum(legalNames),
  /** The language of `text`: the one asked for, or English where the operator has no other. */
  language: z.enum(languageCodes),
  /** Markdown. Show it without HTML: nothing in it is checked. */
  text: z.string(),
});
export type LegalText = z.infer<typeof legalText>;
