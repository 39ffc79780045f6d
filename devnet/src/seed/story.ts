import { DAY, HOUR } from "@aqua/sdk/durations";
import { gainBound } from "@aqua/sdk/maths/report";
import { previewWithdraw } from "@aqua/sdk/maths/shares";
import { DEMO_DEPOSITOR } from "../accounts.ts";
import { type Move, servesQueue, vaultMove } from "../desk.ts";
import type { PlannedBatch } from "../fleet/batches.ts";
import { gainFor, otherIncome } from "../income.ts";
import { dollars, findProduct, vaultLimits } from "../products.ts";
import { Random } from "../random.ts";
import { crowded, mistake } from "./intents.ts";
import type { VaultModel } from "./model.ts";
import type { Event } from "./schedule.ts";
import type { WorldState } from "./worldState.ts";

/** An act upon a demand deposit. */
export type DemandAction =
  | { kind: "deposit"; depositor: number; shortId: string; assets: bigint; approve: boolean }
  | { kind: "withdraw"; depositor: number; shortId: string; assets: bigint }
  | { kind: "exit" | "request"; depositor: number; shortId: string; shares: bigint }
  | { kind: "transfer"; depositor: number; shortId: string; to: number; shares: bigint }
  | { kind: "claim"; depositor: number; shortId: string }
  /**
   * `evidence`: number of the batch whose head the report names, 0 for none; `anchor`: that batch, when it is anchored
   * with the report.
   */
  | {
      kind: "report";
      shortId: string;
      delta: bigint;
      asOf: number;
      evidence: number;
      anchor: PlannedBatch | null;
    }
  | { kind: "process" | "skim" | "closeProduct" | "takeBack" | "announceFee"; shortId: string }
  | { kind: "renewEvidence"; shortId: string; until: number }
  | (Move & { shortId: string });

/** Loss by the flood in millionths of the pool for each day of the world: 1.2 % in a year. */
const LOST_A_DAY = 33n;
/** The insurer pays its advance after this part of the world's time, in parts per thousand: a week of a year. */
const ADVANCE_AFTER = 20;
/** Minimum amount of fees that is collected. */
const WORTH_SKIMMING = dollars(25);

