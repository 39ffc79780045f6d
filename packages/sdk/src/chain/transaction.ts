/**
 * The life of a transaction from order to confirmed, failed, replaced or dropped.
 *
 * 1. `runPayment`, `runCall` and `runSeries` simulate, ask the wallet to sign and send, and pass the sent transaction to
 *    `session.track`.
 * 2. `watchTransaction` and `watchBundle` follow a sent transaction until the chain has decided, even after a reload.
 *
 * Every stage is data. A rejection in the wallet ends an action without an error. Every other error becomes a `Reason`.
 */
import { type Address, erc20Abi, type Hex, isAddressEqual, type Log } from "viem";
import { formatUnits } from "../maths/units.ts";
import type { ChainClient } from "./client.ts";
import {
  ActionError,
  explainError,
  isRevert,
  mayLackAllowance,
  mayLackPermit,
  type Reason,
  type Units,
} from "./errors.ts";
import { approvalOf, type Call, callOf, type Order, type PermitSignature, paidIn, unitsOf } from "./orders.ts";
import { type PermitRequest, permitRequest, splitPermit } from "./permit.ts";
import { isRefusal, isUnknownBundle, isUnsupported } from "./wallet-errors.ts";

/** Receipt timeout of the specification, in milliseconds. After it the chain is polled at the slower interval below. */
export const receiptWait = 300_000;
const slowInterval = 30_000;
/** Milliseconds between two reads of an allowance. */
const allowancePause = 3_000;
/** Timeout of wallet_getCapabilities in milliseconds. Some wallets never answer an unknown method. */
const capabilitiesTimeout = 3_000;
/** The number of past blocks in which to search for the transaction that used a nonce. */
const searchDepth = 20n;

// Stages of an action --------------------------------------------------------------------------------------------------

/**
 * What the wallet signs. `reset`: an allowance of 0. `batch`: allowance and payment, or several actions, in one bundle
 * (EIP-5792).
 */
export type Signing = "permit" | "reset" | "approval" | "transaction" | "batch" | "message";

/** The position of an action among several consecutive ones, counted from 1. */
export interface Part {
  index: number;
  of: number;
}

/** Stage of an action until its transaction is sent. From `sent` on, `watchTransaction` reports the outcome. */
export type ActionStage =
  | { stage: "idle" }
  | { stage: "simulating"; part?: Part }
  | { stage: "signing"; what: Signing; part?: Part }
  /** The approval must be on chain before the payment can be sent. */
  | { stage: "approving"; id: string; part?: Part }
  /** The previous action must be on chain before the next one is requested. */
  | { stage: "waiting"; id: string; part?: Part }
  | { stage: "sent"; id: string }
  /** `partDone`: an earlier action is on chain. */
  | { stage: "failed"; reason: Reason; partDone?: true };

export type Report = (stage: ActionStage) => void;

/** Stage of a sent transaction. `dropped`: no node has it any more. It is still followed, since it may return. */
export type SentStage = "pending" | "confirmed" | "failed" | "replaced" | "dropped";

// Sending --------------------------------------------------------------------------------------------------------------

/** The sender's wallet. Each method throws the wallet's error, including a rejection. */
export interface Wallet {
  /** Capabilities by chain id (EIP-5792). Those of chain 0 apply to every chain. */
  capabilities(): Promise<Record<number, Capabilities | undefined>>;
  /** Sends one call. Resolves to the hash. */
  send(call: Call): Promise<Hex>;
  /** Sends several calls that succeed or fail together. Resolves to the id of the bundle. */
  sendBundle(calls: readonly Call[]): Promise<string>;
  signPermit(permit: PermitRequest): Promise<Hex>;
}

export interface Capabilities {
  atomic?: { status?: string } | undefined;
  /** The field that an earlier draft of EIP-5792 used. */
  atomicBatch?: { supported?: boolean | undefined } | undefined;
}

/** One call, the units of its errors, and the data that the application stores `about` it. */
export interface Step<About> {
  call: Call;
  units: Units;
  about: About;
  /**
   * Set if the call reverts until an earlier step of the same bundle has taken effect. It cannot be simulated before
   * that.
   */
  needsEarlier?: true;
}

