import type { Sessions } from "../account/sessions.ts";
import type { Config } from "../config.ts";
import type { Feature } from "../feature.ts";
import type { Once } from "../idempotency/once.ts";
import type { Limits } from "../limits/limits.ts";
import type { OperatorAccess } from "../operators/access.ts";
import { callbackRoutes } from "./callback.ts";
import { createDecisions, type DecisionParts } from "./decisions.ts";
import { operatorRoutes } from "./operator.ts";
import { type IdentityProvider, manualProvider } from "./provider.ts";
import { identityRoutes } from "./routes.ts";
import { createSandbox } from "./sandbox.ts";
import { createIdentityService, type IdentityParts } from "./service.ts";
import { deleteExpiredCallbacks } from "./store.ts";
import { createWebhook } from "./webhook.ts";

export interface IdentityFeatureParts extends DecisionParts, Omit<IdentityParts, "provider" | "sessions"> {
  config: Pick<Config, "identity" | "publicUrl">;
  limits: Limits;
  sessions: Sessions;
  once: Once;
  /** Null: there are no operator's calls. */
  access: OperatorAccess | null;
}

/** The identity check as configured by the settings. */
export function createIdentityFeature({ config, sessions, once, access, ...parts }: IdentityFeatureParts): Feature {
  const decisions = createDecisions(parts);
  const provider = providerOf();
  const service = createIdentityService({ ...parts, sessions, provider });
  const { identity } = config;
  return {
    routes: [
      identityRoutes(service, sessions, once),
      ...(access === null ? [] : [operatorRoutes({ ...parts, decisions, access })]),
      ...(identity.provider === "webhook" ? [callbackRoutes(decisions, identity.secret)] : []),
    ],
    jobs: { ...decisions.handlers, ...provider.handlers },
    deleteExpired: () => deleteExpiredCallbacks(parts.db.orm),
  };

  function providerOf(): IdentityProvider {
    const { identity, publicUrl } = config;
    switch (identity.provider) {
      case "manual":
        return manualProvider;
      case "sandbox":
        return createSandbox({ ...parts, decisions });
      case "webhook":
        return createWebhook({ ...parts, url: identity.url, secret: identity.secret, publicUrl });
    }
  }
}
