import { buildContracts } from "@aqua/contracts/deploy/build";
import { ConfigFault } from "@aqua/contracts/deploy/config";
import {
  type CallAct,
  isOf,
  type ProductAct,
  ProductChain,
  type ProductOnChain,
  stateOf,
  transactionNow,
  whatNow,
} from "@aqua/contracts/deploy/product";
import { momentText } from "@aqua/contracts/deploy/settingText";
import type { OperatorDevice } from "@aqua/sdk/api/operator";
import { HOUR } from "@aqua/sdk/durations";
import { type Address, getAddress, isAddress, isAddressEqual, type LocalAccount } from "viem";
import { CommandError, UsageError } from "../api.ts";
import { table } from "../caseTable.ts";
import { keyAccount, wholeOf } from "../chainOptions.ts";
import { openChain } from "../chainSession.ts";
import { operatorApi } from "../operatorApi.ts";
import { type SafeCall, saveSafeBatch } from "../safeBatch.ts";
import { jsonText, type Terminal } from "../terminal.ts";
import { faultsText, type ProductFile, readProductFile } from "./file.ts";
import { actsText, durationText, headText, planJson } from "./planText.ts";
import { type Rehearsal, rehearse, startFork } from "./rehearsal.ts";

interface Options {
  from?: string | undefined;
  rpc?: string | undefined;
  deployments?: string | undefined;
  json?: true | undefined;
  send?: true | undefined;
  export?: string | undefined;
  out?: string | undefined;
  calldata?: true | undefined;
  confirmations?: string | undefined;
  pause?: true | undefined;
  rehearse?: true | undefined;
}

interface Task {
  path: string;
  values: Options;
  terminal: Terminal;
}

interface Session {
  file: ProductFile;
  onChain: ProductChain;
  account: LocalAccount | null;
  /** The account whose transactions are shown: of --from, of the key, or null. */
  from: Address | null;
  url: string;
  /** The same product by another node. */
  at(rpcUrl: string): Promise<ProductChain>;
}

/** Finds what is left to do by a node. */
type Wanted = (chain: ProductChain) => Promise<ProductOnChain>;

/** @param isChange whether the file's values are to be on the chain, so that its evidence must be valid */
async function session({ path, values, terminal }: Task, isChange: boolean): Promise<Session> {
  const file = await readProductFile(path, isChange ? new Date() : null);
  const account = await keyAccount("PRODUCT_KEY", terminal);
  const from = fromOf(values.from, account);
  const { url, deployment } = await openChain({ ...values, chain: String(file.chainId) }, terminal);
  await buildContracts(values.json === true ? () => {} : terminal.out);
  const { product, salt, evidence } = file;
  const at = (rpcUrl: string) =>
    located(file, () => ProductChain.open({ rpcUrl, deployment, wanted: { product, salt, evidence }, first: from }));
  return { file, onChain: await at(url), account, from, url, at };
}

function fromOf(option: string | undefined, account: LocalAccount | null): Address | null {
  if (option === undefined) return account?.address ?? null;
  if (!isAddress(option)) throw new CommandError("--from must be the address of the account that acts");
  return getAddress(option);
}

/** Names file and line of a field that the chain cannot take any more. */
async function located<Result>(file: ProductFile, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    throw new CommandError(faultsText(file.path, [{ path: error.path, words: error.words }], file.lineOf));
  }
}

/** `aqua product plan` */
export async function plan(path: string, values: Options, terminal: Terminal): Promise<void> {
  const task = { path, values, terminal };
  const { file, onChain } = await session(task, true);
  const found = await located(file, () => onChain.look());
  if (values.json) return terminal.out(jsonText(planJson(file, found)));
  terminal.out(planText(file, found));
  if (found.acts.length > 0) terminal.out(`Nothing was sent; see \`aqua product apply ${path}\`.\n`);
}

function planText(file: ProductFile, found: ProductOnChain): string {
  const acts = found.acts.length === 0 ? "There is nothing to do: the chain is so already.\n" : actsText(found.acts);
  return `${headText(file, found)}\n${acts}\n`;
}

/** `aqua product apply` */
export async function apply(path: string, values: Options, terminal: Terminal): Promise<void> {
  const task = { path, values, terminal };
  const opened = await session(task, true);
  await perform(task, opened, (chain) => located(opened.file, () => chain.look()));
}

/** `aqua product open` */
export async function open(path: string, values: Options, terminal: Terminal): Promise<void> {
  const task = { path, values, terminal };
  const opened = await session(task, false);
  await perform(task, opened, (chain) => chain.opening("open"));
}

/** `aqua product close` */
export async function close(path: string, values: Options, terminal: Terminal): Promise<void> {
  const task = { path, values, terminal };
  const opened = await session(task, false);
  await perform(task, opened, (chain) => chain.opening(values.pause ? "pause" : "close"));
}