/** A sent transaction. `hash` and `call` are null for a bundle, which has only the wallet's id. */
export interface Sent<About> {
  id: string;
  hash: Hex | null;
  call: Call | null;
  about: About;
}

/** The dependencies of an action. */
export interface Session<About> {
  client: ChainClient;
  chainId: number;
  owner: Address;
  wallet: Wallet;
  /**
   * Called immediately after sending, before the chain is read again, because a reload must not lose the sent
   * transaction.
   */
  track(sent: Sent<About>): void;
  /** Resolves once the tracked transaction with this id is no longer pending. */
  settled(id: string): Promise<Exclude<SentStage, "pending">>;
  report: Report;
  /** Unix milliseconds. */
  now(): number;
  /** Receives an error that no catalog text explains. */
  onFault(error: unknown): void;
}

/** A payment: an order that pays in, and the data stored about it and about its approvals. */
export interface Payment<About> {
  order: Order;
  about: About;
  aboutApproval(amount: bigint): About;
}

/** Simulates `step`, asks the wallet to send it, and resolves to the last stage. */
export function runCall<About>(step: Step<About>, session: Session<About>): Promise<ActionStage> {
  const units = () => step.units;
  return run(session, units, () => simulateAndSend(step, session, session.report));
}

/**
 * Sends all steps in one bundle if the wallet already supports batching, otherwise one after another. If a step is
 * rejected, earlier steps remain done.
 */
export function runSeries<About>(
  steps: readonly [Step<About>, ...Step<About>[]],
  aboutBundle: About,
  session: Session<About>,
): Promise<ActionStage> {
  let current = steps[0];
  let partDone = false;
  const report: Report = (stage) =>
    session.report(stage.stage === "failed" && partDone ? { ...stage, partDone } : stage);
  const reporting = { ...session, report };
  const units = () => current.units;
  return run(reporting, units, async () => {
    if (steps.length > 1 && (await readBatching(session)) === "supported") {
      for (const step of steps) if (!step.needsEarlier) await simulateCall(session, step.call);
      const id = await tryBundle({ calls: steps.map(({ call }) => call), about: aboutBundle }, reporting);
      if (id !== null) return id;
    }
    for (const [index, step] of steps.entries()) {
      current = step;
      const part = { index: index + 1, of: steps.length };
      if (index > 0) report({ stage: "simulating", part });
      const id = await simulateAndSend(step, session, (stage) =>
        report(stage.stage === "signing" ? { ...stage, part } : stage),
      );
      if (part.index === part.of) return id;
      report({ stage: "waiting", id, part });
      await confirmed(id, { failed: "partFailed", replaced: "partReplaced" }, session);
      partDone = true;
    }
    throw new Error("A series has at least one step");
  });
}

/**
 * Pays in with the first of these methods that is possible:
 * 1. one transaction, if the allowance suffices;
 * 2. a bundle of approval and payment, if the wallet already supports batching;
 * 3. a permit signature and one transaction, if the token accepts the permit (it may reject one from an account with
 *    code, EIP-7702);
 * 4. a bundle of approval and payment, if the wallet's owner lets it upgrade the account;
 * 5. an approval of exactly this amount, then the payment.
 *
 * Before a new approval, a remaining allowance is set to 0 if the token requires it.
 */
export function runPayment<About>(payment: Payment<About>, session: Session<About>): Promise<ActionStage> {
  const { order, about } = payment;
  const { client, report } = session;
  const units = unitsOf(order);
  const payWith = (permit: PermitSignature | null): Step<About> => ({ call: callOf(order, permit), units, about });
  return run(
    session,
    () => units,
    async () => {
      const assets = paidIn(order);
      const allowance = await readAllowance(client, order);
      if (allowance >= assets) return simulateAndSend(payWith(null), session, report);
      await rehearse(order, session);
      const approvals = allowance > 0n && (await mustReset(order, session)) ? [0n, assets] : [assets];
      const calls = [...approvals.map((amount) => approvalOf(order, amount)), callOf(order)];
      const batching = await readBatching(session);
      if (batching === "supported") {
        const id = await tryBundle({ calls, about }, session);
        if (id !== null) return id;
      }
      const permit = await tryPermit(order, session);
      if (permit !== null) return send(payWith(permit), session, report);
      if (batching === "ready") {
        const id = await tryBundle({ calls, about }, session);
        if (id !== null) return id;
      }
      for (const amount of approvals) await approve({ payment, amount }, session);
      report({ stage: "simulating" });
      return simulateAndSend(payWith(null), session, report);
    },
  );
}

