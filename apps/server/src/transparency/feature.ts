import type { Feature } from "../feature.ts";
import { transparencyRoutes } from "./routes.ts";
import { createTransparencyService } from "./service.ts";

/** Reserves, roles and acts of all products. */
export function createTransparencyFeature(parts: Parameters<typeof createTransparencyService>[0]): Feature {
  return { routes: [transparencyRoutes(createTransparencyService(parts))] };
}
