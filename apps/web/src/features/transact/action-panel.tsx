import type { DemandDetail } from "@aqua/sdk/api/product";
import { useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useWallet } from "../../wallet/store.ts";
import { useNetwork } from "../network.ts";
import { DepositForm } from "./deposit-form.tsx";
import { depositObstacle, type Obstacle, withdrawalObstacle } from "./eligibility.ts";
import type { FormProps } from "./form-props.ts";
import { ObstacleNotice } from "./obstacle.tsx";
import { poolOfProduct } from "./preview.ts";
import { Progress } from "./progress.tsx";
import { QueueClaim } from "./queue-claim.tsx";
import { termsOf } from "./terms.ts";
import { useAction } from "./use-action.ts";
import { useKeptFocus } from "./use-kept-focus.ts";
import { usePosition } from "./use-position.ts";
import { useVisitor } from "./use-visitor.ts";
import { WithdrawForm } from "./withdraw-form.tsx";

export interface ActionPanelProps {
  product: DemandDetail;
}

type Tab = "deposit" | "withdraw";

/** Deposit and Withdraw of one product, with the preview of what would happen. */
export function ActionPanel({ product }: ActionPanelProps) {
  const [tab, setTab] = useState<Tab>("deposit");
  const wallet = useWallet();
  const { data: network } = useNetwork();
  const now = useNow(10_000);
  const read = usePosition(product, wallet.address);
  const { visitor, refresh } = useVisitor();
  const action = useAction({
    scope: product.short_id,
    shortId: product.short_id,
    chainId: product.chain_id,
    address: wallet.address,
  });

  const position = read.data ?? null;
  const circumstances = {
    product,
    wallet,
    position: position ?? (read.isError ? ("error" as const) : null),
    visitor,
    now,
  };
  const indexed = poolOfProduct(product);
  // The chain itself is fresher than the index once a wallet has been read; before that the index is all there is.
  const pool =
    position !== null && position.block >= indexed.block
      ? {
          pool: { totalAssets: position.totalAssets, supply: position.supply },
          block: position.block,
          time: position.time,
        }
      : indexed;

  const obstacles = { deposit: depositObstacle(circumstances), withdraw: withdrawalObstacle(circumstances) };
  const { section, expectFocus } = useKeptFocus(obstacles[tab]?.code ?? null);

  const formProps = (obstacle: Obstacle | null): FormProps => ({
    product,
    terms: termsOf(product),
    owner: wallet.address,
    position,
    pool,
    action,
    obstacle: obstacle && (
      <ObstacleNotice
        obstacle={obstacle}
        product={product}
        address={wallet.address}
        faucet={network?.faucet ?? false}
        onConnect={expectFocus}
        onRetry={() => read.refetch()}
        onRefresh={() => {
          refresh();
          read.refetch();
        }}
      />
    ),
  });

  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={t("transact.title")}
      // In the phone's sheet the sheet is the frame.
      className="panel overflow-hidden in-[[role=dialog]]:rounded-none in-[[role=dialog]]:border-0"
      data-testid="action-panel"
    >
      <QueueClaim product={product} />
      <Tabs<Tab>
        look="box"
        label={t("transact.title")}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: "deposit",
            label: t("transact.deposit"),
            panel: (
              <div className="p-5">
                <DepositForm {...formProps(obstacles.deposit)} />
              </div>
            ),
          },
          {
            value: "withdraw",
            label: t("transact.withdraw"),
            panel: (
              <div className="p-5">
                <WithdrawForm {...formProps(obstacles.withdraw)} />
              </div>
            ),
          },
        ]}
      />
      <div className="px-5 pb-5 not-has-[[data-testid=action-progress]>*]:hidden">
        <Progress action={action} product={product} />
      </div>
    </section>
  );
}