/** Runs an action to its last stage and reports every stage. A rejection returns to `idle` without a message. */
async function run<About>(
  session: Session<About>,
  units: () => Units,
  action: () => Promise<string>,
): Promise<ActionStage> {
  session.report({ stage: "simulating" });
  let last: ActionStage;
  try {
    last = { stage: "sent", id: await action() };
  } catch (error) {
    if (isRefusal(error)) last = { stage: "idle" };
    else {
      const reason = explainError(error, units());
      if (reason.code === "unknown") session.onFault(error);
      last = { stage: "failed", reason };
    }
  }
  session.report(last);
  return last;
}

async function simulateAndSend<About>(step: Step<About>, session: Session<About>, report: Report): Promise<string> {
  await simulateCall(session, step.call);
  return send(step, session, report);
}

async function send<About>({ call, about }: Step<About>, session: Session<About>, report: Report): Promise<string> {
  report({ stage: "signing", what: "transaction" });
  return sendAndTrack(call, about, session);
}

async function sendAndTrack<About>(call: Call, about: About, { wallet, track }: Session<About>): Promise<string> {
  const hash = await wallet.send(call);
  track({ id: hash, hash, call, about });
  return hash;
}

/** Simulates `call` on the newest block. Throws its error. */
export async function simulateCall(
  { client, owner }: { client: ChainClient; owner: Address },
  call: Call,
): Promise<void> {
  await client.call({ account: owner, ...call });
}

/** Resolves to the id of the bundle, or to null if the wallet does not accept the bundle. Rethrows a rejection. */
async function tryBundle<About>(
  { calls, about }: { calls: readonly Call[]; about: About },
  { wallet, track, report }: Session<About>,
): Promise<string | null> {
  report({ stage: "signing", what: "batch" });
  try {
    const id = await wallet.sendBundle(calls);
    track({ id, hash: null, call: null, about });
    return id;
  } catch (error) {
    if (isRefusal(error) || !isUnsupported(error)) throw error;
    report({ stage: "simulating" });
    return null;
  }
}

/**
 * The wallet's support for executing several calls in one bundle. `supported`: yes. `ready`: after its owner allows an
 * upgrade of the account. Null: no.
 */
type Batching = "supported" | "ready" | null;

async function readBatching<About>({ wallet, chainId }: Session<About>): Promise<Batching> {
  const silence = new Promise<null>((resolve) => setTimeout(() => resolve(null), capabilitiesTimeout));
  const all = await Promise.race([wallet.capabilities().catch(() => null), silence]);
  const capabilities = all === null ? undefined : (all[chainId] ?? all[0]);
  const status = capabilities?.atomic?.status;
  if (status === "supported" || capabilities?.atomicBatch?.supported === true) return "supported";
  return status === "ready" ? "ready" : null;
}

/**
 * Chain, token and wallet for which a permit had no effect. The wallet is not asked for another one during this visit.
 */
const permitless = new Set<string>();

/** A permit that the token accepts. Null if a permit is not possible. Rethrows a rejection. */
async function tryPermit<About>(order: Order, session: Session<About>): Promise<PermitSignature | null> {
  const { client, wallet, report } = session;
  const { asset, chainId } = order.terms;
  const key = `${chainId} ${asset} ${order.owner}`;
  if (permitless.has(key)) return null;
  const request = await permitRequest({ client, order, now: session.now() });
  if (request === null) return null;
  report({ stage: "signing", what: "permit" });
  let permit: PermitSignature;
  try {
    permit = splitPermit(request, await wallet.signPermit(request));
  } catch (error) {
    if (!isRefusal(error) && isUnsupported(error)) return null;
    throw error;
  }
  report({ stage: "simulating" });
  try {
    await simulateCall(session, callOf(order, permit));
    return permit;
  } catch (error) {
    if (!mayLackPermit(error)) throw error;
    permitless.add(key);
    return null;
  }
}

