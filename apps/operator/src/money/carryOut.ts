import type { RevertWords } from "@aqua/contracts/deploy/reverts";
import { formatUnits } from "@aqua/sdk/maths/units";
import { type Abi, type Address, BaseError, encodeFunctionData, erc20Abi, type Hex } from "viem";
import { CommandError } from "../api.ts";
import { table } from "../caseTable.ts";
import { type ActOptions, type Caller, nothingSent, refusalOf, sendCall, senderOf } from "../chainSession.ts";
import { saveSafeBatch } from "../safeBatch.ts";
import { jsonText } from "../terminal.ts";
import { figuresOf, type MoneyProduct, moment, type Read, type StateAt, stateOf, stateReads } from "./product.ts";

/** A limit of the contract. */
export interface Bound {
  name: string;
  /** An amount in whole units, or a moment. */
  value: string;
  text: string;
}

/** One act with a product's money, before it is sent. */
export interface Act extends Caller {
  name: string;
  /** In words, such as "deploy 500.000000 USDC of sahel-solar". */
  what: string;
  bounds: readonly Bound[];
  /** Why the contract would refuse; null within the bounds. */
  refusal: string | null;
  /** What the caller pays in, in the asset's smallest unit. */
  pays: bigint;
  call: Read & { args: readonly unknown[] };
}

interface Planned extends StateAt {
  product: MoneyProduct;
  act: Act;
  options: ActOptions;
}

type Call = Act["call"] & { what: string };

/**
 * Shows the bounds of an act, tries it on the newest block, and then sends it, writes it to a batch file of a Safe, or
 * leaves it at that. @throws CommandError in plain words, before anything is sent
 */
export async function carryOut({ product, act, options, ...at }: Planned): Promise<void> {
  const { session, asset, shortId } = product;
  const { terminal, chainId } = session;
  const say = (text: string) => (options.json ? undefined : terminal.out(text));
  const bounds = act.bounds.map(({ name, text }) => [inWords(name), text]);
  if (bounds.length > 0) say(`${table(["BOUND", ""], bounds)}\n`);
  if (act.refusal !== null) throw new CommandError(act.refusal);
  const { sender, account } = await senderOf(options, act, terminal);
  const calls = await callsOf(product, act, sender);
  const refusals = refusalsOf(product);
  const { before, after, note } = await simulate({ product, at, calls, sender, role: act.role, refusals });
  say(
    `${calls.map(({ what }, place) => `${place + 1}  ${what}\n`).join("")}\n${figuresText(before, after)}${note ?? ""}\n`,
  );
  const transactions = calls.map((call) => ({
    to: call.address,
    value: "0",
    data: encodeFunctionData(call as never) as Hex,
  }));
  let file: string | null = null;
  const sent: Hex[] = [];
  if (options.export === "safe") {
    file = options.out ?? `safe-${chainId}-${act.name}-${shortId}.json`;
    const batch = transactions.map(({ to, data }) => ({ to, data }));
    await saveSafeBatch(file, { chainId, name: `${act.name} ${shortId}`, description: act.what, calls: batch });
    say(`Saved ${file}: load it in the Transaction Builder of the Safe. Nothing was sent.\n`);
  } else if (options.dryRun) say(nothingSent);
  else if (account !== null) {
    for (const { what, ...call } of calls) {
      const hash = await sendCall({ session, account, role: act.role, call, refusals });
      sent.push(hash);
      say(`Sent: ${what}, transaction ${hash}\n`);
    }
  }
  if (!options.json) return;
  const head = { product: shortId, chain_id: chainId, asset: asset.symbol, act: act.name, what: act.what };
  const limits = Object.fromEntries(act.bounds.map(({ name, value }) => [name, value]));
  terminal.out(jsonText({ ...head, bounds: limits, before, after, note, sender, transactions, file, sent }));
}

/** The calls of an act: before a payment, an approval of exactly its amount where the allowance is lower. */
async function callsOf({ session, address, asset, shortId }: MoneyProduct, act: Act, sender: Address): Promise<Call[]> {
  const calls: Call[] = [{ ...act.call, what: act.what }];
  if (act.pays === 0n) return calls;
  const token = { address: asset.address, abi: erc20Abi } as const;
  const [balance, allowance] = await Promise.all([
    session.client.readContract({ ...token, functionName: "balanceOf", args: [sender] }),
    session.client.readContract({ ...token, functionName: "allowance", args: [sender, address] }),
  ]);
  const amount = (units: bigint) => `${formatUnits(units, asset.decimals)} ${asset.symbol}`;
  if (balance < act.pays)
    throw new CommandError(`${sender} has ${amount(balance)}, and ${amount(act.pays - balance)} are missing`);
  if (allowance < act.pays) {
    const approve = (units: bigint, what: string): Call => ({
      ...{ ...token, abi: erc20Abi as Abi, functionName: "approve", args: [address, units], what },
    });
    calls.unshift(approve(act.pays, `allow ${shortId} to take ${amount(act.pays)}`));
    // Some tokens, such as USDT, refuse to replace an allowance that is not zero.
    if (allowance > 0n) calls.unshift(approve(0n, `set the earlier allowance of ${amount(allowance)} to zero`));
  }
  return calls;
}

