import { t } from "../../i18n/i18n.ts";

const knownRoles = [
  "admin",
  "owner",
  "guardian",
  "attester",
  "reporter",
  "treasurer",
  "anchorer",
  "registrar",
  "confirmer",
  "editor",
] as const;
type KnownRole = (typeof knownRoles)[number];

/**
 * Identifies one of our roles by its label on chain. Role 0 is the AccessManager's own admin role. Null for an unknown
 * role.
 */
export function knownRole(id: string, label: string | null): KnownRole | null {
  if (id === "0") return "admin";
  return knownRoles.find((role) => role === label?.toLowerCase()) ?? null;
}

/**
 * The name of a role in the reader's language. An unknown role is shown by its label on chain or, without a label, by
 * its number.
 */
export function roleName(id: string, label: string | null): string {
  const role = knownRole(id, label);
  return role ? t(`transparency.role.${role}`) : (label ?? t("transparency.role.number", { id }));
}