/** Asks the wallet to approve `amount`. Resolves once the chain shows exactly this allowance. */
async function approve<About>(
  { payment, amount }: { payment: Payment<About>; amount: bigint },
  session: Session<About>,
): Promise<void> {
  const { order, aboutApproval } = payment;
  session.report({ stage: "signing", what: amount > 0n ? "approval" : "reset" });
  const id = await sendAndTrack(approvalOf(order, amount), aboutApproval(amount), session);
  session.report({ stage: amount > 0n ? "approving" : "waiting", id });
  const sent = confirmed(id, { failed: "approvalFailed", replaced: "approvalReplaced" }, session);
  await untilAllowed(sent, async () => (await readAllowance(session.client, order)) === amount);
}

/**
 * Resolves once the allowance exists, no matter which transaction set it: a contract wallet may return a hash that
 * never appears. Rejects like `sent` if that ends without the allowance.
 */
async function untilAllowed(sent: Promise<void>, isAllowed: () => Promise<boolean>): Promise<void> {
  let ended = false;
  const settled = sent
    .catch(() => undefined)
    .then(() => {
      ended = true;
    });
  // A node that does not answer proves nothing about the allowance.
  const look = () => isAllowed().catch(() => false);
  while (!ended) {
    if (await look()) return;
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, allowancePause))]);
  }
  if (!(await look())) return sent;
}

/** Resolves once the tracked transaction is confirmed. Throws an ActionError for any other outcome. */
async function confirmed<About>(
  id: string,
  codes: { failed: string; replaced: string },
  { settled }: Session<About>,
): Promise<void> {
  const stage = await settled(id);
  if (stage === "dropped") throw new ActionError("stepLost");
  if (stage !== "confirmed") throw new ActionError(codes[stage]);
}

function readAllowance(client: ChainClient, { terms, owner }: Order): Promise<bigint> {
  return client.readContract({
    address: terms.asset,
    abi: erc20Abi,
    functionName: "allowance",
    args: [owner, terms.contract],
  });
}

/**
 * Simulates a payment before there is an allowance. The vault checks identity, pause, cap, report and minimum first and
 * transfers the money last. An error that none of the contracts has therefore means that all these checks passed. Other
 * objections of the token appear only once there is an allowance, when the payment is simulated in full. A time deposit
 * transfers the money first: its form does those checks, and they run again in the full simulation.
 */
async function rehearse(order: Order, session: { client: ChainClient; owner: Address }): Promise<void> {
  const { terms, owner } = order;
  const assets = paidIn(order);
  const balance = await session.client.readContract({
    address: terms.asset,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [owner],
  });
  if (balance < assets) {
    const format = (value: bigint) => formatUnits(value, terms.assetDecimals);
    throw new ActionError("insufficientBalance", { balance: format(balance), needed: format(assets) });
  }
  try {
    await simulateCall(session, callOf(order));
  } catch (error) {
    if (!mayLackAllowance(error)) throw error;
  }
}

/** True if the token rejects the approval while an earlier allowance remains, as USDT does. */
async function mustReset(order: Order, session: { client: ChainClient; owner: Address }): Promise<boolean> {
  try {
    await simulateCall(session, approvalOf(order, paidIn(order)));
    return false;
  } catch (error) {
    if (isRevert(error)) return true;
    throw error;
  }
}

/** Measured with an ERC20Permit asset and a wallet without earlier permits; see docs/developers/wallets.md. */
const gasWithPermit = { deposit: 130_000n, open: 190_000n };

/**
 * The gas of an order, estimated by the node. Null if the order would fail. A payment without allowance cannot be
 * estimated before its permit is signed, so a measured figure is used instead.
 */
export async function estimateGas(client: ChainClient, order: Order): Promise<bigint | null> {
  if (order.action === "deposit" || order.action === "open") {
    if ((await readAllowance(client, order)) < order.assets) return gasWithPermit[order.action];
  }
  return client.estimateGas({ account: order.owner, ...callOf(order) }).catch(() => null);
}

// Following what was sent ----------------------------------------------------------------------------------------------

/** The time source of a watch. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Resolves with the chain's next block, or after this many milliseconds. */
  nextBlock(milliseconds: number): Promise<void>;
  sleep(milliseconds: number): Promise<void>;
}

