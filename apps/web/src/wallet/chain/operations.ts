import type { ChainClient } from "@aqua/sdk/chain/client";
import { ActionError } from "@aqua/sdk/chain/errors";
import { callOf, type Order, paidIn, unitsOf } from "@aqua/sdk/chain/orders";
import type { ProductTerms } from "@aqua/sdk/chain/product-terms";
import * as termPosition from "@aqua/sdk/chain/term-position";
import type { ActionStage, Report, Session, Step, Wallet } from "@aqua/sdk/chain/transaction";
import * as transaction from "@aqua/sdk/chain/transaction";
import * as vaultPosition from "@aqua/sdk/chain/vault-position";
import { isRefusal } from "@aqua/sdk/chain/wallet-errors";
import * as walletMove from "@aqua/sdk/chain/wallet-move";
import type { Address, Hex } from "viem";
import type { Config } from "wagmi";
import {
  getAccount,
  getCapabilities,
  sendCalls,
  sendTransaction,
  signMessage,
  signTypedData,
  switchChain,
} from "wagmi/actions";
import { t } from "../../i18n/i18n.ts";
import { reportFault } from "../../report-error.ts";
import { now } from "../../server-clock.ts";
import { prepareIsland } from "../connect/config.ts";
import { trackTransaction } from "../track-transaction.ts";
import { getTransactions, nonceUnknown, subscribeTransactions } from "../transactions.ts";
import { chainClient } from "./client.ts";
import { type Description, describeApproval, describeBundle, describeOrder } from "./describe.ts";

/** Orders of one wallet on one chain, in the order of execution. */
export type Orders = readonly [Order, ...Order[]];

async function clientFor(chainId: number): Promise<ChainClient> {
  const { config } = await prepareIsland();
  return chainClient(config, chainId);
}

/** Reads the position of `account` in a vault. Throws viem's errors if the chain does not answer. */
export async function readPosition(terms: ProductTerms, account: Address): Promise<vaultPosition.Position> {
  return vaultPosition.readPosition(await clientFor(terms.chainId), terms, account);
}

/** Reads a time deposit, the given terms, and one receipt with its term. Throws viem's errors. */
export async function readTermPosition(query: termPosition.TermPositionQuery): Promise<termPosition.TermPosition> {
  return termPosition.readTermPosition(await clientFor(query.product.chainId), query);
}

/** Reads the state of a move from one wallet to another. Throws viem's errors if the chain does not answer. */
export async function readMove(move: walletMove.Move): Promise<walletMove.MovePosition> {
  return walletMove.readMove(await clientFor(move.chainId), move);
}

/** Reads the successor of `wallet` on a chain. Null if it has none. */
export async function readSuccessor(chainId: number, registry: Address, wallet: Address): Promise<Address | null> {
  return walletMove.readSuccessor(await clientFor(chainId), registry, wallet);
}

/** Sums the gas of the orders that `estimateGas` of the SDK computes. Null if one of the orders would fail. */
export async function estimateGas(orders: Orders): Promise<bigint | null> {
  const client = await clientFor(orders[0].terms.chainId);
  const each = await Promise.all(orders.map((order) => transaction.estimateGas(client, order)));
  return each.reduce<bigint | null>((sum, gas) => (sum === null || gas === null ? null : sum + gas), 0n);
}

/** Asks the connected wallet to sign a text. Throws the wallet's error, including a rejection. */
export async function signText(account: Address, message: string): Promise<Hex> {
  const { config } = await prepareIsland();
  return signMessage(config, { account, message });
}

/**
 * Resolves once `hash` is in a block and succeeded. Throws ActionError `reverted`, or viem's timeout error after 300 s.
 */
export async function waitForSuccess(chainId: number, hash: Hex): Promise<void> {
  const client = await clientFor(chainId);
  const timeout = transaction.receiptWait;
  const receipt = await client.waitForTransactionReceipt({ hash, timeout, pollingInterval: 1_000 });
  if (receipt.status !== "success") throw new ActionError("reverted", { detail: "" });
}

/**
 * Executes `orders`, reports every stage and resolves to the last one. Several orders are one bundle if the wallet
 * supports it; otherwise each is sent after the previous one is on chain. Only a single order may pay in.
 */
export async function perform(orders: Orders, scope: string, report: Report): Promise<ActionStage> {
  const [first, ...rest] = orders;
  const session = await openSession(first.terms.chainId, first.owner, report);
  if (rest.length === 0 && paidIn(first) > 0n) {
    const aboutApproval = (amount: bigint) => describeApproval(first, amount, scope);
    return transaction.runPayment({ order: first, about: describeOrder(first, scope), aboutApproval }, session);
  }
  const stepOf = (order: Order): Step<Description> => ({
    call: callOf(order),
    units: unitsOf(order),
    about: describeOrder(order, scope),
  });
  if (rest.length === 0) return transaction.runCall(stepOf(first), session);
  return transaction.runSeries([stepOf(first), ...rest.map(stepOf)], describeBundle(orders, scope), session);
}

/** A switch and a transfer to a successor have no amount. */
const noUnits = { assetDecimals: 0, shareDecimals: 0 };

function withoutAmount(about: Pick<Description, "scope" | "kind" | "shortId" | "description">): Description {
  return { ...about, amount: null, symbol: null, ...noUnits };
}

