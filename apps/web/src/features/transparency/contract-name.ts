import type { ProductDetail } from "@aqua/sdk/api/product";
import { t } from "../../i18n/i18n.ts";

const named = [
  "product",
  "asset",
  "queue",
  "custodian",
  "identity_registry",
  "product_registry",
  "access_manager",
  "telemetry_anchor",
] as const satisfies ProductDetail["contracts"][number]["role"][];

/** The text for a contract's role. An unknown role is shown as the server names it. */
export function contractName(role: string): string {
  const knownRole = named.find((name) => name === role);
  return knownRole ? t(`products.contract.${knownRole}`) : role;
}