export interface Watch {
  client: ChainClient;
  /** The sender. */
  address: Address;
  units: Units;
  clock: Clock;
  /** Ends the watch without an outcome once it returns true. */
  stopped(): boolean;
}

/** The final outcome of a sent transaction. */
export type Outcome =
  | { stage: "confirmed"; hash: Hex; block: number; logs: readonly Log[] }
  /** `hash` and `block` are null if it never reached the chain. `reason` is null if it could not be found. */
  | { stage: "failed"; hash: Hex | null; block: number | null; reason: Reason | null }
  /**
   * `by` is a transaction that does something else. It is null if none could be found or compared; this one may then
   * have taken effect with a higher fee. `cancelled`: the wallet replaced it by an empty transaction to itself, which
   * is how wallets cancel.
   */
  | { stage: "replaced"; by: Hex | null; cancelled: boolean };

/** The effect of a transaction, apart from its fee. */
export interface Effect {
  to: string | null;
  input: string;
  value: bigint;
}

interface ChainTransaction extends Effect {
  hash: Hex;
  from: string;
  nonce: number;
}

interface MinedReceipt {
  hash: Hex;
  success: boolean;
  block: number;
  logs: readonly Log[];
}

/**
 * Follows one sent transaction until it is mined or another one has used its nonce, even while no node has it. A
 * resubmission with a higher fee (same receiver, data and value) counts as the same transaction. A node that does not
 * answer is asked again. Resolves to null if stopped.
 *
 * `effect` is null if it was not stored. `keep` receives data that must survive a reload: the nonce once a node has the
 * transaction, and the stage `dropped` if no node has had it for the whole receipt timeout.
 */
export async function watchTransaction(
  sent: { hash: Hex; nonce: number; effect: Effect | null },
  watch: Watch,
  keep: (found: { nonce: number } | { stage: "pending" | "dropped" }) => void,
): Promise<Outcome | null> {
  const { client, address, clock } = watch;
  let known: ChainTransaction | null = null;
  let { nonce } = sent;
  let missingSince: number | null = null;
  let dropped = false;
  return untilKnown(watch, () => ask().catch(() => null));

  async function ask(): Promise<Outcome | null> {
    const mined = await receiptOf(client, sent.hash);
    if (mined !== null) return outcomeOf(mined, watch);
    const pending = await transactionOf(client, sent.hash);
    known = pending ?? known;
    if (known !== null && known.nonce !== nonce) {
      nonce = known.nonce;
      keep({ nonce });
    }
    if ((await client.getTransactionCount({ address, blockTag: "latest" })) <= nonce) {
      noteMissing(pending === null);
      return null;
    }
    // The nonce is used. A block may have been mined between the two queries, so the receipt is fetched once more.
    const late = await receiptOf(client, sent.hash);
    if (late !== null) return outcomeOf(late, watch);
    const other = await minedWithNonce(watch, nonce);
    const effect = known ?? sent.effect;
    if (other === null || (effect === null && other.hash !== sent.hash))
      return { stage: "replaced", by: null, cancelled: false };
    if (other.hash !== sent.hash && effect !== null && !isSame(other, effect))
      return { stage: "replaced", by: other.hash, cancelled: isEmpty(other) };
    const receipt = await receiptOf(client, other.hash);
    // If a node has the block but not its receipts yet, it is asked again.
    return receipt && outcomeOf(receipt, watch);
  }

  function noteMissing(isMissing: boolean): void {
    missingSince = isMissing ? (missingSince ?? clock.now()) : null;
    const isDropped = missingSince !== null && clock.now() - missingSince >= receiptWait;
    if (isDropped !== dropped) keep({ stage: isDropped ? "dropped" : "pending" });
    dropped = isDropped;
  }
}

/** A bundle's status in the wallet (EIP-5792). */
export interface BundleStatus {
  /** 100 pending, 200 confirmed, 400 never sent, 500 reverted, 600 partly executed. */
  code: number;
  hashes: readonly Hex[];
}

/**
 * Follows a bundle. `status` asks the wallet, which names the transaction that included the bundle; our own node
 * decides whether that transaction succeeded. A wallet that does not answer, for example because it is disconnected, is
 * asked again. Resolves to null if stopped.
 */
