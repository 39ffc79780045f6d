import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { nameHex, noReading } from "@aqua/sdk/proofs/reading";
import type { Address, Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { encodeFunctionData } from "viem/utils";
import { DEMO_DEPOSITOR, type DevnetRole, depositor, roleAccount, successorWallet } from "../accounts.ts";
import type { Move } from "../desk.ts";
import { documentHash } from "../documents.ts";
import type { PlannedBatch, SealedBatch, SealedBatches } from "../fleet/batches.ts";
import { keyHolderOf } from "../fleet/devices.ts";
import type { KeyEvent } from "../fleet/keyPlan.ts";
import { signerFor } from "../fleet/keys.ts";
import { announcedFee } from "../products.ts";
import type { Call } from "../sender.ts";
import { bindCall, recoveryCalls } from "./identity.ts";
import type { Action } from "./plan.ts";
import type { RecordAction } from "./records.ts";

/** Addresses of a world's products. */
export interface Places {
  accessManager: Address;
  testDollar: Address;
  identityRegistry: Address;
  productRegistry: Address;
  telemetryAnchor: Address;
  vaults: ReadonlyMap<string, Address>;
  queues: ReadonlyMap<string, Address>;
  termDeposits: ReadonlyMap<string, Address>;
  batches: SealedBatches;
}

const UNLIMITED = 2n ** 256n - 1n;
const NEVER_TOO_LATE = 2n ** 40n;

/** A call of the test dollar's faucet. The faucet account pays the gas here for every caller. */
export function mintCall(testDollar: Address, to: Address, amount: bigint): Call {
  const data = encodeFunctionData({ abi: testDollarAbi, functionName: "mint", args: [to, amount] });
  return { from: roleAccount("faucet"), to: testDollar, data, what: `mint test dollars for ${to}` };
}

export function approveCall(
  testDollar: Address,
  from: PrivateKeyAccount,
  { product, assets = UNLIMITED }: { product: Address; assets?: bigint },
): Call {
  const data = encodeFunctionData({ abi: testDollarAbi, functionName: "approve", args: [product, assets] });
  return { from, to: testDollar, data, what: `approve ${product} by ${from.address}` };
}

/** The reporter's call that pays in a gain or books a loss; `evidence` is a head of the product's stream of batches. */
export function reportCall({
  shortId,
  vault,
  delta,
  asOf,
  evidence,
}: {
  shortId: string;
  vault: Address;
  delta: bigint;
  asOf: number;
  evidence: Hex;
}): Call {
  const args = [delta, BigInt(asOf), evidence] as const;
  const data = encodeFunctionData({ abi: demandVaultAbi, functionName: "report", args });
  return by({ role: "reporter", to: vault, data, what: `report ${shortId} as of ${asOf}` });
}

/** Every batch whose number is a multiple of this stores its head permanently, so that proofs stay short. */
const KEPT_EVERY = 64;

/** The anchorer's calls for a batch. */
function anchorCalls(telemetryAnchor: Address, { header, dataHash }: SealedBatch): Call[] {
  const { short_id, number, root, from, to, count } = header;
  const stream = nameHex(short_id);
  const args = [stream, root as Hex, BigInt(from), BigInt(to), count, dataHash] as const;
  const call = (what: string, data: Hex) =>
    by({ role: "anchorer", to: telemetryAnchor, data, what: `${what} ${number} of ${short_id}` });
  const abi = telemetryAnchorAbi;
  const anchor = call("anchor batch", encodeFunctionData({ abi, functionName: "anchor", args }));
  if (number % KEPT_EVERY !== 0) return [anchor];
  return [anchor, call("keep head", encodeFunctionData({ abi, functionName: "keepHead", args: [stream] }))];
}

function keyCall(telemetryAnchor: Address, event: KeyEvent): Call {
  const device = nameHex(event.device);
  const call = (data: Hex) =>
    by({ role: "registrar", to: telemetryAnchor, data, what: `${event.kind} of ${event.device}` });
  const abi = telemetryAnchorAbi;
  if (event.kind === "revokeKey") {
    return call(encodeFunctionData({ abi, functionName: "revokeKey", args: [device] }));
  }
  const { kind, x, y } = signerFor(keyHolderOf(event.device), event.key);
  const from = BigInt(event.validFrom);
  if (kind === "p256") {
    return call(encodeFunctionData({ abi, functionName: "registerP256Key", args: [device, x, y, from] }));
  }
  const args = [device, `0x${x.slice(-40)}`, from] as const;
  return call(encodeFunctionData({ abi, functionName: "registerSecp256k1Key", args }));
}

/** For vaults and time deposits: the treasurer deploys, the custodian repays. */
export function moveCall(shortId: string, product: Address, { kind, assets }: Move): Call {
  const data = encodeFunctionData({ abi: demandVaultAbi, functionName: kind, args: [assets] });
  return by({
    role: kind === "deploy" ? "treasurer" : "custodian",
    to: product,
    data,
    what: `${kind} ${assets} of ${shortId}`,
  });
}

export function processCall(shortId: string, queue: Address): Call {
  const data = encodeFunctionData({ abi: redemptionQueueAbi, functionName: "process" });
  return by({ role: "keeper", to: queue, data, what: `process the queue of ${shortId}` });
}

export function skimCall(shortId: string, vault: Address): Call {
  return by({
    role: "keeper",
    to: vault,
    data: encodeFunctionData({ abi: demandVaultAbi, functionName: "skim" }),
    what: `fees of ${shortId}`,
  });
}

/** The owner's call that schedules the announced fee, to be carried out once its delay has passed. */
function announceCall(accessManager: Address, vault: Address): Call {
  const { shortId, fee } = announcedFee;
  const args = [roleAccount("treasury").address, fee] as const;
  const change = encodeFunctionData({ abi: demandVaultAbi, functionName: "setTreasury", args });
  const data = encodeFunctionData({ abi: accessManagerAbi, functionName: "schedule", args: [vault, change, 0] });
  return by({ role: "owner", to: accessManager, data, what: `announce the fee of ${shortId}` });
}

/** For vaults and time deposits: the reporter renews the evidence with the hash of the product's document. */
export function renewCall({
  shortId,
  product,
  document,
  until,
}: {
  shortId: string;
  product: Address;
  document: Hex;
  until: number;
}): Call {
  const args = [document, BigInt(until)] as const;
  const data = encodeFunctionData({ abi: demandVaultAbi, functionName: "renewEvidence", args });
  return by({ role: "reporter", to: product, data, what: `renew the evidence of ${shortId}` });
}

export function fundCall(shortId: string, product: Address, assets: bigint): Call {
  const data = encodeFunctionData({ abi: termDepositAbi, functionName: "fundInterest", args: [assets] });
  return by({ role: "treasurer", to: product, data, what: `fund interest of ${shortId}` });
}

export function autoRollCall(shortId: string, product: Address, id: bigint): Call {
  const data = encodeFunctionData({ abi: termDepositAbi, functionName: "autoRoll", args: [id] });
  return by({ role: "keeper", to: product, data, what: `roll over receipt ${id} of ${shortId}` });
}

function by({ role, to, data, what }: { role: DevnetRole; to: Address; data: Hex; what: string }): Call {
  return { from: roleAccount(role), to, data, what };
}

/** Returns the transactions of an action, at `time` (Unix seconds). */
export async function callsOf(action: Action, places: Places, time: number): Promise<Call[]> {
  const { testDollar, identityRegistry, productRegistry, telemetryAnchor, batches } = places;
  if (action.kind === "onboard") {
    const wallet = depositor(action.depositor);
    return [await bindCall(identityRegistry, wallet, { time }), mintCall(testDollar, wallet.address, action.funds)];
  }
  if (action.kind === "registerKey" || action.kind === "revokeKey") return [keyCall(telemetryAnchor, action)];
  if (action.kind === "freeze" || action.kind === "proposeRecovery" || action.kind === "executeRecovery")
    return recordCalls(action, { identityRegistry, time });
  const { shortId } = action;
  const sealed = batches.get(shortId) ?? [];
  const anchored = ({ number }: PlannedBatch) => anchorCalls(telemetryAnchor, sealed[number - 1] as SealedBatch);
  if (action.kind === "anchor") return anchored(action.batch);
  const product = places.vaults.get(shortId) ?? places.termDeposits.get(shortId);
  const queue = places.queues.get(shortId) ?? "0x";
  if (product === undefined) throw new Error(`No contract for ${shortId}.`);
  switch (action.kind) {
    case "report": {
      const evidence = sealed[action.evidence - 1]?.head ?? noReading;
      const report = reportCall({ shortId, vault: product, delta: action.delta, asOf: action.asOf, evidence });
      return action.anchor === null ? [report] : [...anchored(action.anchor), report];
    }
    case "deploy":
    case "repay":
      return [moveCall(shortId, product, action)];
    case "process":
      return [processCall(shortId, queue)];
    case "skim":
      return [skimCall(shortId, product)];
    case "takeBack": {
      const data = encodeFunctionData({ abi: demandVaultAbi, functionName: "takeBackLoss" });
      return [by({ role: "confirmer", to: product, data, what: `take the loss of ${shortId} back` })];
    }
    case "announceFee":
      return [announceCall(places.accessManager, product)];
    case "renewEvidence":
      return [renewCall({ shortId, product, document: await documentHash(shortId), until: action.until })];
    case "fund":
      return [fundCall(shortId, product, action.assets)];
    case "repayAndClose": {
      const args = [action.assets, BigInt(action.id)] as const;
      const data = encodeFunctionData({ abi: termDepositAbi, functionName: "repayAndClose", args });
      return [by({ role: "custodian", to: product, data, what: `repay and close receipt ${action.id} of ${shortId}` })];
    }
    case "recoverHoldings":
      return recoverCalls(action, { product, queue });
    case "autoRoll":
      return [autoRollCall(shortId, product, BigInt(action.id))];
    case "closeProduct": {
      const data = encodeFunctionData({ abi: productRegistryAbi, functionName: "close", args: [shortId] });
      return [by({ role: "guardian", to: productRegistry, data, what: `close ${shortId}` })];
    }
  }
  const from = depositor(action.depositor);
  const what = `${action.kind} ${shortId} at ${new Date(time * 1_000).toISOString()}`;
  const call: Call = {
    from,
    what,
    data: dataOf(action, from.address),
    to: action.kind === "request" || action.kind === "claim" ? queue : product,
  };
  if (!("approve" in action)) return [call];
  const paid = action.kind === "open" ? action.principal : action.assets;
  // The demo wallet leaves no allowance, so that its owner signs one for the first deposit like anyone else.
  if (action.depositor === DEMO_DEPOSITOR) return [approveCall(testDollar, from, { product, assets: paid }), call];
  return action.approve ? [approveCall(testDollar, from, { product }), call] : [call];
}

type OwnAct = Exclude<Extract<Action, { depositor: number }>, { kind: "onboard" } | RecordAction>;

/** Calls that freeze a wallet, or that put another wallet of the same account in its place. */
async function recordCalls(
  { kind, depositor: index }: Extract<RecordAction, { kind: "freeze" | "proposeRecovery" | "executeRecovery" }>,
  { identityRegistry: to, time }: { identityRegistry: Address; time: number },
): Promise<Call[]> {
  const wallet = depositor(index).address;
  const what = `${kind} of ${wallet}`;
  const abi = identityRegistryAbi;
  switch (kind) {
    case "freeze":
      return [
        by({ role: "guardian", to, data: encodeFunctionData({ abi, functionName: "freeze", args: [wallet] }), what }),
      ];
    case "proposeRecovery":
      return recoveryCalls(to, { wallet, successor: successorWallet(), time });
    case "executeRecovery":
      return [
        by({
          role: "keeper",
          to,
          data: encodeFunctionData({ abi, functionName: "executeRecovery", args: [wallet] }),
          what,
        }),
      ];
  }
}

/** The calls, open to anyone, that move the holdings of a replaced wallet. */
function recoverCalls(
  { depositor: index, shortId, shares, places, ids }: Extract<RecordAction, { kind: "recoverHoldings" }>,
  { product, queue }: { product: Address; queue: Address },
): Call[] {
  const wallet = depositor(index).address;
  const what = `recover the holdings of ${wallet} in ${shortId}`;
  const call = (to: Address, data: Hex) => by({ role: "keeper", to, data, what });
  const calls: Call[] = [];
  if (shares)
    calls.push(call(product, encodeFunctionData({ abi: demandVaultAbi, functionName: "recover", args: [wallet] })));
  if (places)
    calls.push(call(queue, encodeFunctionData({ abi: redemptionQueueAbi, functionName: "recover", args: [wallet] })));
  if (ids.length > 0) {
    const args = [wallet, ids.map(BigInt)] as const;
    calls.push(call(product, encodeFunctionData({ abi: termDepositAbi, functionName: "recover", args })));
  }
  return calls;
}

/** Calls of a depositor. */
function dataOf(action: OwnAct, self: Address): Hex {
  switch (action.kind) {
    case "deposit":
      return encodeFunctionData({ abi: demandVaultAbi, functionName: "deposit", args: [action.assets, self] });
    case "withdraw":
      return encodeFunctionData({ abi: demandVaultAbi, functionName: "withdraw", args: [action.assets, self, self] });
    case "exit":
      return encodeFunctionData({ abi: demandVaultAbi, functionName: "redeem", args: [action.shares, self, self] });
    case "transfer": {
      const args = [depositor(action.to).address, action.shares] as const;
      return encodeFunctionData({ abi: demandVaultAbi, functionName: "transfer", args });
    }
    case "request": {
      const args = [action.shares, self, self] as const;
      return encodeFunctionData({ abi: redemptionQueueAbi, functionName: "requestRedeem", args });
    }
    case "claim":
      return encodeFunctionData({ abi: redemptionQueueAbi, functionName: "claim", args: [self, self] });
    case "open": {
      const args = [BigInt(action.termId), action.principal, NEVER_TOO_LATE] as const;
      return encodeFunctionData({ abi: termDepositAbi, functionName: "open", args });
    }
    case "closeReceipt":
      return encodeFunctionData({ abi: termDepositAbi, functionName: "close", args: [BigInt(action.id)] });
    case "exitEarly": {
      const args = [BigInt(action.id), action.principal, 0n] as const;
      return encodeFunctionData({ abi: termDepositAbi, functionName: "exitEarly", args });
    }
    case "demand":
      return encodeFunctionData({ abi: termDepositAbi, functionName: "demand", args: [BigInt(action.id)] });
    case "rollOver":
    case "setAutoRoll": {
      const args = [BigInt(action.id), BigInt(action.termId), 0n, BigInt(action.what)] as const;
      const functionName = action.kind === "rollOver" ? "rollover" : "setAutoRoll";
      return encodeFunctionData({ abi: termDepositAbi, functionName, args });
    }
  }
}
