import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { shownParts, switchStatement } from "@aqua/sdk/takeover";
import {
  type Address,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseErc6492Signature,
  stringToHex,
  zeroAddress,
} from "viem";
import { t } from "../../i18n/i18n.ts";
import { prepareIsland } from "../connect/config.ts";
import { runSeries } from "../lifecycle/actions.ts";
import { explainError } from "../lifecycle/explain.ts";
import { ActionError, type ActionStage, type Report } from "../lifecycle/stages.ts";
import type { Reason } from "../transactions.ts";
import { readBatching } from "./batching.ts";
import { type ChainClient, chainClient } from "./client.ts";
import type { Description } from "./describe.ts";
import type { Call } from "./orders.ts";
import { confirmed, sendBundle, sendTracked, simulate } from "./send.ts";
import { type IdentityStatus, readStatus } from "./wallet-position.ts";

/** What a wallet has in one contract and moves to its successor. */
export type Position = { shortId: string; product: string; contract: Address } & (
  | { what: "shares" }
  /** Requests in a withdrawal queue. */
  | { what: "places" }
  | { what: "receipts"; ids: readonly bigint[] }
);

/** One wallet replaces another on one chain, and its holdings are transferred. */
export interface Move {
  chainId: number;
  registry: Address;
  from: Address;
  to: Address;
  positions: readonly Position[];
}

/** State of a move. Throws viem's errors when the chain does not answer. */
export interface MovePosition {
  from: IdentityStatus;
  to: IdentityStatus;
  /** The successor of `from`; null while it has none. */
  successor: Address | null;
  /** The positions that `from` still has. */
  left: Position[];
}

export async function readMove({ chainId, registry, from, to, positions }: Move): Promise<MovePosition> {
  const { config } = await prepareIsland();
  const client = chainClient(config, chainId);
  const [fromStatus, toStatus, successor] = await Promise.all([
    readStatus({ client, registry, account: from }),
    readStatus({ client, registry, account: to }),
    successorOf(client, registry, from),
  ]);
  const retired = successor !== null;
  const left = await Promise.all(positions.map((position) => stillThere({ client, from, position, retired })));
  return {
    from: fromStatus,
    to: toStatus,
    successor,
    left: left.filter((position) => position !== null),
  };
}

/** Null while `wallet` has not been replaced. */
export async function readSuccessor(chainId: number, registry: Address, wallet: Address): Promise<Address | null> {
  const { config } = await prepareIsland();
  return successorOf(chainClient(config, chainId), registry, wallet);
}

async function successorOf(client: ChainClient, registry: Address, wallet: Address): Promise<Address | null> {
  const successor = await client.readContract({
    address: registry,
    abi: identityRegistryAbi,
    functionName: "successorOf",
    args: [wallet],
  });
  return successor === zeroAddress ? null : successor;
}

/** The position as the chain has it, since the server may lag behind; null when nothing is left of it. */
async function stillThere({
  client,
  from,
  position,
  retired,
}: {
  client: ChainClient;
  from: Address;
  position: Position;
  retired: boolean;
}): Promise<Position | null> {
  if (position.what === "receipts") {
    const own = await Promise.all(
      position.ids.map((id) =>
        client
          .readContract({ address: position.contract, abi: termDepositAbi, functionName: "ownerOf", args: [id] })
          .then((owner) => isAddressEqual(owner, from), orGone),
      ),
    );
    const ids = position.ids.filter((_, index) => own[index]);
    return ids.length === 0 ? null : { ...position, ids };
  }
  // A product says whether there is something to recover only after the wallet has been replaced.
  if (!retired) return position;
  return simulate(client, from, recoverCall(from, position)).then(
    () => position,
    (error: unknown) => orGone(error) || null,
  );
}

/** False where the contract reverted; rethrows when the chain could not be reached. */
function orGone(error: unknown): false {
  if (explainError(error, noUnits).code === "chainUnavailable") throw error;
  return false;
}

export interface MoveOrder extends Move {
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
  const { config } = await prepareIsland();
  const client = chainClient(config, order.chainId);
  const { sender, chainId } = order;
  const parts = partsOf(order, scope);
  const [first] = parts;
  if (first === undefined) throw new ActionError("movedAlready");
  const steps = {
    count: parts.length,
    batching: () => readBatching(config, sender, chainId),
    sendBatch: async () => {
      // Products transfer nothing before the switch, so their calls cannot be simulated before it.
      for (const part of order.signed === null ? parts : [first]) await simulate(client, sender, part.call);
      const description = parts.map((part) => part.description.description).join(" · ");
      const calls = parts.map((part) => part.call);
      return sendBundle({ config, client, owner: sender, calls, description: { ...first.description, description } });
    },
    one: (index: number) => {
      const { call, description } = parts[index] ?? first;
      return {
        simulate: () => simulate(client, sender, call),
        send: () => sendTracked({ config, client, owner: sender, call, description }),
      };
    },
    confirmed: (id: string) => confirmed(sender, id, { failed: "partFailed", replaced: "partReplaced" }),
  };
  return runSeries(steps, explainMove, report);
}

/** Neither a switch nor a transfer names an amount. */
const noUnits = { assetDecimals: 0, shareDecimals: 0 };

function explainMove(error: unknown): Reason {
  const reason = explainError(error, noUnits);
  return reason.code === "zeroAmount" ? { code: "movedAlready", values: {} } : reason;
}

interface Part {
  call: Call;
  description: Description;
}

function partsOf(order: MoveOrder, scope: string): Part[] {
  const describe = (shortId: string | null, description: string): Description => ({
    scope,
    kind: "move",
    shortId,
    amount: null,
    symbol: null,
    assetDecimals: 0,
    shareDecimals: 0,
    description,
  });
  const brought = order.positions.map((position) => ({
    call: recoverCall(order.from, position),
    description: describe(position.shortId, t(`move.describe.${position.what}`, { product: position.product })),
  }));
  if (order.signed === null) return brought;
  return [
    { call: switchCall(order, order.signed), description: describe(null, t("move.describe.switch")) },
    ...brought,
  ];
}

function switchCall({ registry, from, to }: Move, { message, signature }: { message: string; signature: Hex }): Call {
  const shown = shownParts(message, switchStatement(from));
  if (shown === null) throw new ActionError("switchSignature");
  const args = [
    to,
    stringToHex(shown.before),
    stringToHex(shown.afterwards),
    // A contract wallet that has been deployed since needs the plain signature.
    parseErc6492Signature(signature).signature,
  ] as const;
  return { to: registry, data: encodeFunctionData({ abi: identityRegistryAbi, functionName: "switchWallet", args }) };
}

function recoverCall(from: Address, position: Position): Call {
  const to = position.contract;
  const functionName = "recover";
  switch (position.what) {
    case "shares":
      return { to, data: encodeFunctionData({ abi: demandVaultAbi, functionName, args: [from] }) };
    case "places":
      return { to, data: encodeFunctionData({ abi: redemptionQueueAbi, functionName, args: [from] }) };
    case "receipts":
      return { to, data: encodeFunctionData({ abi: termDepositAbi, functionName, args: [from, position.ids] }) };
  }
}
