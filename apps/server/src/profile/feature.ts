import type { Feature } from "../feature.ts";
import { type ProfileRouteParts, profileRoutes } from "./routes.ts";

/** What an account's owner reads of it. */
export function createProfileFeature(parts: ProfileRouteParts): Feature {
  return { routes: [profileRoutes(parts)] };
}
