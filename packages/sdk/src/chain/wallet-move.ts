import {
  type Address,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseErc6492Signature,
  stringToHex,
  zeroAddress,
} from "viem";
import { demandVaultAbi } from "../abi/DemandVault.ts";
import { identityRegistryAbi } from "../abi/IdentityRegistry.ts";
import { redemptionQueueAbi } from "../abi/RedemptionQueue.ts";
import { termDepositAbi } from "../abi/TermDeposit.ts";
import { shownParts, switchStatement } from "../takeover.ts";
import type { ChainClient } from "./client.ts";
import { ActionError, isRevert } from "./errors.ts";
import type { Call } from "./orders.ts";
import { simulateCall } from "./transaction.ts";
import { type IdentityStatus, readStatus } from "./wallet-position.ts";

/** The holdings of a wallet in one contract that move to its successor. */
export type Position = { shortId: string; product: string; contract: Address } & (
  | { what: "shares" }
  /** Requests in a withdrawal queue. */
  | { what: "places" }
  | { what: "receipts"; ids: readonly bigint[] }
);

/** The replacement of one wallet by another on one chain, including the transfer of its holdings. */
export interface Move {
  chainId: number;
  registry: Address;
  from: Address;
  to: Address;
  positions: readonly Position[];
}

/** State of a move. */
export interface MovePosition {
  from: IdentityStatus;
  to: IdentityStatus;
  /** The successor of `from`. Null if it has none. */
  successor: Address | null;
  /** The positions that `from` still has. */
  left: Position[];
}

/** Reads the state of a move. Throws viem's errors if the chain does not answer. */
export async function readMove(
  client: ChainClient,
  { registry, from, to, positions }: Omit<Move, "chainId">,
): Promise<MovePosition> {
  const [fromStatus, toStatus, successor] = await Promise.all([
    readStatus({ client, registry, account: from }),
    readStatus({ client, registry, account: to }),
    readSuccessor(client, registry, from),
  ]);
  const left = await Promise.all(
    positions.map((position) => stillThere({ client, from, position, replaced: successor !== null })),
  );
  return { from: fromStatus, to: toStatus, successor, left: left.filter((position) => position !== null) };
}

/** Reads the successor of `wallet`. Null if it has not been replaced. */
export async function readSuccessor(client: ChainClient, registry: Address, wallet: Address): Promise<Address | null> {
  const successor = await client.readContract({
    address: registry,
    abi: identityRegistryAbi,
    functionName: "successorOf",
    args: [wallet],
  });
  return successor === zeroAddress ? null : successor;
}

/** The position according to the chain, since the server may lag behind. Null if nothing is left of it. */
async function stillThere({
  client,
  from,
  position,
  replaced,
}: {
  client: ChainClient;
  from: Address;
  position: Position;
  replaced: boolean;
}): Promise<Position | null> {
  if (position.what === "receipts") {
    const own = await Promise.all(
      position.ids.map((id) =>
        client
          .readContract({ address: position.contract, abi: termDepositAbi, functionName: "ownerOf", args: [id] })
          .then((owner) => isAddressEqual(owner, from), falseIfReverted),
      ),
    );
    const ids = position.ids.filter((_, index) => own[index]);
    return ids.length === 0 ? null : { ...position, ids };
  }
  // Only after the wallet has been replaced does a product report whether there is something to recover.
  if (!replaced) return position;
  return simulateCall({ client, owner: from }, recoverCall(from, position)).then(
    () => position,
    (error: unknown) => falseIfReverted(error) || null,
  );
}

/** Rethrows if the chain could not be reached. */
function falseIfReverted(error: unknown): false {
  if (isRevert(error)) return false;
  throw error;
}

/**
 * The old wallet's call that names its successor. `signed` is the text that the new wallet signed, and its signature.
 * Throws ActionError `switchSignature` if the text does not belong to this switch.
 */
export function switchCall(
  { registry, from, to }: Move,
  { message, signature }: { message: string; signature: Hex },
): Call {
  const parts = shownParts(message, switchStatement(from));
  if (parts === null) throw new ActionError("switchSignature");
  const args = [
    to,
    stringToHex(parts.before),
    stringToHex(parts.afterwards),
    // A contract wallet that has been deployed meanwhile needs the plain signature.
    parseErc6492Signature(signature).signature,
  ] as const;
  return { to: registry, data: encodeFunctionData({ abi: identityRegistryAbi, functionName: "switchWallet", args }) };
}

/** The call with which a product transfers the holdings of `from` to its successor. */
export function recoverCall(from: Address, position: Position): Call {
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

/** The call with which a wallet vetoes the recovery proposed against it. Frozen wallets can make it too. */
export function vetoCall(registry: Address): Call {
  return { to: registry, data: encodeFunctionData({ abi: identityRegistryAbi, functionName: "vetoRecovery" }) };
}
