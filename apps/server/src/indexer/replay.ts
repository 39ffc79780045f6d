import type { Hex } from "viem";
import { actOf } from "./acts.ts";
import { type ChainEvent, emitterOf } from "./decode.ts";
import type { Fold } from "./ledger.ts";
import { replayQueue } from "./queue.ts";
import { isTelemetryEvent, replayTelemetry } from "./telemetry.ts";
import { createTermReplay, isTermEvent } from "./termReplay.ts";
import { replayVault } from "./vault.ts";
import { type IdentityRecord, type NewRows, noRows, placeOf, type World } from "./world.ts";

/**
 * Folds events, in chain order, into new versions of the rows they change. It mutates `world`, which must hold the
 * latest version, if there is one, of every row that the events change.
 * @throws RangeError if an event contradicts the known state: shares leave that never arrived, or a vault was never
 * created
 */
export function replay(chainId: number, world: World, events: readonly ChainEvent[]): NewRows {
  const fold: Fold = { chainId, world, rows: noRows() };
  const replayTerm = createTermReplay(chainId, world, fold.rows);
  for (const [index, event] of events.entries()) {
    const act = actOf(chainId, event);
    if (act) fold.rows.privilegedAct.push(act);
    const later = (address: Hex) => laterOf(events, index, address);
    const emitter = emitterOf(event.name);
    if (isTermEvent(event)) replayTerm(event, later(event.address));
    else if (isTelemetryEvent(event)) replayTelemetry(chainId, fold.rows, event);
    else if (emitter === "vault") replayVault(fold, event, (address) => later(address).next().value);
    else if (emitter === "queue") replayQueue(fold, event);
    else replayRegistry(fold, event);
  }
  return fold.rows;
}

/** The later events of a contract in the same transaction. */
function* laterOf(events: readonly ChainEvent[], index: number, address: Hex): Generator<ChainEvent, undefined> {
  for (let i = index + 1; events[i]?.hash === events[index]?.hash; i += 1) {
    const later = events[i];
    if (later?.address === address) yield later;
  }
}

function replayRegistry(fold: Fold, event: ChainEvent) {
  switch (event.name) {
    case "ProductListed":
      return changeProduct({
        fold,
        event,
        product: event.product,
        change: { status: 0, metadataHash: event.metadataHash },
      });
    case "ProductStatusChanged":
      return changeProduct({ fold, event, product: event.product, change: { status: event.status } });
    case "ProductMetadataChanged":
      return changeProduct({ fold, event, product: event.product, change: { metadataHash: event.metadataHash } });
    case "Bound": {
      const { wallet, subject, validUntil, country, tier } = event;
      return changeIdentity({ fold, event, wallet, change: { subject, validUntil, country, tier, revoked: false } });
    }
    case "Renewed":
      return changeIdentity({ fold, event, wallet: event.wallet, change: { validUntil: event.validUntil } });
    case "Revoked":
      return changeIdentity({ fold, event, wallet: event.wallet, change: { revoked: true } });
    case "FrozenSet":
      return changeIdentity({ fold, event, wallet: event.wallet, change: { frozen: event.frozen } });
    case "Retired":
      // A retired wallet has the same limits as a frozen one, and no event ever lifts them.
      return changeIdentity({ fold, event, wallet: event.wallet, change: { frozen: true } });
  }
}

function changeProduct({
  fold: { chainId, world, rows },
  event,
  product,
  change,
}: {
  fold: Fold;
  event: ChainEvent;
  product: Hex;
  change: { status?: number; metadataHash?: Hex };
}): void {
  const known = world.products.get(product) ?? { status: 0, metadataHash: "0x" as Hex };
  const next = { ...known, ...change, ...placeOf(chainId, event), product };
  world.products.set(product, next);
  rows.productState.push(next);
}

function changeIdentity({
  fold: { chainId, world, rows },
  event,
  wallet,
  change,
}: {
  fold: Fold;
  event: ChainEvent;
  wallet: Hex;
  change: Partial<IdentityRecord>;
}): void {
  const blank = { subject: "0x" as Hex, validUntil: 0n, country: 0, tier: 0, revoked: false, frozen: false };
  const next = { ...(world.identities.get(wallet) ?? blank), ...change, ...placeOf(chainId, event), wallet };
  world.identities.set(wallet, next);
  rows.identityRecord.push(next);
}
