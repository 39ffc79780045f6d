import type { RevertWords } from "@aqua/contracts/deploy/reverts";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { type Position, readSuccessor } from "@aqua/sdk/chain/wallet-move";
import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, zeroAddress } from "viem";
import { CommandError } from "./api.ts";
import { table } from "./caseTable.ts";
import { requireKeyAccount } from "./chainOptions.ts";
import {
  type ActOptions,
  type ChainSession,
  type ChainValues,
  nothingSent,
  openChain,
  refusalOf,
  sendCall,
} from "./chainSession.ts";
import { type Holding, holdingsOf, listedProducts } from "./recoveredHoldings.ts";
import { minute, refusals as registryRefusals, walletOf } from "./recovery.ts";
import { saveSafeBatch } from "./safeBatch.ts";
import { jsonText, type Terminal } from "./terminal.ts";

type Options = Omit<ActOptions, "from"> & ChainValues & { old: string };

interface Call {
  what: string;
  address: Address;
  abi: Abi;
  functionName: string;
  args: readonly unknown[];
}

/** Products may reject the call for a reason that their own contract does not name. */
const refusals: RevertWords = {
  ...registryRefusals,
  NoSuccessor: ([wallet]) => `${wallet} is not replaced by another wallet`,
  ZeroAmount: () => "nothing is left to move",
  SafeCastOverflowedUintDowncast: () =>
    "the new wallet would have more than 256 requests in the queue; its owner claims some first",
};

/** `aqua recovery move`: executes a recovery that is due, and moves what the old wallet holds in every product. */
export async function moveHoldings(options: Options, terminal: Terminal): Promise<void> {
  const from = walletOf(options, "old");
  const session = await openChain(options, terminal);
  const { chainId } = session;
  const { to, isReplaced } = await successorOf(session, from);
  const products = await listedProducts(session);
  const before = await holdingsOf(session, products, from);
  const calls = [
    ...(isReplaced ? [] : [executeCall(session, from, to)]),
    ...before.map((one) => recoverCall(from, one)),
  ];
  const say = (words: string) => (options.json ? undefined : terminal.out(words));
  say(`Old wallet  ${from}\nNew wallet  ${to}${isReplaced ? "" : ", once the recovery is executed"}\n\n`);
  say(before.length === 0 ? "The old wallet holds nothing in any product.\n" : holdingsText("HOLDINGS", before));
  const transactions = calls.map((call) => ({
    ...{ to: call.address, value: "0" },
    data: encodeFunctionData(call as never) as Hex,
  }));
  const head = { chain_id: chainId, from, to, holdings: before.map(lineOf), transactions };
  if (calls.length === 0) {
    say("There is nothing to do.\n");
    if (options.json) terminal.out(jsonText({ ...head, file: null, sent: [], left: [], now_held: [] }));
    return;
  }
  const isPlan = options.dryRun === true || options.export !== undefined;
  // A product refuses until the wallet is replaced. What is sent is tried just before.
  for (const call of isPlan ? (isReplaced ? calls : calls.slice(0, 1)) : []) await tried(session, call, from);
  say(`\n${calls.map(({ what }, place) => `${place + 1}  ${what}\n`).join("")}\n`);
  let file: string | null = null;
  if (options.export === "safe") {
    file = options.out ?? `safe-${chainId}-recovery-${from}.json`;
    const description = calls.map(({ what }) => what).join("; ");
    await saveSafeBatch(file, {
      chainId,
      name: `recovery of ${from}`,
      description,
      calls: transactions.map(batchCall),
    });
    say(`Saved ${file}: load it in the Transaction Builder of the Safe. Nothing was sent.\n`);
  } else if (options.dryRun) say(nothingSent);
  if (isPlan) {
    if (options.json) terminal.out(jsonText({ ...head, file, sent: [], left: before.map(lineOf), now_held: [] }));
    return;
  }
  const { sent, failures } = await sendAll({ session, calls, isReplaced, say });
  const [left, held] = [await holdingsOf(session, products, from), await holdingsOf(session, products, to)];
  say(`\n${holdingsText("THE NEW WALLET HOLDS", held)}`);
  if (left.length > 0) say(`\n${holdingsText("STILL IN THE OLD WALLET", left)}`);
  if (options.json) {
    terminal.out(jsonText({ ...head, file, sent, left: left.map(lineOf), now_held: held.map(lineOf) }));
  }
  if (failures.length > 0)
    throw new CommandError(`${failures.join("; ")}. The rest is done; run the command again for what is left`);
}

