import { readFile, writeFile } from "node:fs/promises";
import type { RevertWords } from "@aqua/contracts/deploy/reverts";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { readSuccessor } from "@aqua/sdk/chain/wallet-move";
import { type IdentityStatus, readStatus } from "@aqua/sdk/chain/wallet-position";
import { keySignature } from "@aqua/sdk/keySignature";
import { type Address, getAddress, type Hex, isAddress, stringToHex, toHex, zeroAddress } from "viem";
import { CommandError } from "./api.ts";
import { wholeOf } from "./chainOptions.ts";
import { type ChainSession, nothingSent, openChain, sendOrTry } from "./chainSession.ts";
import { partsOf, recoveryMessage } from "./recoveryMessage.ts";
import { jsonText, type Terminal } from "./terminal.ts";

type Values = Partial<
  Record<
    "chain" | "old" | "new" | "message" | "signature" | "out" | "validHours" | "rpc" | "deployments" | "from",
    string | undefined
  >
> & { json?: true | undefined; dryRun?: true | undefined };

const STATES: Record<IdentityStatus, string> = {
  none: "without a record",
  verified: "verified",
  exit_only: "exit-only",
  frozen: "frozen",
  retired: "retired",
};

interface Desk extends ChainSession {
  values: Values;
  registry: Address;
}

const commands = { show, message, propose, execute, cancel } satisfies Record<string, (desk: Desk) => Promise<void>>;

/** `aqua recovery`: replaces a person's wallet whose key is lost by a new one. */
export async function runRecovery(name: keyof typeof commands, values: Values, terminal: Terminal): Promise<void> {
  await commands[name](await deskOf(values, terminal));
}

async function deskOf(values: Values, terminal: Terminal): Promise<Desk> {
  const desk = await openChain(values, terminal);
  return { ...desk, values, registry: getAddress(desk.deployment.identity_registry) };
}

export function walletOf(values: { old?: string | undefined; new?: string | undefined }, name: "old" | "new"): Address {
  const text = values[name] ?? "";
  if (!isAddress(text)) throw new CommandError(`--${name} must be the address of the ${name} wallet`);
  return getAddress(text);
}

const read = ({ registry }: Desk) => ({ address: registry, abi: identityRegistryAbi }) as const;
/** Unix seconds as a minute in UTC. */
export const minute = (time: bigint) =>
  `${new Date(Number(time) * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;

async function stateOf({ client, registry }: Desk, account: Address): Promise<string> {
  return STATES[await readStatus({ client, registry, account })];
}

async function show(desk: Desk): Promise<void> {
  const wallet = walletOf(desk.values, "old");
  const [successor, executableAt, expiresAt] = await desk.client.readContract({
    ...read(desk),
    functionName: "recoveryOf",
    args: [wallet],
  });
  const heir = await readSuccessor(desk.client, desk.registry, wallet);
  const stateOrNull = (account: Address | null) => (account === null ? null : stateOf(desk, account));
  const proposed = successor === zeroAddress ? null : successor;
  const [state, heirState, proposedState] = await Promise.all([wallet, heir, proposed].map(stateOrNull));
  if (desk.values.json) {
    const recovery = proposed && {
      wallet: proposed,
      state: proposedState,
      executable_at: Number(executableAt) * 1_000,
      expires_at: Number(expiresAt) * 1_000,
    };
    return desk.terminal.out(
      jsonText({ wallet, state, successor: heir && { wallet: heir, state: heirState }, recovery }),
    );
  }
  const lines = [`Wallet     ${wallet}, ${state}`];
  if (heir !== null) lines.push(`Successor  ${heir}, ${heirState}`);
  if (proposed === null) lines.push("Recovery   none is proposed");
  else {
    lines.push(`Recovery   to ${proposed}, ${proposedState}`);
    lines.push(`           from ${minute(executableAt)} to ${minute(expiresAt)}`);
  }
  desk.terminal.out(`${lines.join("\n")}\n`);
}

/** Writes the text the new wallet must sign. */
async function message(desk: Desk): Promise<void> {
  const [oldWallet, newWallet] = [walletOf(desk.values, "old"), walletOf(desk.values, "new")];
  const [known, other] = await Promise.all(
    [oldWallet, newWallet].map((wallet) =>
      desk.client.readContract({ ...read(desk), functionName: "recordOf", args: [wallet] }),
    ),
  );
  if (!known || known.subject === 0n) throw new CommandError(`${oldWallet} has no record on chain`);
  if (other?.subject !== known.subject) {
    throw new CommandError(`${newWallet} must first be linked to the same account and have its record on chain`);
  }
  const text = recoveryMessage({
    url: serverUrl(desk.terminal),
    chainId: desk.chainId,
    oldWallet,
    newWallet,
    subject: toHex(known.subject, { size: 16 }),
    validHours: wholeOf("valid-hours", desk.values.validHours, 1) ?? 24,
  });
  const file = desk.values.out;
  if (file === undefined) return desk.terminal.out(text);
  await writeFile(file, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be written: ${error.code}`);
  });
  desk.terminal.out(`Saved ${file}; ${newWallet} signs it unchanged\n`);
}

function serverUrl({ environment }: Terminal): URL {
  const text = environment.AQUA_URL?.trim() || "http://localhost:8080";
  if (!URL.canParse(text)) throw new CommandError("AQUA_URL must be a URL that starts with http:// or https://");
  return new URL(text);
}

