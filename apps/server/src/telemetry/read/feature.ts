import type { Feature } from "../../feature.ts";
import { telemetryReadRoutes } from "./routes.ts";
import { createTelemetryReader } from "./service.ts";

/** Devices, what they measured and how well they do, for everybody. */
export function createReadingsFeature(parts: Parameters<typeof createTelemetryReader>[0]): Feature {
  return { routes: [telemetryReadRoutes(createTelemetryReader(parts))] };
}
