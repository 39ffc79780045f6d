import { DeployChain } from "@aqua/contracts/deploy/chain";
import { type OwnerTask, ownerTask } from "@aqua/contracts/deploy/ownerTask";
import { type CallAct, stateOf, transactionNow, whatNow } from "@aqua/contracts/deploy/product";
import { momentText } from "@aqua/contracts/deploy/settingText";
import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { type IdentityStatus, readStatus } from "@aqua/sdk/chain/wallet-position";
import { type Abi, type Address, decodeFunctionData, encodeFunctionData, getAddress, type Hex, isAddress } from "viem";
import { CommandError } from "./api.ts";
import { keyAccount } from "./chainOptions.ts";
import {
  type ActOptions,
  type ChainSession,
  type ChainValues,
  nothingSent,
  openChain,
  refusalOf,
  sendCall,
} from "./chainSession.ts";
import { keySettings } from "./keystore.ts";
import { saveSafeBatch } from "./safeBatch.ts";
import { jsonText, type Terminal } from "./terminal.ts";

type Options = ActOptions & ChainValues;

type Name = "freeze" | "unfreeze";

const roleOf = { freeze: "guardian", unfreeze: "owner" } as const;
const keyOf = { freeze: "GUARDIAN_PRIVATE_KEY", unfreeze: "OWNER_PRIVATE_KEY" } as const;
const REVOKED = 1;

/** What a state means for the holder of the wallet. */
const meanings: Record<Exclude<IdentityStatus, "none" | "retired">, string> = {
  verified: "verified: may deposit, transfer, withdraw and claim",
  exit_only: "exit-only: may only withdraw and claim to itself, or switch to another wallet of its account",
  frozen:
    "frozen: may neither deposit, transfer, withdraw, claim nor switch, and is not paid at maturity; may still veto a recovery. Its holdings stay its own and earn on",
};

interface WalletState {
  wallet: Address;
  status: keyof typeof meanings;
  /** The state once no freeze is in force. */
  unfrozen: "verified" | "exit_only";
  validUntil: number;
}

/** `aqua identity freeze` and `aqua identity unfreeze` */
export async function setFrozen(
  { name, wallet: text }: { name: Name; wallet: string },
  options: Options,
  terminal: Terminal,
): Promise<void> {
  if (!isAddress(text)) throw new CommandError(`${text} is not the address of a wallet`);
  const session = await openChain(options, terminal);
  const state = await walletState(session, getAddress(text));
  const say = (words: string) => (options.json ? undefined : terminal.out(words));
  const next = name === "freeze" ? "frozen" : state.unfrozen;
  const isDone = (state.status === "frozen") === (name === "freeze");
  say(`${stateText(state)}${isDone ? "" : `After   ${meanings[next]}\n`}\n`);
  const head = { wallet: state.wallet, chain_id: session.chainId, act: name, state: state.status };
  if (isDone) {
    say(`There is nothing to do: the wallet is ${name === "freeze" ? "frozen already" : "not frozen"}.\n`);
    if (options.json)
      terminal.out(jsonText({ ...head, step: null, by: null, transaction: null, file: null, sent: [] }));
    return;
  }
  const done = await carryOut({ session, name, state, options, say });
  if (options.json) terminal.out(jsonText({ ...head, ...done }));
}

/** @throws CommandError for a wallet that can be neither frozen nor unfrozen */
async function walletState({ client, deployment, chainId }: ChainSession, wallet: Address): Promise<WalletState> {
  const registry = getAddress(deployment.identity_registry);
  const [status, record, { timestamp }] = await Promise.all([
    readStatus({ client, registry, account: wallet }),
    client.readContract({ address: registry, abi: identityRegistryAbi, functionName: "recordOf", args: [wallet] }),
    client.getBlock(),
  ]);
  if (status === "none") throw new CommandError(`${wallet} has no record on chain ${chainId}, so it can hold nothing`);
  if (status === "retired")
    throw new CommandError(
      `${wallet} is retired: another wallet has replaced it, and \`aqua recovery show --old ${wallet}\` names that one`,
    );
  const isValid = (record.flags & REVOKED) === 0 && timestamp <= record.validUntil;
  const unfrozen = isValid ? "verified" : "exit_only";
  return { wallet, status, unfrozen, validUntil: Number(record.validUntil) };
}

const stateText = ({ wallet, status, validUntil }: WalletState) =>
  `Wallet  ${wallet}\nNow     ${meanings[status]}\nRecord  valid until ${momentText(validUntil)}\n`;

