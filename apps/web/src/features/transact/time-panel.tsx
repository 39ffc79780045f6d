import type { TimeDetail } from "@aqua/sdk/api/product";
import { useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useWallet } from "../../wallet/store.ts";
import { useNetwork } from "../network.ts";
import { MyDeposits } from "./my-deposits.tsx";
import { ObstacleNotice } from "./obstacle.tsx";
import { OpenForm } from "./open-form.tsx";
import { Progress } from "./progress.tsx";
import { openObstacle } from "./term-eligibility.ts";
import { useAction } from "./use-action.ts";
import { useKeptFocus } from "./use-kept-focus.ts";
import { useTermPosition } from "./use-term-position.ts";
import { useVisitor } from "./use-visitor.ts";

type Tab = "deposit" | "mine";

/** Deposit and My deposits of one time deposit. */
export function TimePanel({ product }: { product: TimeDetail }) {
  const [tab, setTab] = useState<Tab>("deposit");
  const wallet = useWallet();
  const { data: network } = useNetwork();
  const now = useNow(10_000);
  const { visitor, refresh } = useVisitor();
  const { read, holdings, held } = useTermPosition(product, wallet.address);
  const action = useAction({
    scope: product.short_id,
    shortId: product.short_id,
    chainId: product.chain_id,
    address: wallet.address,
  });
  const position = read.data ?? null;
  const obstacle = openObstacle({
    product,
    wallet,
    position: position ?? (read.isError ? "error" : null),
    visitor,
    now,
  });
  const { section, expectFocus } = useKeptFocus(tab === "deposit" ? (obstacle?.code ?? null) : tab);
  const mine = holdings.length === 0 ? t("transact.mine") : t("transact.mine.count", { count: holdings.length });

  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={t("transact.time.title")}
      // In the phone's sheet the sheet is the frame.
      className="panel overflow-hidden in-[[role=dialog]]:rounded-none in-[[role=dialog]]:border-0"
      data-testid="action-panel"
    >
      <Tabs<Tab>
        look="box"
        label={t("transact.time.title")}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: "deposit",
            label: t("transact.deposit"),
            panel: (
              <div className="flex flex-col gap-4 p-5">
                <OpenForm
                  product={product}
                  owner={wallet.address}
                  position={position}
                  action={action}
                  obstacle={
                    obstacle && (
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
                    )
                  }
                />
                <Progress action={action} product={product} />
              </div>
            ),
          },
          {
            value: "mine",
            label: mine,
            panel: (
              <div className="p-5">
                <MyDeposits
                  product={product}
                  owner={wallet.address}
                  receipts={{ holdings, held }}
                  onOpen={() => setTab("deposit")}
                />
              </div>
            ),
          },
        ]}
      />
    </section>
  );
}
