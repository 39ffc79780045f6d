import type { DemandDetail } from "@aqua/sdk/api/product";
import type { Position, QueuePosition } from "@aqua/sdk/chain/vault-position";
import { previewRedeem } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { formatAmount } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { exactAmount } from "../../../wallet/exact-amount.ts";
import { perform } from "../../../wallet/lazy/operations.ts";
import { useWallet } from "../../../wallet/store.ts";
import { claimObstacle } from "../eligibility/eligibility.ts";
import { termsOf } from "../form/product-terms.ts";
import { useNetworkFee } from "../form/use-network-fee.ts";
import { Progress } from "../progress/progress.tsx";
import { useAction } from "../progress/use-action.ts";
import { usePosition } from "./use-position.ts";

/**
 * The wallet's waiting requests in a product's queue and the amount it can claim. Renders nothing when it has neither.
 */
export function QueueClaim({ product }: { product: DemandDetail }) {
  const wallet = useWallet();
  const position = usePosition(product, wallet.address).data ?? null;
  const action = useAction({
    scope: `${product.short_id}/claim`,
    shortId: product.short_id,
    chainId: product.chain_id,
    address: wallet.address,
  });
  const terms = termsOf(product);
  const queue = position?.queue ?? null;
  const claimable = queue?.claimable ?? 0n;
  const hasWaitingShares = queue !== null && queue.waiting > 0n;
  const owner = wallet.address;
  const canClaim = claimObstacle({ product, wallet, position, visitor: null, now: 0 }) === null;
  const order =
    canClaim && terms !== null && owner !== null && claimable > 0n
      ? ({ action: "claim", terms, owner, expected: claimable } as const)
      : null;
  const fee = useNetworkFee(order && [order], position?.gasPrice ?? null);
  const settled = action.transaction !== null || action.stage.stage !== "idle";
  if (claimable === 0n && !hasWaitingShares && !settled) return null;

  const { symbol, decimals } = product.asset;
  const amount = exactAmount(formatUnits(claimable, decimals), decimals);
  return (
    <div className="flex flex-col gap-3 px-5 pt-5" data-testid="queue-claim">
      {claimable > 0n && (
        <Notice
          look="success"
          title={t("transact.claim.title", { amount, symbol })}
          actions={
            order !== null && (
              <Button
                size="small"
                busy={action.busy}
                onClick={() => void action.start((report) => perform([order], `${product.short_id}/claim`, report))}
              >
                {t("transact.claim.submit", { amount, symbol })}
              </Button>
            )
          }
        >
          <p>{t("transact.claim.text")}</p>
          {/* A line that appeared with the fee would move the button while somebody presses it. */}
          {order !== null && <p>{t("transact.claim.fee", { fee: fee ?? "—" })}</p>}
        </Notice>
      )}
      {hasWaitingShares && position !== null && queue !== null && (
        <Notice title={t("transact.waiting.title", waitingValues(product, position, queue))}>
          {t("transact.waiting.text", waitingValues(product, position, queue))}
        </Notice>
      )}
      <Progress action={action} product={product} />
    </div>
  );
}

function waitingValues(
  product: DemandDetail,
  { totalAssets, supply }: Position,
  { waiting: shares, ahead }: QueuePosition,
) {
  const value = (shares: bigint) =>
    formatAmount(formatUnits(previewRedeem(shares, { totalAssets, supply }), product.asset.decimals));
  return {
    shares: formatAmount(formatUnits(shares, product.share.decimals)),
    share: product.share.symbol,
    amount: value(shares),
    ahead: value(ahead),
    symbol: product.asset.symbol,
  };
}