/** Shows, exports or sends what brings the chain to `wanted`. */
async function perform(task: Task, opened: Session, wanted: Wanted): Promise<void> {
  const { terminal, values } = task;
  const { file } = opened;
  if (values.export !== undefined && values.export !== "safe") throw new UsageError("--export knows one kind, safe");
  if ((values.export === undefined) !== (values.out === undefined))
    throw new UsageError("--export safe and --out FILE go together");
  const ways = [values.send === true, values.calldata === true, values.export !== undefined].filter(Boolean).length;
  if (ways > 1) throw new UsageError("--send, --calldata and --export exclude each other");
  const found = await wanted(opened.onChain);
  if (values.rehearse && found.acts.length > 0) await rehearsed(task, opened, wanted);
  if (values.rehearse && ways === 0) return;
  if (ways === 0 || found.acts.length === 0) {
    if (values.json) return terminal.out(jsonText(planJson(file, found)));
    terminal.out(planText(file, found));
    if (found.acts.length > 0)
      terminal.out("Nothing was sent. --send sends it, --export safe --out FILE or --calldata writes it.\n");
    return;
  }
  if (values.send) return sent(task, opened, { found, wanted });
  return proposal(task, opened, found);
}

/** Plays all acts on a fork, and shows the product's figures before and after. */
async function rehearsed({ terminal, values }: Task, { onChain, url, at }: Session, wanted: Wanted): Promise<void> {
  const before = await onChain.figures();
  const fork = await startFork(url, terminal);
  try {
    const onFork = await at(fork.url);
    const start = await onFork.chain.time();
    const { done, left } = await rehearse(fork, onFork, wanted);
    const after = await onFork.figures();
    const figures = after.map(([name, text]) => [name, new Map(before).get(name) ?? "—", text] as const);
    const seconds = left.time - start;
    if (values.json && !values.send && !values.calldata)
      return terminal.out(jsonText({ rehearsed: done, seconds, figures }));
    if (!values.json) terminal.out(rehearsalText({ done, left, seconds, figures }));
  } finally {
    await fork.stop();
  }
}

/** Sends what the key may, and says what is left. */
async function sent(
  { terminal, values }: Task,
  { file, onChain, account, from }: Session,
  { found, wanted }: { found: ProductOnChain; wanted: Wanted },
): Promise<void> {
  if (account === null) throw new CommandError("PRODUCT_KEY must be set to the key of the account that acts");
  if (from !== null && !isAddressEqual(from, account.address))
    throw new CommandError(`PRODUCT_KEY is the key of ${account.address}, not of --from ${from}`);
  requireAct(found, account.address);
  const done: string[] = [];
  await onChain.send(account, found, {
    confirmations: wholeOf("confirmations", values.confirmations, 1) ?? 1,
    progress: (what) => {
      done.push(what);
      if (!values.json) terminal.out(`sending  ${what}\n`);
    },
  });
  const left = await wanted(onChain);
  if (values.json) return terminal.out(jsonText({ sent: done, ...planJson(file, left) }));
  terminal.out(`${transactionsText(done.length)} sent and mined.\n${leftText(left)}`);
}

const transactionsText = (count: number) => `${count} transaction${count === 1 ? "" : "s"}`;

function rehearsalText({
  done,
  left,
  seconds,
  figures,
}: Rehearsal & { seconds: number; figures: readonly (readonly [string, string, string])[] }): string {
  const open = left.acts.map((act) => `not possible  ${act.what}: ${leftState(act, left.time)}\n`);
  const time = seconds < HOUR ? "" : ` Its time moved on by ${durationText(Math.floor(seconds / HOUR) * HOUR)}.`;
  return [
    ...done.map((what) => `rehearsed  ${what}\n`),
    ...open,
    `${transactionsText(done.length)} on a fork of the chain, none failed.${time}\n\n`,
    `${table(["FIGURE", "BEFORE", "AFTER"], figures)}\n`,
  ].join("");
}

/** @throws CommandError that names who may act, where the account may do none of the acts */
function requireAct({ acts }: ProductOnChain, account: Address): void {
  if (acts.some((act) => isOf(act, account))) return;
  const others = acts.map((act) => {
    const { by, role } = act as CallAct;
    return `"${act.what}" is for the ${role}${by === null ? ", a role that no account holds" : ` ${by}`}`;
  });
  throw new CommandError(
    `${account} may do none of this; ${[...new Set(others)].join("; ")}. Use that key, or --export safe or --calldata with --from`,
  );
}

/** What is left, by whom, and when. */
function leftText({ acts, time }: ProductOnChain): string {
  if (acts.length === 0) return "The chain is as wanted.\n";
  const rows = acts.map((act) => [
    act.what,
    leftState(act, time),
    act.kind === "call" ? (act.by ?? "no account") : "any account",
  ]);
  const waits = acts.some((act) => stateOf(act, time) === "wait");
  const next = waits ? "Run the same command again in that time; it makes what was scheduled.\n" : "";
  return `${table(["LEFT TO DO", "WHEN", "BY"], rows)}${next}`;
}

