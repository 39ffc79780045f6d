import type { Feature } from "../feature.ts";
import { type ProfileRouteParts, profileRoutes } from "./routes.ts";

/** Serves the data that an account's owner reads about it. */
export function createProfileFeature(parts: ProfileRouteParts): Feature {
  return { routes: [profileRoutes(parts)] };
}
