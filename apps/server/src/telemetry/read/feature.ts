import type { Feature } from "../../feature.ts";
import { telemetryReadRoutes } from "./routes.ts";
import { createTelemetryReader } from "./service.ts";

/** Creates the feature that publishes devices, their measurements and their quality. */
export function createReadingsFeature(parts: Parameters<typeof createTelemetryReader>[0]): Feature {
  return { routes: [telemetryReadRoutes(createTelemetryReader(parts))] };
}
