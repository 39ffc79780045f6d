import type { ScheduledCall } from "@aqua/sdk/api/transparency";
import { formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { explorerOf } from "../products/product-labels.ts";
import { callText } from "../transparency/call-text.ts";
import { Answer } from "../transparency/query-state.tsx";
import { useTransparency } from "../transparency/summary.ts";
import { Command } from "./command.tsx";
import { commands } from "./commands.ts";

/** Announced acts that were not carried out yet. They need a key of the chain, so the desk shows the commands. */
export function Scheduled() {
  const query = useTransparency();
  return (
    <Section anchor="scheduled" title={t("desk.scheduled")} intro={t("desk.scheduled.intro")}>
      <div className="panel overflow-hidden">
        <Answer query={query} failed={t("desk.scheduled.failed")} skeleton={<TableSkeleton rows={2} />}>
          {(summary) => {
            const columns: Column<ScheduledCall>[] = [
              {
                key: "what",
                title: t("transparency.scheduled.what"),
                lead: true,
                render: (row) => (
                  <span className="block font-normal">
                    {callText(row, { ...row, summary })}
                    <span className="block text-12 text-muted">
                      {summary.reserves.find(({ short_id }) => short_id === row.short_id)?.name}
                    </span>
                  </span>
                ),
              },
              {
                key: "by",
                title: t("transparency.scheduled.by"),
                render: ({ caller, chain_id }) => (
                  <Address address={caller} what={t("products.address")} explorer={explorerOf(chain_id)} />
                ),
              },
              {
                key: "from",
                title: t("transparency.scheduled.from"),
                render: ({ possible_from, possible_until }) => (
                  <>
                    {formatDateTime(possible_from)}
                    <span className="block text-12 text-muted">
                      {t("transparency.scheduled.until", { until: formatDateTime(possible_until) })}
                    </span>
                  </>
                ),
              },
            ];
            return summary.scheduled.length === 0 ? (
              <Empty title={t("transparency.scheduled.none")} />
            ) : (
              <Table
                caption={t("desk.scheduled")}
                columns={columns}
                rows={summary.scheduled}
                rowKey={({ chain_id, operation, nonce }) => `${chain_id}-${operation}-${nonce}`}
                detail={({ short_id }) => short_id && <OfFile shortId={short_id} />}
              />
            );
          }}
        </Answer>
      </div>
    </Section>
  );
}

function OfFile({ shortId }: { shortId: string }) {
  return (
    <div className="flex flex-col gap-3">
      <Command line={commands.productStatus(shortId)} does={t("desk.scheduled.status")} />
      <Command line={commands.applyProduct(shortId)} does={t("desk.scheduled.apply")} />
    </div>
  );
}
