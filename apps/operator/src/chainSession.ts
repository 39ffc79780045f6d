import { reserve } from "@aqua/contracts/deploy/chain";
import { readDeployment } from "@aqua/contracts/deploy/files";
import { type RevertWords, revertOf, revertText } from "@aqua/contracts/deploy/reverts";
import type { Deployment } from "@aqua/sdk/deployment";
import {
  type Abi,
  type Address,
  BaseError,
  createPublicClient,
  createWalletClient,
  defineChain,
  getAddress,
  type Hex,
  http,
  isAddress,
  type LocalAccount,
  type PublicClient,
} from "viem";
import { CommandError } from "./api.ts";
import { deploymentsFolder, keyAccount, rpcUrlOf, wholeOf } from "./chainOptions.ts";
import { keySettings } from "./keystore.ts";
import type { Terminal } from "./terminal.ts";

/** A chain and its contracts, for commands that act there. */
export interface ChainSession {
  terminal: Terminal;
  chainId: number;
  url: string;
  client: PublicClient;
  deployment: Deployment;
}

/** Options of every command on a chain. */
export interface ChainValues {
  chain?: string | undefined;
  rpc?: string | undefined;
  deployments?: string | undefined;
}

/** Options of a command that sends acts, or writes them for the account that will send them. */
export interface ActOptions {
  json?: true | undefined;
  dryRun?: true | undefined;
  export?: "safe" | undefined;
  out?: string | undefined;
  from?: string | undefined;
}

/** @throws CommandError for a missing or wrong option, and when the node does not answer or belongs to another chain */
export async function openChain(values: ChainValues, terminal: Terminal): Promise<ChainSession> {
  const chainId = wholeOf("chain", values.chain, 1);
  if (chainId === undefined) throw new CommandError("--chain must be the chain's id");
  const url = rpcUrlOf(values.rpc, terminal.environment, chainId);
  const folder = deploymentsFolder(values.deployments, terminal.environment);
  const deployment = await readDeployment(folder, chainId);
  if (deployment === null)
    throw new CommandError(
      `${folder} has no contracts of chain ${chainId}; \`aqua deploy\` writes its file, --deployments names another folder`,
    );
  const client = createPublicClient({ transport: http(url), cacheTime: 0 });
  const found = await client.getChainId().catch(() => {
    throw new CommandError("the node of the chain does not answer; see --rpc");
  });
  if (found !== chainId)
    throw new CommandError(
      `the node is of chain ${found}, not of ${chainId}; run the command again with --rpc and a node of chain ${chainId}`,
    );
  return { terminal, chainId, url, client, deployment };
}

/** What a command with --dry-run says at its end. */
export const nothingSent = "Nothing was sent. Without --dry-run the command sends it.\n";

/** Who makes a call, in words, and the setting with the key. */
export interface Caller {
  role: string;
  keySetting: string;
}

/**
 * The account that makes a call. `account` is null for a plan, which sends nothing: a plan for the account of --from needs
 * no key, and so asks for no passphrase. @throws CommandError if the sender is unknown, or has no key and must send
 */
export async function senderOf(
  { from, dryRun, export: kind }: Pick<ActOptions, "from" | "dryRun" | "export">,
  { role, keySetting }: Caller,
  terminal: Terminal,
): Promise<{ sender: Address; account: LocalAccount | null }> {
  if (from !== undefined && !isAddress(from)) throw new CommandError("--from must be an address");
  const isPlan = dryRun === true || kind !== undefined;
  if (isPlan && from !== undefined) return { sender: getAddress(from), account: null };
  const account = await keyAccount(keySetting, terminal);
  const setting = keySettings(keySetting);
  if (account === null)
    throw new CommandError(
      isPlan
        ? `--from must name the account of the ${role}, or ${setting} must be set`
        : `${setting} must be set to the key of the ${role}; --dry-run needs only --from`,
    );
  if (from !== undefined && getAddress(from) !== account.address)
    throw new CommandError(`${setting} is the key of ${account.address}, not of ${from}`);
  return { sender: account.address, account: isPlan ? null : account };
}

interface ContractCall {
  address: Address;
  abi: Abi | readonly unknown[];
  functionName: string;
  args: readonly unknown[];
}

/**
 * Sends a call. With --dry-run it only tries the call and prints `plan`, which says what changes, and the sender. Returns
 * whether it was sent. @throws CommandError in plain words
 */
export async function sendOrTry({
  session,
  options,
  caller,
  call,
  refusals,
  plan,
}: {
  session: ChainSession;
  options: Pick<ActOptions, "from" | "dryRun">;
  caller: Caller;
  call: ContractCall;
  refusals: RevertWords;
  plan: string;
}): Promise<boolean> {
  const { client, terminal } = session;
  const { role } = caller;
  const { sender, account } = await senderOf(options, caller, terminal);
  if (account !== null) {
    await sendCall({ session, account, role, call, refusals });
    return true;
  }
  await client.simulateContract({ ...call, account: sender } as never).catch((error: unknown) => {
    throw new CommandError(refusalOf({ error, sender, role, refusals }));
  });
  terminal.out(`${plan}Sender ${sender}\n\n`);
  return false;
}

/**
 * Tries the call, then sends it and waits until it is mined. Returns the hash of its transaction.
 * @throws CommandError in plain words; `role` names who may call
 */
export async function sendCall({
  session: { client, chainId, url },
  account,
  role,
  call,
  refusals,
}: {
  session: ChainSession;
  account: LocalAccount;
  role: string;
  call: ContractCall;
  refusals: RevertWords;
}): Promise<Hex> {
  const nativeCurrency = { name: "Coin", symbol: "COIN", decimals: 18 };
  const chain = defineChain({
    id: chainId,
    name: `Chain ${chainId}`,
    nativeCurrency,
    rpcUrls: { default: { http: [url] } },
  });
  const wallet = createWalletClient({ account, chain, transport: http(url) });
  try {
    const { request } = await client.simulateContract({ ...call, account } as never);
    const gas = reserve(await client.estimateContractGas({ ...call, account } as never));
    const hash = await wallet.writeContract({ ...(request as object), chain, gas } as never);
    const receipt = await client.waitForTransactionReceipt({ hash });
    if (receipt.status !== "success")
      throw new CommandError(
        `the transaction ${hash} failed on the chain and changed nothing; run the command again, which says why before it sends`,
      );
    return hash;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(refusalOf({ error, sender: account.address, role, refusals }));
  }
}

/** The reason why a contract refuses a call, in plain words where they are known. */
export function refusalOf({
  error,
  sender,
  role,
  refusals,
}: {
  error: unknown;
  sender: Address;
  role: string;
  refusals: RevertWords;
}): string {
  const revert = revertOf(error);
  if (revert?.name === "AccessManagedUnauthorized")
    return `${sender} does not hold the role of the ${role}; use the key of the account that does`;
  if (revert !== null) return revertText(revert, refusals);
  return error instanceof BaseError ? error.shortMessage : String(error);
}