interface Planned {
  session: ChainSession;
  name: Name;
  state: WalletState;
  options: Options;
  say: (words: string) => void;
}

/** Sends the act or its announcement, writes it to a batch file of a Safe, or leaves it at showing it. */
async function carryOut({ session, name, state: { wallet }, options, say }: Planned) {
  const { terminal, chainId } = session;
  if (options.from !== undefined && !isAddress(options.from)) throw new CommandError("--from must be an address");
  const isPlan = options.dryRun === true || options.export !== undefined;
  const setting = keyOf[name];
  const account = isPlan && options.from !== undefined ? null : await keyAccount(setting, terminal);
  if (!isPlan && account === null)
    throw new CommandError(
      `${keySettings(setting)} must be set to the key of the ${roleOf[name]}; --dry-run and --export need none`,
    );
  const sender = options.from === undefined ? (account?.address ?? null) : getAddress(options.from);
  if (account !== null && sender !== account.address)
    throw new CommandError(`${keySettings(setting)} is the key of ${account.address}, not of ${sender}`);
  const { task, time } = await taskOf(session, { name, wallet, sender });
  const act: CallAct = { ...task, kind: "call", role: roleOf[name], changes: [] };
  const transaction = transactionNow(act, time);
  if (transaction === null || task.by === null) throw new CommandError(waitText(task));
  const step = stateOf(act, time) === "schedule" ? "schedule" : "send";
  const call = { address: transaction.to, abi: allAbi, ...decodeFunctionData({ abi: allAbi, data: transaction.data }) };
  const tried = { ...call, args: call.args ?? [], account: task.by };
  await session.client.simulateContract(tried as never).catch((error: unknown) => {
    throw new CommandError(refusalOf({ error, sender: task.by as Address, role: roleOf[name], refusals: {} }));
  });
  say(`${whatNow(act, time)}, by the ${roleOf[name]} ${task.by}\n`);
  const sent: Hex[] = [];
  let file: string | null = null;
  if (options.export === "safe") {
    file = options.out ?? `safe-${chainId}-${name}-${wallet}.json`;
    const description = whatNow(act, time);
    await saveSafeBatch(file, { chainId, name: `${name} ${wallet}`, description, calls: [transaction] });
    say(`Saved ${file}: load it in the Transaction Builder of the Safe. Nothing was sent.\n`);
  } else if (options.dryRun) say(nothingSent);
  else if (account !== null) {
    const hash = await sendCall({ session, account, role: roleOf[name], call: tried, refusals: {} });
    sent.push(hash);
    say(`Sent: transaction ${hash}\n`);
  }
  if (step === "schedule")
    say(`It is announced first. After ${task.delay} s and within a week, the same command carries it out.\n`);
  return { step, by: task.by, delay_seconds: task.delay, transaction: { ...transaction, value: "0" }, file, sent };
}

const allAbi = [...identityRegistryAbi, ...accessManagerAbi] as Abi;

/** How the act is done now: by the sender, or by the account that has the role. */
async function taskOf(
  { client, url, chainId, deployment }: ChainSession,
  { name, wallet, sender }: { name: Name; wallet: Address; sender: Address | null },
): Promise<{ task: OwnerTask; time: number }> {
  const chain = await DeployChain.connect(url, chainId);
  const accessManager = getAddress(deployment.access_manager);
  const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: name, args: [wallet] });
  const call = { what: `${name} ${wallet}`, to: getAddress(deployment.identity_registry), data, reads: [] };
  const find = (candidates: readonly Address[]) => ownerTask({ chain, accessManager, call, candidates });
  const time = Number((await client.getBlock()).timestamp);
  const own = sender === null ? null : await find([sender]);
  if (own !== null && own.by !== null) return { task: own, time };
  const members = await chain.members(accessManager, deployment.start_block);
  const task = await find([...new Set(members.map(({ account }) => account))]);
  if (sender === null && task.by !== null) return { task, time };
  const holder = task.by === null ? "no account holds it" : `${task.by} does`;
  throw new CommandError(
    sender === null
      ? `no account holds the role of the ${roleOf[name]}`
      : `${sender} does not hold the role of the ${roleOf[name]}, ${holder}; use that account's key`,
  );
}

function waitText({ what, scheduled }: OwnerTask): string {
  if (scheduled === null) throw new Error(`nothing can be sent: ${what}`);
  return `"${what}" is announced: run the same command between ${momentText(scheduled.from)} and ${momentText(scheduled.until)}`;
}
