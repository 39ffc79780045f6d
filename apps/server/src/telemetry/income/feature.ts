import type { Feature } from "../../feature.ts";
import { incomeRoutes } from "./routes.ts";
import { createIncomeService } from "./service.ts";

/** Creates the feature that compares reported income with the readings. */
export function createIncomeFeature(parts: Parameters<typeof createIncomeService>[0]): Feature {
  return { routes: [incomeRoutes(createIncomeService(parts))] };
}