export interface MoveOrder extends walletMove.Move {
  /** The sender: the old wallet, or anyone after it has been replaced. */
  sender: Address;
  /** The new wallet's signature; null after the old wallet has been replaced. */
  signed: { message: string; signature: Hex } | null;
}

/**
 * Asks the old wallet to switch to the new one if it has not, and then each product to transfer the holdings. The steps
 * are one bundle if the wallet supports it, otherwise one transaction after another. If a step is rejected, the earlier
 * steps remain done and the rest can be done later.
 */
export async function performMove(order: MoveOrder, scope: string, report: Report): Promise<ActionStage> {
  const { sender, signed, from } = order;
  const session = await openSession(order.chainId, sender, (stage) => report(saysMoved(stage)));
  const steps = order.positions.map((position): Step<Description> => {
    const text = t(`move.describe.${position.what}`, { product: position.product });
    const about = withoutAmount({ scope, kind: "move", shortId: position.shortId, description: text });
    // A product transfers nothing before the wallet has switched, so each transfer needs the earlier step.
    const needsEarlier = signed === null ? {} : ({ needsEarlier: true } as const);
    return { call: walletMove.recoverCall(from, position), units: noUnits, about, ...needsEarlier };
  });
  if (signed !== null) {
    const about = withoutAmount({ scope, kind: "move", shortId: null, description: t("move.describe.switch") });
    steps.unshift({ call: walletMove.switchCall(order, signed), units: noUnits, about });
  }
  const [first, ...rest] = steps;
  if (first === undefined) throw new ActionError("movedAlready");
  const description = steps.map(({ about }) => about.description).join(" · ");
  return saysMoved(await transaction.runSeries([first, ...rest], { ...first.about, description }, session));
}

/**
 * A contract with nothing to transfer reverts for an amount of zero. This reports that the holdings have already moved.
 */
function saysMoved(stage: ActionStage): ActionStage {
  if (stage.stage !== "failed" || stage.reason.code !== "zeroAmount") return stage;
  return { ...stage, reason: { code: "movedAlready", values: {} } };
}

/** A wallet that another one is proposed to replace, and the registry that receives its veto. */
export interface Veto {
  chainId: number;
  registry: Address;
  wallet: Address;
}

/**
 * Sends the veto of `wallet` against the proposed recovery in one transaction. Switches the wallet's network first if
 * needed.
 */
export async function performVeto(veto: Veto, scope: string, report: Report): Promise<ActionStage> {
  const { chainId, registry, wallet } = veto;
  const session = await openSession(chainId, wallet, report);
  const send: Wallet["send"] = async (call) => {
    await moveTo(chainId);
    return session.wallet.send(call);
  };
  const about = withoutAmount({ scope, kind: "veto", shortId: null, description: t("transact.describe.veto") });
  const step = { call: walletMove.vetoCall(registry), units: noUnits, about };
  return transaction.runCall(step, { ...session, wallet: { ...session.wallet, send } });
}

/** Switches the wallet to the chain, unless it is already there. Throws the wallet's rejection. */
async function moveTo(chainId: number): Promise<void> {
  const { config } = await prepareIsland();
  if (getAccount(config).chainId === chainId) return;
  try {
    await switchChain(config, { chainId });
  } catch (error) {
    throw isRefusal(error) ? error : new ActionError("cannotSwitch", {}, { cause: error });
  }
}

async function openSession(chainId: number, owner: Address, report: Report): Promise<Session<Description>> {
  const { config } = await prepareIsland();
  return {
    client: chainClient(config, chainId),
    chainId,
    owner,
    wallet: ownersWallet(config, owner, chainId),
    track: ({ id, hash, call, about }) =>
      trackTransaction({
        ...about,
        ...{ id, hash, nonce: hash === null ? null : nonceUnknown, ...(call === null ? {} : { call }) },
        ...{ chainId, address: owner, shares: null, stage: "pending", sentAt: now() },
        ...{ block: null, reason: null, replacedBy: null, facts: {} },
      }),
    settled: (id) => settled(owner, id),
    report,
    now,
    onFault: (error) => reportFault("wallet", error),
  };
}

/** The connected wallet. Its calls throw `walletChanged` if it is no longer `owner`. */
function ownersWallet(config: Config, owner: Address, chainId: number): Wallet {
  const checkOwner = () => {
    if (getAccount(config).address?.toLowerCase() !== owner.toLowerCase()) throw new ActionError("walletChanged");
  };
  return {
    capabilities: () => getCapabilities(config, { account: owner }),
    send: async ({ to, data }) => {
      checkOwner();
      return sendTransaction(config, { account: owner, chainId, to, data });
    },
    sendBundle: async (calls) => {
      checkOwner();
      const { id } = await sendCalls(config, { account: owner, chainId, calls: [...calls], forceAtomic: true });
      return id;
    },
    signPermit: (permit) => signTypedData(config, { account: owner, ...permit }),
  };
}

/** Resolves once the stored transaction is no longer pending. */
function settled(owner: Address, id: string): ReturnType<Session<Description>["settled"]> {
  return new Promise((resolve) => {
    const look = () => {
      const transaction = getTransactions(owner).find((item) => item.id === id);
      if (transaction === undefined || transaction.stage === "pending") return;
      stop();
      resolve(transaction.stage);
    };
    const stop = subscribeTransactions(look);
    look();
  });
}