export async function watchBundle(status: () => Promise<BundleStatus>, watch: Watch): Promise<Outcome | null> {
  const failed = (code: string, mined: MinedReceipt | null = null): Outcome => ({
    stage: "failed",
    hash: mined?.hash ?? null,
    block: mined?.block ?? null,
    reason: { code, values: {} },
  });
  return untilKnown(watch, () =>
    ask().catch((error: unknown) => (isUnknownBundle(error) ? failed("batchUnknown") : null)),
  );

  async function ask(): Promise<Outcome | null> {
    const { code, hashes } = await status();
    if (code < 200) return null;
    const last = hashes.at(-1);
    const receipt = last === undefined ? null : await receiptOf(watch.client, last);
    if (code >= 600) return failed("batchPartly", receipt);
    if (receipt !== null) return outcomeOf({ ...receipt, success: receipt.success && code < 300 }, watch);
    // The bundle is confirmed or reverted, but our node does not have the block yet.
    if (last !== undefined || code < 300) return null;
    return failed("batchUnsent");
  }
}

/**
 * Asks at every block until there is an outcome, and less often after the receipt timeout. Resolves to null if stopped.
 */
async function untilKnown(
  { client, clock, stopped }: Watch,
  ask: () => Promise<Outcome | null>,
): Promise<Outcome | null> {
  const start = clock.now();
  const interval = Math.min(client.pollingInterval, 2_000);
  while (!stopped()) {
    const outcome = await ask();
    if (outcome !== null) return outcome;
    await (clock.now() - start < receiptWait ? clock.nextBlock(interval) : clock.sleep(slowInterval));
  }
  return null;
}

async function outcomeOf({ success, ...mined }: MinedReceipt, watch: Watch): Promise<Outcome> {
  if (success) return { stage: "confirmed", ...mined };
  const { hash, block } = mined;
  return { stage: "failed", hash, block, reason: await reasonOf(mined, watch) };
}

/**
 * Simulates the failed call again on the state before its block to find the reason of the revert. Null if the reason is
 * not found: the node does not answer or has no state that old, or the call would have succeeded there.
 */
async function reasonOf(
  { hash, block }: { hash: Hex; block: number },
  { client, units }: Watch,
): Promise<Reason | null> {
  try {
    const { from: account, to, input: data, value } = await client.getTransaction({ hash });
    await client.call({ account, to, data, value, blockNumber: BigInt(block - 1) });
    return null;
  } catch (error) {
    return isRevert(error) ? explainError(error, units) : null;
  }
}

async function receiptOf(client: ChainClient, hash: Hex): Promise<MinedReceipt | null> {
  const receipt = await client.getTransactionReceipt({ hash }).catch(nullIf("TransactionReceiptNotFoundError"));
  return (
    receipt && {
      hash: receipt.transactionHash,
      success: receipt.status === "success",
      block: Number(receipt.blockNumber),
      logs: receipt.logs,
    }
  );
}

/** The transaction, pending or mined. Null if the node does not have it. */
function transactionOf(client: ChainClient, hash: Hex): Promise<ChainTransaction | null> {
  return client.getTransaction({ hash }).catch(nullIf("TransactionNotFoundError"));
}

/** The sender's transaction with this nonce in a recent block. Null if there is none. */
async function minedWithNonce({ client, address }: Watch, nonce: number): Promise<ChainTransaction | null> {
  // viem caches the head for some seconds, so the searched block could be missing.
  const head = await client.getBlockNumber({ cacheTime: 0 });
  for (let number = head; number > head - searchDepth && number > 0n; number--) {
    const block = await client.getBlock({ blockNumber: number, includeTransactions: true });
    const found = block.transactions.find((item) => isAddressEqual(item.from, address) && item.nonce === nonce);
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Returns null for viem's error of this name. Any other failure of a node proves nothing about the transaction and is
 * rethrown, so that the node is asked again.
 */
const nullIf = (name: string) => (error: Error) => {
  if (error.name === name) return null;
  throw error;
};

function isEmpty({ from, to, input, value }: ChainTransaction): boolean {
  return to?.toLowerCase() === from.toLowerCase() && input === "0x" && value === 0n;
}

function isSame(a: Effect, b: Effect): boolean {
  return a.to?.toLowerCase() === b.to?.toLowerCase() && a.input === b.input && a.value === b.value;
}
