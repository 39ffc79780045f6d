import type { Config } from "../config.ts";
import type { Feature } from "../feature.ts";
import { legalRoutes } from "./routes.ts";
import { openLegalTexts } from "./texts.ts";

/** Serves the operator's terms, privacy text, imprint and contact. */
export function createLegalFeature({ legalDir }: Pick<Config, "legalDir">): Feature {
  return { routes: [legalRoutes(openLegalTexts(legalDir))] };
}