async function propose(desk: Desk): Promise<void> {
  const { values, terminal, chainId } = desk;
  if (values.message === undefined) throw new CommandError("--message must name the file with the signed text");
  const text = await readFile(values.message, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${values.message} cannot be read: ${error.code}`);
  });
  if (!/^0x([0-9a-f]{2})+$/i.test(values.signature ?? ""))
    throw new CommandError("--signature must be 0x and hex digits");
  const parts = partsOf(text);
  // The chain does not check this; the attester must.
  if (parts.chainId !== chainId) throw new CommandError(`the message is for chain ${parts.chainId}`);
  if (parts.domain !== serverUrl(terminal).host) {
    throw new CommandError(`the message is for ${parts.domain}, but AQUA_URL is ${serverUrl(terminal).host}`);
  }
  if (parts.expires.getTime() <= Date.now())
    throw new CommandError("the message has expired; `aqua recovery message` writes another one");
  const { oldWallet, newWallet, before, afterwards } = parts;
  const input = values.signature as Hex;
  // A contract wallet checks its signature in its own way. The signature of a key may have a form that the chain
  // rejects, so it is converted.
  const isContract = (await desk.client.getCode({ address: newWallet })) !== undefined;
  const signature = isContract ? input : (keySignature(input) ?? input);
  const sent = await act(desk, oldWallet, {
    functionName: "proposeRecovery",
    args: [oldWallet, newWallet, stringToHex(before), stringToHex(afterwards), signature],
    after: `${newWallet} is proposed to replace it; ${oldWallet} can veto this for 72 hours`,
  });
  if (sent)
    terminal.out(`Proposed. ${oldWallet} can veto it for 72 hours; after that run \`aqua recovery execute\`.\n`);
}

async function execute(desk: Desk): Promise<void> {
  const wallet = walletOf(desk.values, "old");
  const [proposed] = await desk.client.readContract({ ...read(desk), functionName: "recoveryOf", args: [wallet] });
  const sent = await act(desk, wallet, {
    functionName: "executeRecovery",
    args: [wallet],
    after: `${wallet}, retired; ${proposed} replaces it, and \`aqua recovery move\` moves the holdings`,
  });
  if (!sent) return;
  const heir = await readSuccessor(desk.client, desk.registry, wallet);
  desk.terminal.out(`Done. ${heir} replaces ${wallet}; run \`aqua recovery move\`, which moves its holdings.\n`);
}

async function cancel(desk: Desk): Promise<void> {
  const wallet = walletOf(desk.values, "old");
  const sent = await act(desk, wallet, {
    functionName: "cancelRecovery",
    args: [wallet],
    after: `no recovery is proposed; ${wallet} is not replaced`,
  });
  if (sent) desk.terminal.out(`Cancelled. ${wallet} is not replaced.\n`);
}

interface RegistryAct {
  functionName: "proposeRecovery" | "executeRecovery" | "cancelRecovery";
  args: readonly unknown[];
  /** What a dry run says of the state after it. */
  after: string;
}

/** Sends an act, or with --dry-run shows it. Returns whether it was sent. @throws CommandError with a plain message */
async function act(desk: Desk, wallet: Address, { functionName, args, after }: RegistryAct): Promise<boolean> {
  const { values: options, terminal } = desk;
  const sent = await sendOrTry({
    ...{ session: desk, options, refusals, caller: { role: "attester", keySetting: "ATTESTER_PRIVATE_KEY" } },
    call: { address: desk.registry, abi: identityRegistryAbi, functionName, args },
    plan: options.dryRun ? `Now    ${await proposalText(desk, wallet)}\nAfter  ${after}\n` : "",
  });
  if (!sent) terminal.out(nothingSent);
  return sent;
}

async function proposalText(desk: Desk, wallet: Address): Promise<string> {
  const [proposed] = await desk.client.readContract({ ...read(desk), functionName: "recoveryOf", args: [wallet] });
  const now = `${wallet}, ${await stateOf(desk, wallet)}`;
  if (proposed === zeroAddress) return `${now}; no recovery is proposed`;
  return `${now}; ${proposed}, ${await stateOf(desk, proposed)}, is proposed to replace it`;
}

export const refusals: RevertWords = {
  UnknownWallet: ([wallet]) => `${wallet} has no record on chain`,
  WalletRetired: ([wallet]) => `${wallet} is retired: another wallet has replaced it already`,
  WalletFrozen: ([wallet]) => `${wallet} is frozen`,
  WalletRevoked: ([wallet]) => `the record of ${wallet} was revoked`,
  WalletBoundToAnotherSubject: ([wallet]) => `${wallet} belongs to another account`,
  InvalidSuccessor: ([wallet]) => `${wallet} cannot replace itself`,
  InvalidWalletSignature: ([wallet]) => `${wallet} has not signed this message exactly as written`,
  SignatureUsed: ([wallet]) => `${wallet} signed this message before, and it was used; write another one`,
  RecoveryPending: ([, until]) => `a recovery is proposed already, until ${minute(until as bigint)}`,
  RecoveryTooEarly: ([, from]) =>
    `it can be executed from ${minute(from as bigint)} on; until then the wallet can veto it`,
  NoRecovery: () => "no recovery is proposed: it was vetoed, cancelled or executed, or has expired",
};
