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

/** A role of ours by its label on chain; role 0 is the AccessManager's own. Null for an unknown role. */
export function knownRole(id: string, label: string | null): KnownRole | null {
  if (id === "0") return "admin";
  return knownRoles.find((role) => role === label?.toLowerCase()) ?? null;
}

/** The name of a role in the reader's language; for an unknown role its label on chain, else its number. */
export function roleName(id: string, label: string | null): string {
  const known = knownRole(id, label);
  return known ? t(`transparency.role.${known}`) : (label ?? t("transparency.role.number", { id }));
}