function leftState(act: ProductAct, time: number): string {
  const state = stateOf(act, time);
  if (act.kind === "create" || state === "send") return "now";
  if (state === "schedule") return "to be scheduled";
  if (act.scheduled === null) return act.waitsFor ?? "no account may";
  return `${momentText(act.scheduled.from)} until ${momentText(act.scheduled.until)}`;
}

/** Writes the transactions that an account can send now: as a batch for a Safe, or as call data. */
async function proposal(task: Task, { file, from }: Session, found: ProductOnChain): Promise<void> {
  const { terminal, values } = task;
  if (from !== null) requireAct(found, from);
  const { acts, time } = found;
  const by = from ?? acts.flatMap((act) => (act.kind === "call" && act.by !== null ? [act.by] : []))[0] ?? null;
  const lines = acts.flatMap((act) => {
    const transaction = by === null || isOf(act, by) ? transactionNow(act, time) : null;
    if (transaction === null) return [];
    return [{ what: whatNow(act, time), ...transaction }];
  });
  if (lines.length === 0) {
    const when = acts.map((act) => `"${act.what}": ${leftState(act, time)}`).join("; ");
    throw new CommandError(`${by ?? "no account"} can send nothing of it now; ${when}`);
  }
  if (values.export !== undefined) return exported(task, file, lines);
  if (values.json) return terminal.out(jsonText({ from: by, transactions: lines }));
  terminal.out(lines.map(({ what, to, data }) => `${what}\n  to ${to}\n    ${data}\n`).join(""));
  terminal.out(`${by === null ? "Any account" : by} sends ${transactionsText(lines.length)}, in this order.\n`);
}

async function exported(
  { terminal, values }: Task,
  file: ProductFile,
  lines: readonly (SafeCall & { what: string })[],
): Promise<void> {
  const { out = "" } = values;
  const { chainId, product } = file;
  const description = lines.map(({ what }) => what).join("; ");
  await saveSafeBatch(out, { chainId, name: `Aqua: ${product.shortId}`, description, calls: lines });
  terminal.out(`Written: ${out}, with ${transactionsText(lines.length)} for the Transaction Builder of the Safe\n`);
}

/** `aqua product status` */
export async function status(path: string, values: Options, terminal: Terminal): Promise<void> {
  const task = { path, values, terminal };
  const { file, onChain } = await session(task, false);
  const found = await located(file, () => onChain.look());
  const scheduled = await onChain.scheduled();
  const devices = await devicesOf(file, terminal);
  if (values.json) return terminal.out(jsonText({ ...planJson(file, found), scheduled, devices }));
  const planned = found.acts.filter((act) => act.kind === "create" || act.scheduled === null);
  const rows = [
    ...planned.map((act) => [act.what, leftState(act, found.time), "", ""]),
    ...scheduled.map(({ what, from, until, by }) => [
      what,
      from > found.time ? "scheduled" : "may be done now",
      `${momentText(from)} – ${momentText(until)}`,
      by,
    ]),
  ];
  terminal.out(`${headText(file, found)}${devicesText(devices)}\n`);
  terminal.out(
    rows.length === 0 ? "Nothing is to be done or scheduled.\n" : table(["ACT", "STATE", "FROM – UNTIL", "BY"], rows),
  );
}

/** A device of the file; `enrolled` is null where the server was not asked. */
interface DeviceState {
  name: string;
  enrolled: boolean | null;
}

/** Asks the server, where the operator's token is set, which of the file's devices are enrolled for the product. */
async function devicesOf({ devices, product }: ProductFile, terminal: Terminal): Promise<DeviceState[]> {
  const asked = devices.length > 0 && (terminal.environment.OPERATOR_TOKEN?.trim() ?? "") !== "";
  const known = asked ? await operatorApi(terminal).json<OperatorDevice[]>("devices") : null;
  const enrolled = known?.filter((one) => one.short_id === product.shortId && one.retired_at === null);
  return devices.map(({ name }) => ({ name, enrolled: enrolled?.some((one) => one.name === name) ?? null }));
}

function devicesText(devices: readonly DeviceState[]): string {
  if (devices.length === 0) return "";
  const missing = devices.filter(({ enrolled }) => enrolled === false).map(({ name }) => name);
  const asked = devices.some(({ enrolled }) => enrolled !== null);
  const state = asked
    ? missing.length === 0
      ? "all enrolled"
      : `not enrolled: ${missing.join(", ")}`
    : "OPERATOR_TOKEN is not set, so the server was not asked";
  return `Devices   ${devices.length} in the file; ${state}\n`;
}
