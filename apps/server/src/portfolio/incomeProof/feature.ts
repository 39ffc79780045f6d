import type { Feature } from "../../feature.ts";
import { incomeProofRoutes } from "./routes.ts";
import { createIncomeProofService } from "./service.ts";

/** Creates the feature that proves what a wallet's units earned in a month. */
export function createIncomeProofFeature(parts: Parameters<typeof createIncomeProofService>[0]): Feature {
  return { routes: [incomeProofRoutes(createIncomeProofService(parts))] };
}