/** Turns an event of a demand deposit into an action at `time` and applies it to the models; null when it is not possible. */
export function resolveDemand(
  event: Extract<Event, { shortId: string }>,
  story: WorldState,
  time: number,
): DemandAction | null {
  const { shortId } = event;
  const vault = story.vaults.get(shortId);
  if (vault === undefined) throw new Error(`No vault for ${shortId}.`);
  switch (event.kind) {
    case "report":
      return report({ story, vault, shortId, asOf: event.asOf ?? event.time, time });
    case "flood": {
      const days = BigInt(Math.floor((story.end - story.start) / DAY));
      const lost = (vault.totalAssets(time) * LOST_A_DAY * days) / 1_000_000n;
      const report = reportLoss({ story, vault, shortId, lost, asOf: event.time, time });
      if (report !== null) advances.set(vault, time + Math.floor(((story.end - story.start) * ADVANCE_AFTER) / 1_000));
      return report;
    }
    case "mistake": {
      const lost = (vault.totalAssets(time) * mistake.perThousand) / 1_000n;
      const report = reportLoss({ story, vault, shortId, lost, asOf: event.time, time });
      const takenBack = time + mistake.takenBackAfter;
      if (report !== null) story.agenda.add({ kind: "takeBack", time: takenBack, shortId });
      return report;
    }
    case "takeBack":
      vault.takeBackLoss(time);
      return { kind: "takeBack", shortId };
    case "announceFee":
      return { kind: "announceFee", shortId };
    case "renewEvidence":
      vault.evidenceUntil = event.until;
      return { kind: "renewEvidence", shortId, until: event.until };
    case "process": {
      const paid = servesQueue(vault.idle) ? vault.process(time) : [];
      for (const depositor of paid) claimLater({ world: story, depositor, shortId, time });
      return paid.length === 0 ? null : { kind: "process", shortId };
    }
    case "desk":
      return desk({ story, vault, shortId, time });
    case "skim":
      if (vault.surplus < WORTH_SKIMMING) return null;
      vault.skim();
      return { kind: "skim", shortId };
    case "closeProduct":
      vault.closed = true;
      story.agenda.add({ kind: "desk", time: time + 2 * HOUR, shortId });
      leaveClosed({ world: story, vault, shortId, time });
      return { kind: "closeProduct", shortId };
    case "rush": {
      const able = holders(vault).filter((holder) => vault.pending(holder) === 0n && !story.silent.has(holder));
      const depositor = able[event.rank];
      if (depositor !== undefined) {
        story.agenda.add({ kind: "request", time: time + 60, depositor, shortId, perThousand: event.perThousand });
      }
      return null;
    }
    case "request":
      return request({
        vault,
        depositor: event.depositor,
        shortId,
        shares: (vault.sharesOf(event.depositor) * BigInt(event.perThousand)) / 1_000n,
        time,
      });
    case "claim":
      if (vault.claimable(event.depositor).shares === 0n) return null;
      vault.claim(event.depositor);
      return { kind: "claim", depositor: event.depositor, shortId };
    case "deposit": {
      const { depositor, assets } = event;
      const fits =
        assets >= findProduct(shortId).minDeposit && vault.totalAssets(time) + assets <= findProduct(shortId).cap;
      if (!vault.takesDeposits(time) || !fits) return null;
      vault.deposit(depositor, assets, time);
      story.spend(depositor, assets);
      return { kind: "deposit", depositor, shortId, assets, approve: story.firstPayment(depositor, shortId) };
    }
    case "withdraw": {
      const { depositor } = event;
      const part = (vault.valueOf(depositor, time) * BigInt(event.perThousand)) / 1_000n;
      const assets = part - (part % dollars(25));
      if (assets === 0n) return null;
      if (assets > vault.instant(time)) {
        if (!mayQueue(story, shortId, time)) return null;
        return request({ vault, depositor, shortId, shares: previewWithdraw(assets, vault.pool(time)), time });
      }
      vault.withdraw(depositor, assets, time);
      return { kind: "withdraw", depositor, shortId, assets };
    }
    case "exit": {
      const { depositor } = event;
      const shares = vault.sharesOf(depositor);
      const value = vault.valueOf(depositor, time);
      if (value === 0n) return null;
      if (value > vault.instant(time)) {
        return mayQueue(story, shortId, time) ? request({ vault, depositor, shortId, shares, time }) : null;
      }
      vault.redeem(depositor, shares, time);
      return { kind: "exit", depositor, shortId, shares };
    }
    case "transfer": {
      const shares = (vault.sharesOf(event.depositor) * BigInt(event.perThousand)) / 1_000n;
      if (shares === 0n || !story.onboarded.has(event.to) || story.silent.has(event.to)) return null;
      vault.transfer(event.depositor, event.to, shares);
      return { kind: "transfer", depositor: event.depositor, shortId, to: event.to, shares };
    }
    default:
      throw new Error(`A demand deposit has no event ${event.kind}.`);
  }
}

/** Time from which the insurer pays a vault its advance for the flood. The entry is deleted once it is paid. */
const advances = new WeakMap<VaultModel, number>();

/** Returns a loss of money that is with the custodian; null when less is there, or a loss is under review. */
function reportLoss({
  story,
  vault,
  shortId,
  lost,
  asOf,
  time,
}: {
  story: WorldState;
  vault: VaultModel;
  shortId: string;
  lost: bigint;
  asOf: number;
  time: number;
}): DemandAction | null {
  if (lost > vault.deployed || lost === 0n || time < vault.reviewUntil) return null;
  for (const depositor of vault.report(-lost, asOf, time)) claimLater({ world: story, depositor, shortId, time });
  return { kind: "report", shortId, delta: -lost, asOf, evidence: story.lastBatch(shortId), anchor: null };
}

