import type { Feature } from "../../feature.ts";
import { incomeRoutes } from "./routes.ts";
import { createIncomeService } from "./service.ts";

/** Income as the readings have it, beside what was reported. */
export function createIncomeFeature(parts: Parameters<typeof createIncomeService>[0]): Feature {
  return { routes: [incomeRoutes(createIncomeService(parts))] };
}