const batchCall = ({ to, data }: { to: Address; data: Hex }) => ({ to, data });
const lineOf = ({ position: { shortId, what, contract }, text }: Holding) => ({
  ...{ product: shortId, what, contract, text },
});
const holdingsText = (head: string, holdings: readonly Holding[]) =>
  table(
    ["PRODUCT", head],
    holdings.map(({ position, text }) => [position.shortId, text]),
  );

/** @throws CommandError if the wallet is neither replaced nor may be now */
async function successorOf(
  { client, deployment }: ChainSession,
  wallet: Address,
): Promise<{ to: Address; isReplaced: boolean }> {
  const registry = getAddress(deployment.identity_registry);
  const heir = await readSuccessor(client, registry, wallet);
  if (heir !== null) return { to: heir, isReplaced: true };
  const [[proposed, executableAt], { timestamp }] = await Promise.all([
    client.readContract({ address: registry, abi: identityRegistryAbi, functionName: "recoveryOf", args: [wallet] }),
    client.getBlock(),
  ]);
  if (proposed === zeroAddress)
    throw new CommandError(`${wallet} is not replaced, and no recovery is proposed; see \`aqua recovery propose\``);
  if (timestamp < executableAt)
    throw new CommandError(
      `the recovery can be executed from ${minute(executableAt)} on; until then the wallet can veto it`,
    );
  return { to: proposed, isReplaced: false };
}

const executeCall = ({ deployment }: ChainSession, from: Address, to: Address): Call => ({
  what: `replace ${from} by ${to}`,
  ...{ address: getAddress(deployment.identity_registry), abi: identityRegistryAbi as Abi },
  ...{ functionName: "executeRecovery", args: [from] },
});

const abis: Record<Position["what"], readonly unknown[]> = {
  shares: demandVaultAbi,
  places: redemptionQueueAbi,
  receipts: termDepositAbi,
};

function recoverCall(from: Address, { position, text }: Holding): Call {
  const args = position.what === "receipts" ? [from, position.ids] : [from];
  const what = `move from ${position.shortId}: ${text}`;
  return { what, address: position.contract, abi: abis[position.what] as Abi, functionName: "recover", args };
}

/** Anyone may make these calls, so any account serves for a trial. */
async function tried({ client }: ChainSession, { what, ...call }: Call, sender: Address): Promise<void> {
  await client.simulateContract({ ...call, account: sender } as never).catch((error: unknown) => {
    throw new CommandError(`"${what}" would fail: ${refusalOf({ error, sender, role: "sender", refusals })}`);
  });
}

/** Sends the calls one after the other. One that a product refuses does not stop the others. */
async function sendAll({
  session,
  calls,
  isReplaced,
  say,
}: {
  session: ChainSession;
  calls: readonly Call[];
  isReplaced: boolean;
  say: (words: string) => void;
}): Promise<{ sent: Hex[]; failures: string[] }> {
  const account = await requireKeyAccount("ATTESTER_PRIVATE_KEY", "attester", session.terminal);
  const sent: Hex[] = [];
  const failures: string[] = [];
  for (const [place, { what, ...call }] of calls.entries()) {
    try {
      const hash = await sendCall({ session, account, role: "attester", call, refusals });
      sent.push(hash);
      say(`Sent: ${what}, transaction ${hash}\n`);
    } catch (error) {
      // Without the replacement no product moves anything.
      if (!(error instanceof CommandError) || (place === 0 && !isReplaced)) throw error;
      failures.push(`"${what}" failed: ${error.message.replace(/\s+/g, " ").replace(/\.$/, "")}`);
    }
  }
  return { sent, failures };
}
