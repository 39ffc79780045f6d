import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import { formatDate, formatDuration } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { chainName, explorerOf } from "../products/product-labels.ts";
import { knownRole, roleName } from "./role-name.ts";

type Role = TransparencySummary["roles"][number];

/** Shows who may do what, since when, and the delay before their scheduled calls take effect. */
export function Roles({ roles }: { roles: readonly Role[] }) {
  const chains = new Set(roles.map((role) => role.chain_id));
  const columns: Column<Role>[] = [
    {
      key: "role",
      title: t("transparency.role"),
      lead: true,
      render: (row) => (
        <>
          {roleName(row.id, row.label)}
          {chains.size > 1 && <span className="block text-12 font-normal text-muted">{chainName(row.chain_id)}</span>}
        </>
      ),
    },
    {
      key: "may",
      title: t("transparency.role.may"),
      render: (row) => {
        const role = knownRole(row.id, row.label);
        return <span className="text-muted">{role ? t(`transparency.may.${role}`) : "—"}</span>;
      },
    },
    {
      key: "members",
      title: t("transparency.role.members"),
      render: (row) =>
        row.members.length === 0 ? (
          <span className="text-muted">{t("transparency.role.nobody")}</span>
        ) : (
          <ul className="flex flex-col gap-2 rows:text-left">
            {row.members.map((member) => (
              <li key={member.address}>
                <Address address={member.address} what={t("products.address")} explorer={explorerOf(row.chain_id)} />
                <span className="block text-12 text-muted">
                  {t("transparency.role.since", { date: formatDate(member.since) })}
                  {" · "}
                  {member.delay === 0
                    ? t("transparency.role.noDelay")
                    : t("transparency.role.delay", { time: formatDuration(member.delay) })}
                </span>
              </li>
            ))}
          </ul>
        ),
    },
  ];
  return (
    <Table
      caption={t("transparency.roles")}
      columns={columns}
      rows={roles}
      rowKey={(row) => `${row.chain_id}-${row.id}`}
    />
  );
}