type Figures = Record<string, string>;

/**
 * Runs the calls in a block after the one that was read, without sending them. The contracts decide by the block's time, so
 * this machine's clock plays no part. Returns the figures before and after the calls at the same moment; where the node
 * cannot simulate, `after` is null and `note` says why. @throws CommandError if a contract refuses a call
 */
async function simulate({
  product,
  at: { state, blockNumber, time },
  calls,
  sender,
  role,
  refusals,
}: {
  product: MoneyProduct;
  at: StateAt;
  calls: readonly Call[];
  sender: Address;
  role: string;
  refusals: RevertWords;
}): Promise<{ before: Figures; after: Figures | null; note: string | null }> {
  const reads = stateReads(product);
  const run = [...reads, ...calls, ...reads].map(({ address, abi, functionName, args }) => ({
    ...{ to: address, abi, functionName, args, account: sender },
  }));
  const { client } = product.session;
  const blocks = await client
    .simulateBlocks({ blockNumber, blocks: [{ calls: run as never, blockOverrides: { time: time + 1n } }] })
    .catch((error: unknown) => unsupported(error));
  if ("reason" in blocks) {
    // A payment fails until its approval is mined, so only an act of one call can be tried.
    const [only, ...others] = calls;
    if (only !== undefined && others.length === 0) {
      await client.simulateContract({ ...only, account: sender } as never).catch((error: unknown) => {
        throw new CommandError(refusalOf({ error, sender, role, refusals }));
      });
    }
    return { before: figuresOf(product, state), after: null, note: blocks.reason };
  }
  const answers = (blocks[0]?.calls ?? []) as { status: string; result?: unknown; error?: Error }[];
  const failed = answers.find(({ status }) => status !== "success");
  if (failed !== undefined) throw new CommandError(refusalOf({ error: failed.error, sender, role, refusals }));
  const figuresAt = (start: number) => {
    const results = answers.slice(start, start + reads.length).map(({ result }) => result);
    return figuresOf(product, stateOf(product, results));
  };
  return { before: figuresAt(0), after: figuresAt(reads.length + calls.length), note: null };
}

const inWords = (name: string) => name.replaceAll("_", " ");

/** The reason why a node does not simulate: many have no `eth_simulateV1`, and name it by various codes. */
function unsupported(error: unknown): { reason: string } {
  if (!(error instanceof BaseError)) throw error;
  return { reason: `The figures after it are not known, because the node does not simulate: ${error.shortMessage}\n` };
}

function figuresText(before: Figures, after: Figures | null): string {
  if (after === null) {
    const rows = Object.entries(before).map(([name, value]) => [inWords(name), value]);
    return table(["FIGURE", "NOW"], rows);
  }
  const rows = Object.entries(before).map(([name, value]) => {
    return [inWords(name), value, after[name] ?? "", value === after[name] ? "" : "*"];
  });
  return table(["FIGURE", "BEFORE", "AFTER", ""], rows);
}

/** Messages for what the contracts refuse beyond the bounds that are checked first. */
function refusalsOf({ asset: { symbol, decimals } }: MoneyProduct): RevertWords {
  const amount = (units: unknown) => `${formatUnits(units as bigint, decimals)} ${symbol}`;
  const time = (seconds: unknown) => moment(BigInt(seconds as bigint | number));
  return {
    LossUnderReview: ([until]) => `a loss is under review until ${time(until)}; the act waits for its end`,
    NoLossUnderReview: () => "no loss is under review, and none ended its review less than 7 days ago",
    ExceedsStandingLoss: ([assets, most]) => `${amount(assets)} exceed the final losses, ${amount(most)}`,
    LossNeedsConfirmer: ([until]) =>
      `a loss was reviewed less than 7 days ago: until ${time(until)} the confirmer must allow the next one by \`aqua money confirm-loss\``,
    InvalidReportTime: ([asOf]) => `a report cannot be as of ${time(asOf)}; see the bounds`,
    EvidenceMissing: () => "a product with devices needs --evidence",
    GainExceedsBound: ([gain, bound]) => `a gain of ${amount(gain)} exceeds the bound of ${amount(bound)}`,
    ExceedsDeployed: ([assets, deployed]) => `${amount(assets)} exceed what is deployed, ${amount(deployed)}`,
    ExceedsDeployable: ([assets, most]) => `${amount(assets)} exceed what may be deployed, ${amount(most)}`,
    AmountTooHigh: ([assets, most]) => `${amount(assets)} exceed what is possible, ${amount(most)}`,
    InsufficientCash: ([assets, cash]) => `${amount(assets)} exceed the available cash, ${amount(cash)}`,
    ZeroAmount: () => "there is nothing to move",
    NothingToProcess: () => "there is nothing to process: no request is payable, or the product has no cash for it",
    ProductWindingDown: () => "the product is winding down: nothing is deployed any more",
    UnexpectedAmountReceived: ([expected, received]) =>
      `the asset delivered ${amount(received)} in place of ${amount(expected)}`,
  };
}
