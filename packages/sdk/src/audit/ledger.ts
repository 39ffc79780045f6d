/** All rows that the events of one chain make, in chain order. */
import type { Hex } from "viem";
import { actOf } from "./acts.ts";
import { atTime, placeOf, subjectOf } from "./common.ts";
import { createDemandLedger, type DemandLedger } from "./demand.ts";
import { type AuditEvent, type EventOf, lower } from "./events.ts";
import type { IdentityRow, ProductStateRow, Rows } from "./rows.ts";
import { createTimeLedger, type TimeLedger } from "./time.ts";

export interface Ledger {
  /** Applies the next events and returns the rows that they make. Throws RangeError if they contradict earlier ones. */
  apply(events: readonly AuditEvent[]): Rows;
  vaults: DemandLedger["vaults"];
  timeDeposits: TimeLedger["products"];
  identities: ReadonlyMap<Hex, IdentityRow>;
  /** The latest entry of each product in the registry. */
  entries: ReadonlyMap<Hex, ProductStateRow>;
}

export function noRows(): Rows {
  return {
    ...{ product: [], productState: [], vaultState: [], position: [], movement: [], report: [] },
    ...{ withdrawalRequest: [], queueBatch: [], termState: [], term: [], receipt: [], privilegedAct: [] },
    ...{ identityRecord: [], anchor: [], storedHead: [], deviceKey: [] },
  };
}

/** Product rows are not made here: names and decimals are no events. See `readProducts`. */
export function createLedger(chainId: number): Ledger {
  const rows = noRows();
  const identities = new Map<Hex, IdentityRow>();
  const entries = new Map<Hex, ProductStateRow>();
  const isOneAccount = (one: Hex, other: Hex) => {
    const subject = identities.get(one)?.subject;
    return subject !== undefined && subject !== "0x" && subject === identities.get(other)?.subject;
  };
  const common = { chainId, rows, isOneAccount };
  const demand = createDemandLedger(common);
  const time = createTimeLedger(common);

  function setEntry(event: AuditEvent, product: string, change: Partial<ProductStateRow>) {
    const address = lower(product);
    const before = entries.get(address) ?? { status: 0, metadataHash: "0x" as Hex };
    const row = { ...before, ...change, ...placeOf(chainId, event), product: address };
    entries.set(address, row);
    rows.productState.push(row);
  }

  function setIdentity(event: AuditEvent, of: string, change: Partial<IdentityRow>) {
    const wallet = lower(of);
    const row = { ...(identities.get(wallet) ?? unknownIdentity), ...change, ...placeOf(chainId, event), wallet };
    identities.set(wallet, row);
    rows.identityRecord.push(row);
  }

  function applyRegistry(event: EventOf<"product_registry">) {
    switch (event.eventName) {
      case "ProductListed":
        return setEntry(event, event.args.product, { status: 0, metadataHash: event.args.metadataHash });
      case "ProductStatusChanged":
        return setEntry(event, event.args.product, { status: event.args.status });
      case "ProductMetadataChanged":
        return setEntry(event, event.args.product, { metadataHash: event.args.metadataHash });
    }
  }

  function applyIdentity(event: EventOf<"identity_registry">) {
    switch (event.eventName) {
      case "Bound": {
        const { wallet, subject, validUntil, country, tier } = event.args;
        const bound = { subject: subjectOf(subject), validUntil, country, tier };
        return setIdentity(event, wallet, { ...bound, revoked: false });
      }
      case "Renewed":
        return setIdentity(event, event.args.wallet, { validUntil: event.args.validUntil });
      case "Revoked":
        return setIdentity(event, event.args.wallet, { revoked: true });
      case "FrozenSet":
        return setIdentity(event, event.args.wallet, { frozen: event.args.frozen });
      case "Retired":
        // A retired wallet has the limits of a frozen one, for ever.
        return setIdentity(event, event.args.wallet, { frozen: true });
    }
  }

  function applyAnchor(event: EventOf<"telemetry_anchor">) {
    const place = placeOf(chainId, event);
    switch (event.eventName) {
      case "Anchored": {
        const { stream, batch, root, from, to, count, dataHash, head } = event.args;
        const span = { number: Number(batch), from: atTime(from), to: atTime(to), count };
        rows.anchor.push({ ...place, hash: event.hash, stream, root, dataHash, head, ...span });
        return;
      }
      case "HeadKept":
        rows.storedHead.push({
          ...place,
          stream: event.args.stream,
          number: Number(event.args.batch),
          head: event.args.head,
        });
        return;
      case "KeyRegistered":
      case "KeyDropped": {
        const { device, kind, x, y, validFrom } = event.args;
        const what = event.eventName === "KeyRegistered" ? "registered" : "dropped";
        rows.deviceKey.push({ ...place, device, what, kind, x, y, validFrom: atTime(validFrom) });
        return;
      }
      case "KeyRevoked": {
        const { device, validFrom } = event.args;
        const none = { kind: 0, x: null, y: null };
        rows.deviceKey.push({ ...place, device, what: "revoked", ...none, validFrom: atTime(validFrom) });
      }
    }
  }

  function apply(event: AuditEvent, following: readonly AuditEvent[]) {
    const act = actOf(event);
    if (act) rows.privilegedAct.push({ ...placeOf(chainId, event), hash: event.hash, contract: event.address, ...act });
    switch (event.kind) {
      case "product_registry":
        return applyRegistry(event);
      case "identity_registry":
        return applyIdentity(event);
      case "telemetry_anchor":
        return applyAnchor(event);
      case "vault":
      case "former_vault":
        return demand.applyVault(event, following);
      case "queue":
        return demand.applyQueue(event);
      case "term":
      case "former_term":
        return time.apply(event, following);
    }
  }

  return {
    apply(events) {
      for (const some of Object.values(rows)) some.length = 0;
      for (const [index, event] of events.entries()) apply(event, followingOf(events, index));
      return Object.fromEntries(Object.entries(rows).map(([table, some]) => [table, [...some]])) as unknown as Rows;
    },
    vaults: demand.vaults,
    timeDeposits: time.products,
    identities,
    entries,
  };
}

const unknownIdentity = {
  subject: "0x" as Hex,
  validUntil: 0n,
  country: 0,
  tier: 0,
  revoked: false,
  frozen: false,
};

/** The later events of the same transaction. */
function followingOf(events: readonly AuditEvent[], index: number): AuditEvent[] {
  let end = index + 1;
  while (events[end]?.hash === events[index]?.hash) end += 1;
  return events.slice(index + 1, end);
}
