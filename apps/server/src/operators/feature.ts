import type { Feature } from "../feature.ts";
import type { OperatorAccess } from "./access.ts";
import { deskLogInRoutes, deskRoutes } from "./deskRoutes.ts";
import { operatorRoutes } from "./routes.ts";

/** Creates the feature for named operators and their log-ins at the desk. */
export function createOperatorFeature(access: OperatorAccess): Feature {
  return {
    routes: [operatorRoutes(access), deskLogInRoutes(access), deskRoutes(access)],
    async deleteExpired() {
      await access.named.deleteExpired();
      await access.desk.deleteExpired();
    },
  };
}
