import type { Feature } from "../feature.ts";
import { transparencyRoutes } from "./routes.ts";
import { createTransparencyService } from "./service.ts";

export function createTransparencyFeature(parts: Parameters<typeof createTransparencyService>[0]): Feature {
  return { routes: [transparencyRoutes(createTransparencyService(parts))] };
}
