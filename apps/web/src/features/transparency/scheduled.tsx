import type { ScheduledCall, TransparencySummary } from "@aqua/sdk/api/transparency";
import { formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { explorerOf } from "../products/product-labels.ts";
import { callText } from "./call-text.ts";
import { roleName } from "./role-name.ts";

/** The roles that an account has now, as text. Empty if it has none. */
function rolesOf({ roles }: TransparencySummary, { caller, chain_id }: ScheduledCall): string {
  return roles
    .filter((role) => role.chain_id === chain_id && role.members.some(({ address }) => address === caller))
    .map(({ id, label }) => roleName(id, label))
    .join(", ");
}

/** The guardian cannot cancel a call that changes the AccessManager itself, such as removing the guardian's role. */
function canGuardianCancel({ contracts }: TransparencySummary, { chain_id, target }: ScheduledCall): boolean {
  return !contracts.some(
    ({ role, chain_id: chain, address }) =>
      role === "access_manager" && chain === chain_id && address.toLowerCase() === target.toLowerCase(),
  );
}

/**
 * Lists announced calls that have not been executed: the effect, the caller, the earliest time, and whether the
 * guardian can cancel it. Shows one product, or all products and their contracts.
 */
export function Scheduled({ summary, shortId = null }: { summary: TransparencySummary; shortId?: string | null }) {
  const rows = summary.scheduled.filter(({ short_id }) => shortId === null || short_id === shortId);
  const columns: Column<ScheduledCall>[] = [
    {
      key: "what",
      title: t("transparency.scheduled.what"),
      lead: true,
      render: (row) => (
        <span className="block font-normal">
          {callText(row, { ...row, summary })}
          {shortId === null && (
            <span className="block text-12 text-muted">
              {summary.reserves.find((product) => product.short_id === row.short_id)?.name}
            </span>
          )}
        </span>
      ),
    },
    {
      key: "by",
      title: t("transparency.scheduled.by"),
      render: (row) => (
        <span>
          {rolesOf(summary, row)}{" "}
          <Address address={row.caller} what={t("products.address")} explorer={explorerOf(row.chain_id)} />
        </span>
      ),
    },
    {
      key: "from",
      title: t("transparency.scheduled.from"),
      render: (row) => (
        <span>
          {formatDateTime(row.possible_from)}
          <span className="block text-12 text-muted">
            {t("transparency.scheduled.until", { until: formatDateTime(row.possible_until) })}
          </span>
          <span className="block text-12 text-muted">
            {t(
              canGuardianCancel(summary, row) ? "transparency.scheduled.guardian" : "transparency.scheduled.noGuardian",
            )}
          </span>
        </span>
      ),
    },
  ];
  return (
    <section aria-label={t("transparency.scheduled")} className="panel">
      <div className="p-5">
        <h3 className="text-16">{t("transparency.scheduled")}</h3>
        <p className="mt-1 text-14 text-muted">
          {t(rows.length > 0 ? "transparency.scheduled.intro" : "transparency.scheduled.none")}
        </p>
      </div>
      {rows.length > 0 && (
        <Table
          caption={t("transparency.scheduled")}
          columns={columns}
          rows={rows}
          rowKey={(row) => `${row.chain_id}-${row.operation}-${row.nonce}`}
        />
      )}
    </section>
  );
}