function report({
  story,
  vault,
  shortId,
  asOf,
  time,
}: {
  story: WorldState;
  vault: VaultModel;
  shortId: string;
  asOf: number;
  time: number;
}): DemandAction | null {
  if (time < vault.reviewUntil) return null;
  const from = vault.lastAsOf;
  const counted = story.history.counted(shortId, from, asOf);
  const earned = gainFor(shortId, counted, vault.totalAssets(asOf));
  const bound = gainBound(vault.totalAssets(time), vaultLimits.maxRate, BigInt(asOf - from));
  const anchor = story.batchUpTo(shortId, asOf);
  // A product whose evidence can lapse accepts no report without evidence.
  if (vault.evidenceUntil !== 0 && story.lastBatch(shortId) === 0) return null;
  const gain = earned < bound ? earned + advance({ vault, shortId, asOf, room: bound - earned }) : bound;
  for (const depositor of vault.report(gain, asOf, time)) claimLater({ world: story, depositor, shortId, time });
  if (vault.queued > 0n) {
    story.agenda.add({
      kind: "process",
      time: time + new Random(`${shortId} process ${time}`).between(600, 1_500),
      shortId,
    });
  }
  return { kind: "report", shortId, delta: gain, asOf, evidence: story.lastBatch(shortId), anchor };
}

/** Returns the insurer's payment for the flood in this report: the whole advance, once, or nothing. */
function advance({
  vault,
  shortId,
  asOf,
  room,
}: {
  vault: VaultModel;
  shortId: string;
  asOf: number;
  room: bigint;
}): bigint {
  if (asOf < (advances.get(vault) ?? Number.POSITIVE_INFINITY)) return 0n;
  const amount = otherIncome(shortId);
  if (amount > room) return 0n;
  advances.delete(vault);
  return amount;
}

function desk({
  story,
  vault,
  shortId,
  time,
}: {
  story: WorldState;
  vault: VaultModel;
  shortId: string;
  time: number;
}): DemandAction | null {
  const { idle, deployed, kept, owed, waitingSince, closed } = vault;
  const move = vaultMove(findProduct(shortId), { idle, deployed, kept, owed, waitingSince, closed }, time);
  // Nothing is deployed while a loss is under review.
  if (move === null || (move.kind === "deploy" && time < vault.reviewUntil)) return null;
  if (move.kind === "deploy") vault.deploy(move.assets);
  else {
    vault.repay(move.assets);
    if (waitingSince !== null) story.agenda.add({ kind: "process", time: time + 900, shortId });
  }
  return { ...move, shortId };
}

function request({
  vault,
  depositor,
  shortId,
  shares,
  time,
}: {
  vault: VaultModel;
  depositor: number;
  shortId: string;
  shares: bigint;
  time: number;
}): DemandAction | null {
  return shares > 0n && vault.request(depositor, shares, time) ? { kind: "request", depositor, shortId, shares } : null;
}

/** In the last days only one queue accepts requests, so that the others are empty when the seeded time ends. */
function mayQueue({ end }: WorldState, shortId: string, time: number): boolean {
  return shortId === crowded || time < end - 7 * DAY;
}

/**
 * Most collect within days; some leave their money for weeks. The demo wallet's owner collects it in the running world.
 */
function claimLater({
  world: { agenda },
  depositor,
  shortId,
  time,
}: {
  world: WorldState;
  depositor: number;
  shortId: string;
  time: number;
}): void {
  if (depositor === DEMO_DEPOSITOR) return;
  const random = new Random(`${shortId} claim ${depositor} ${time}`);
  const hours = random.chance(800) ? random.between(3, 90) : random.between(300, 900);
  agenda.add({ kind: "claim", time: time + hours * HOUR, depositor, shortId });
}

/** Holders, those with the most first. */
function holders(vault: VaultModel): number[] {
  const held = [...vault.shares].filter(([, shares]) => shares > 0n);
  return held.sort(([a, x], [b, y]) => (x === y ? a - b : x < y ? 1 : -1)).map(([holder]) => holder);
}

/** Most holders leave a closed product within weeks; a few small ones do not notice. */
function leaveClosed({
  world: { agenda, end },
  vault,
  shortId,
  time,
}: {
  world: WorldState;
  vault: VaultModel;
  shortId: string;
  time: number;
}): void {
  const all = holders(vault);
  const staying = Math.min(4, Math.floor(all.length / 2));
  for (const depositor of all.slice(0, all.length - staying)) {
    const random = new Random(`${shortId} leaves ${depositor}`);
    const after = random.between(5 * HOUR, Math.max(6 * HOUR, Math.min(60 * DAY, Math.floor((end - time) * 0.7))));
    agenda.add({ kind: "exit", time: time + after, depositor, shortId });
  }
}
