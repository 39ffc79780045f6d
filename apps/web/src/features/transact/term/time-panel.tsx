import type { TimeDetail } from "@aqua/sdk/api/product";
import { t } from "../../../i18n/i18n.ts";
import { useActionContext } from "../eligibility/use-action-context.tsx";
import { PanelFrame } from "../form/panel-frame.tsx";
import { useDrafts } from "../form/use-draft.ts";
import { usePanelTab, useRequestedTabFocus } from "../form/use-panel-tab.ts";
import { useRestoredFocus } from "../form/use-restored-focus.ts";
import { Progress } from "../progress/progress.tsx";
import { MyDeposits } from "./my-deposits.tsx";
import { OpenForm } from "./open-form.tsx";
import { openObstacle } from "./term-eligibility.ts";
import { useReceipts, useTermPosition } from "./use-term-position.ts";

type Tab = "deposit" | "mine";
const tabs = { deposit: "deposit", withdraw: "mine" } as const;

/** Deposit and My deposits for one time deposit. */
export default function TimePanel({ product }: { product: TimeDetail }) {
  const [tab, setTab] = usePanelTab<Tab>(tabs);
  const { wallet, now, visitor, action, notice } = useActionContext(product);
  const drafts = useDrafts(product.short_id);
  const read = useTermPosition(product, wallet.address);
  const receipts = useReceipts(product.short_id, wallet.address);
  const position = read.data ?? null;
  const obstacle = openObstacle({
    product,
    wallet,
    position: position ?? (read.isError ? "error" : null),
    visitor,
    now,
  });
  const { section, expectFocus } = useRestoredFocus(tab === "deposit" ? (obstacle?.code ?? null) : tab);
  useRequestedTabFocus(section);
  const receiptsLabel =
    receipts.holdings.length === 0 ? t("transact.mine") : t("transact.mine.count", { count: receipts.holdings.length });

  return (
    <PanelFrame<Tab>
      section={section}
      label={t("transact.time.title")}
      tab={tab}
      onTab={setTab}
      tabs={[
        {
          value: "deposit",
          label: t("transact.deposit"),
          panel: (
            <>
              <OpenForm
                product={product}
                owner={wallet.address}
                position={position}
                action={action}
                drafts={drafts}
                obstacle={notice(obstacle, read.refetch, expectFocus)}
              />
              <Progress action={action} product={product} />
            </>
          ),
        },
        {
          value: "mine",
          label: receiptsLabel,
          panel: (
            <MyDeposits product={product} owner={wallet.address} receipts={receipts} onOpen={() => setTab("deposit")} />
          ),
        },
      ]}
    />
  );
}
