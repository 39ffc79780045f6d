import type { DemandDetail } from "@aqua/sdk/api/product";
import { previewRedeem } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import type { ComponentType } from "react";
import { t } from "../../../i18n/i18n.ts";
import { depositObstacle, type Obstacle, withdrawalObstacle } from "../eligibility/eligibility.ts";
import { useActionContext } from "../eligibility/use-action-context.tsx";
import { PanelFrame } from "../form/panel-frame.tsx";
import { termsOf } from "../form/product-terms.ts";
import { useDrafts } from "../form/use-draft.ts";
import { usePanelTab, useRequestedTabFocus } from "../form/use-panel-tab.ts";
import { useRestoredFocus } from "../form/use-restored-focus.ts";
import { Progress } from "../progress/progress.tsx";
import { DepositForm } from "./deposit-form.tsx";
import type { FormProps } from "./form-props.ts";
import { poolOfProduct } from "./preview.ts";
import { QueueClaim } from "./queue-claim.tsx";
import { usePosition } from "./use-position.ts";
import { WithdrawForm } from "./withdraw-form.tsx";

export interface ActionPanelProps {
  product: DemandDetail;
}

type Tab = "deposit" | "withdraw";
const tabs = { deposit: "deposit", withdraw: "withdraw" } as const;

/** Deposit and Withdraw forms for one product, with a preview of the result. */
export default function ActionPanel({ product }: ActionPanelProps) {
  const [tab, setTab] = usePanelTab<Tab>(tabs);
  const { wallet, now, visitor, action, notice } = useActionContext(product);
  const drafts = useDrafts(product.short_id);
  const read = usePosition(product, wallet.address);

  const position = read.data ?? null;
  const circumstances = {
    product,
    wallet,
    position: position ?? (read.isError ? ("error" as const) : null),
    visitor,
    now,
  };
  const pool = poolOfProduct(product, position);

  const obstacles = { deposit: depositObstacle(circumstances), withdraw: withdrawalObstacle(circumstances) };
  const { section, expectFocus } = useRestoredFocus(obstacles[tab]?.code ?? null);
  useRequestedTabFocus(section);

  const terms = termsOf(product);
  /** Without a pool, the API withholds the figures and no wallet has read them yet: there is nothing to preview. */
  const panelOf = (Form: ComponentType<FormProps>, found: Obstacle | null) => {
    const obstacle = notice(found, read.refetch, expectFocus);
    if (pool === null) return obstacle;
    return <Form {...{ product, terms, owner: wallet.address, position, pool, action, drafts, obstacle }} />;
  };

  return (
    <PanelFrame<Tab>
      section={section}
      label={t("products.action.open")}
      tab={tab}
      onTab={setTab}
      tabs={[
        { value: "deposit", label: t("transact.deposit"), panel: panelOf(DepositForm, obstacles.deposit) },
        {
          value: "withdraw",
          label: t("transact.withdraw"),
          panel: panelOf(WithdrawForm, obstacles.withdraw),
        },
      ]}
      above={<QueueClaim product={product} />}
      below={
        <div className="px-5 pb-5 not-has-[[data-testid=action-progress]>*]:hidden">
          <Progress
            action={action}
            product={product}
            position={
              position &&
              pool && {
                value: formatUnits(previewRedeem(position.shares, pool.pool), product.asset.decimals),
                block: position.block,
              }
            }
          />
        </div>
      }
    />
  );
}
