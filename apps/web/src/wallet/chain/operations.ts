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

/** Reads the position of `account` in a vault. Throws viem's errors when the chain does not answer. */
export async function readPosition(terms: ProductTerms, account: Address): Promise<vaultPosition.Position> {
  return vaultPosition.readPosition(await clientFor(terms.chainId), terms, account);
}

/** Reads a time deposit, the given terms, and one receipt with its term. Throws viem's errors. */
export async function readTermPosition(query: termPosition.TermPositionQuery): Promise<termPosition.TermPosition> {
  return termPosition.readTermPosition(await clientFor(query.product.chainId), query);
}

/** The state of a move from one wallet to another. Throws viem's errors when the chain does not answer. */
export async function readMove(move: walletMove.Move): Promise<walletMove.MovePosition> {
  return walletMove.readMove(await clientFor(move.chainId), move);
}

/** The successor of `wallet` on a chain; null while it has none. */
export async function readSuccessor(chainId: number, registry: Address, wallet: Address): Promise<Address | null> {
  return walletMove.readSuccessor(await clientFor(chainId), registry, wallet);
}

/** Total gas of the orders, as `estimateGas` of the SDK knows it; null when one of them would fail. */
export async function estimateGas(orders: Orders): Promise<bigint | null> {
  const client = await clientFor(orders[0].terms.chainId);
  const each = await Promise.all(orders.map((order) => transaction.estimateGas(client, order)));
  return each.reduce<bigint | null>((sum, gas) => (sum === null || gas === null ? null : sum + gas), 0n);
}

/** Has the connected wallet sign a text. Throws the wallet's error, also for a rejection. */
export async function signText(account: Address, message: string): Promise<Hex> {
  const { config } = await prepareIsland();
  return signMessage(config, { account, message });
}

/**
 * Resolves when `hash` is in a block and succeeded; throws ActionError `reverted`, or viem's timeout error after 300 s.
 */
export async function waitForSuccess(chainId: number, hash: Hex): Promise<void> {
  const client = await clientFor(chainId);
  const timeout = transaction.receiptWait;
  const receipt = await client.waitForTransactionReceipt({ hash, timeout, pollingInterval: 1_000 });
  if (receipt.status !== "success") throw new ActionError("reverted", { detail: "" });
}

/**
 * Executes `orders`, reports every stage and resolves with the last. Several are one bundle where the wallet supports
 * it, else each follows once the previous one is on chain. Only a single order may pay in.
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

/** Neither a switch nor a transfer to a successor names an amount. */
const noUnits = { assetDecimals: 0, shareDecimals: 0 };

function withoutAmount(about: Pick<Description, "scope" | "kind" | "shortId" | "description">): Description {
  return { ...about, amount: null, symbol: null, ...noUnits };
}

export interface MoveOrder extends walletMove.Move {
  /** The sender: the old wallet itself, or anyone once it has been replaced. */
  sender: Address;
  /** The new wallet's signature; null once the old one has been replaced. */
  signed: { message: string; signature: Hex } | null;
}

/**
 * Has the old wallet switch to the new one where it has not, and then each product transfer the holdings. One bundle
 * where the wallet supports it, else one after another; steps before a rejection stay done, and the rest can be done
 * later.
 */
export async function performMove(order: MoveOrder, scope: string, report: Report): Promise<ActionStage> {
  const { sender, signed, from } = order;
  const session = await openSession(order.chainId, sender, (stage) => report(saysMoved(stage)));
  const steps = order.positions.map((position): Step<Description> => {
    const text = t(`move.describe.${position.what}`, { product: position.product });
    const about = withoutAmount({ scope, kind: "move", shortId: position.shortId, description: text });
    // A product transfers nothing before the wallet has switched.
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

/** A contract that has nothing to transfer reverts for an amount of zero. */
function saysMoved(stage: ActionStage): ActionStage {
  if (stage.stage !== "failed" || stage.reason.code !== "zeroAmount") return stage;
  return { ...stage, reason: { code: "movedAlready", values: {} } };
}

/** A wallet that another is to replace, and the registry that it sends its veto to. */
export interface Veto {
  chainId: number;
  registry: Address;
  wallet: Address;
}

/** Has `wallet` veto the recovery proposed against it, in one transaction, from whatever network it is on. */
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

/** Has the wallet move to the chain, unless it is there already. Throws its rejection. */
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

/** The connected wallet, as long as it is `owner`. */
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

/** Resolves when the stored transaction is no longer pending. */
function settled(owner: Address, id: string): ReturnType<Session<Description>["settled"]> {
  return new Promise((resolve) => {
    const look = () => {
      const found = getTransactions(owner).find((item) => item.id === id);
      if (found === undefined || found.stage === "pending") return;
      stop();
      resolve(found.stage);
    };
    const stop = subscribeTransactions(look);
    look();
  });
}
