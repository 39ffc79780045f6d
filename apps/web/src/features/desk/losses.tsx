import type { Reserves } from "@aqua/sdk/api/transparency";
import { formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { Answer } from "../transparency/query-state.tsx";
import { useTransparency } from "../transparency/summary.ts";
import { Command } from "./command.tsx";
import { commands } from "./commands.ts";

/** `ended`: the review is over and the loss of a demand deposit is final, but the answer is older than that. */
type Stage = NonNullable<Reserves["reviewed_loss"]>["stage"] | "ended";

interface Row {
  product: Reserves;
  loss: NonNullable<Reserves["reviewed_loss"]>;
  stage: Stage;
}

/** The losses of an answer as they are at `now`, those that end first at the top. */
function rowsOf(reserves: readonly Reserves[], now: number): Row[] {
  return reserves
    .flatMap((product): Row[] => {
      const { reviewed_loss: loss, type } = product;
      if (loss === null) return [];
      const over = type === "time_deposit" ? "unsettled" : "ended";
      return [{ product, loss, stage: loss.until > now ? loss.stage : over }];
    })
    .sort((a, b) => a.loss.until - b.loss.until);
}

/** The number of losses that a person can still reverse, confirm or settle. */
export function countPending(reserves: readonly Reserves[], now: number): number {
  return rowsOf(reserves, now).filter(({ stage }) => stage !== "ended").length;
}

function mayText(stage: Stage): string {
  if (stage === "ended") return "—";
  return stage === "reviewed" ? t("transparency.role.confirmer") : t("desk.losses.anyone");
}

const columns: () => Column<Row>[] = () => [
  { key: "product", title: t("products.tx.product"), lead: true, render: ({ product }) => product.name },
  {
    key: "loss",
    title: t("desk.losses.amount"),
    render: ({ product, loss }) => <Amount mono value={loss.amount} unit={product.symbol} />,
  },
  {
    key: "state",
    title: t("desk.state"),
    render: ({ loss, stage }) => t(`desk.losses.${stage}`, { until: formatDateTime(loss.until) }),
  },
  { key: "may", title: t("desk.losses.may"), render: ({ stage }) => mayText(stage) },
];

/** Losses that can be reversed or wait to be settled. That needs a key of the chain, so the desk shows the commands. */
export function Losses() {
  const now = useNow(60_000);
  return (
    <Section anchor="losses" title={t("desk.losses")} intro={t("desk.losses.intro")}>
      <div className="panel overflow-hidden">
        <Answer query={useTransparency()} failed={t("desk.losses.failed")} skeleton={<TableSkeleton rows={2} />}>
          {({ reserves }) => {
            const rows = rowsOf(reserves, now);
            return rows.length === 0 ? (
              <Empty title={t("desk.losses.none")} />
            ) : (
              <Table
                caption={t("desk.losses")}
                columns={columns()}
                rows={rows}
                rowKey={({ product }) => `${product.chain_id}-${product.short_id}`}
                detail={Decision}
              />
            );
          }}
        </Answer>
      </div>
    </Section>
  );
}

function Decision({ product, stage }: Row) {
  if (stage === "ended") return null;
  if (stage === "unsettled") return <Command line={commands.settleLoss(product)} does={t("desk.losses.settle")} />;
  return (
    <div className="flex flex-col gap-3">
      <Command line={commands.takeBackLoss(product)} does={t("desk.losses.takeBack")} />
      <Command line={commands.confirmLoss(product)} does={t("desk.losses.confirm")} />
    </div>
  );
}
