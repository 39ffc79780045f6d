import type { Call } from "@aqua/sdk/audit/calls";
import { type Comparison, compare, type Finding } from "@aqua/sdk/audit/compare";
import type { View } from "@aqua/sdk/audit/view";
import type { AuditedChain } from "./chain.ts";
import type { Answer, Site } from "./site.ts";

/** A difference between an answer and the chain, with the block of the comparison. */
export interface BlockFinding extends Finding {
  block: number;
}

export interface Checked {
  count: number;
  findings: BlockFinding[];
  /** Paths of answered figures of which the chain says nothing. */
  rest: string[];
}

/** How often a call is made whose answer names no block, if the chain moved on or the answer differs. */
const TRIES = 3;
/** An answer that names no block is compared with at most so many blocks. */
const MAX_BLOCKS = 10;

export interface CheckParts {
  site: Site;
  chains: readonly AuditedChain[];
}

/** Makes a call and compares its answer with the chain after the block that the answer names. */
export async function check(parts: CheckParts, call: Call): Promise<Checked> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await blocksOf(parts);
    const answer = await (call.isPaged ? parts.site.askPages(call.path) : parts.site.ask(call.path));
    const stamps = stampsIn(answer.data);
    const isStamped = parts.chains.every(({ chainId }) => stamps.has(chainId));
    const after = isStamped ? before : await blocksOf(parts);
    const checked = await judge(parts, call, { answer, stamps, before, after });
    if (isStamped || checked.findings.length === 0 || attempt === TRIES) return checked;
  }
}

interface Asked {
  answer: Answer;
  /** The block that the answer names of each chain. */
  stamps: ReadonlyMap<number, number>;
  /** The site's block of each chain before and after the call. */
  before: ReadonlyMap<number, number>;
  after: ReadonlyMap<number, number>;
}

async function judge({ chains }: CheckParts, call: Call, asked: Asked): Promise<Checked> {
  let best: Checked | null = null;
  for (const blocks of candidatesOf(chains, asked)) {
    const views: View[] = [];
    for (const [index, chain] of chains.entries()) {
      const block = blocks[index] as number;
      const view = await chain.viewAt(block);
      if (view === null) return unknownBlock(call, block);
      views.push(view);
    }
    const comparison = compareAnswer(call, asked.answer, views);
    const block = views[0]?.block ?? 0;
    const checked = { ...comparison, findings: comparison.findings.map((finding) => ({ ...finding, block })) };
    if (best === null || checked.findings.length < best.findings.length) best = checked;
    if (best.findings.length === 0) break;
  }
  return best ?? { count: 0, findings: [], rest: [] };
}

/** The blocks, one of each chain, with which an answer may agree. */
function candidatesOf(chains: readonly AuditedChain[], { stamps, before, after }: Asked): number[][] {
  const ranges = chains.map(({ chainId }) => {
    const stamp = stamps.get(chainId);
    if (stamp !== undefined) return [stamp];
    const [from, to] = [before.get(chainId) ?? 0, after.get(chainId) ?? 0];
    const length = Math.min(MAX_BLOCKS, Math.max(1, to - from + 1));
    return Array.from({ length }, (_, index) => Math.max(from, to) - index);
  });
  return ranges.reduce<number[][]>((all, range) => all.flatMap((some) => range.map((one) => [...some, one])), [[]]);
}

/** Compares an answer with what the chain says after the blocks of the views. */
export function compareAnswer(call: Call, { status, data }: Answer, views: readonly View[]): Comparison {
  const [path = ""] = call.path.split("?");
  const expected = call.expected(views, data);
  if (expected === undefined) {
    // The product is not listed at that block, so the site must not know it either.
    return status === 200 ? compare(path, "no such product", "an answer") : { count: 1, findings: [], rest: [] };
  }
  if (status !== 200) return compare(path, "an answer", `HTTP ${status}`);
  return compare(path, expected, data);
}

function unknownBlock({ path }: Call, block: number): Checked {
  const finding = { path: `${path.split("?")[0]}.as_of.block`, expected: "a block of the node's chain", found: block };
  return { count: 1, findings: [{ ...finding, block }], rest: [] };
}

interface Stamped {
  as_of?: { chain_id?: unknown; block?: unknown };
}

/** The blocks that an answer names, by chain. The first one of a chain counts; others then differ from it. */
function stampsIn(data: unknown): Map<number, number> {
  const { items, reserves, featured } = (data ?? {}) as Record<string, unknown>;
  const lists = [data, items, reserves, featured].filter(Array.isArray).flat() as unknown[];
  const stamps = new Map<number, number>();
  for (const part of [data, ...lists]) {
    const { chain_id, block } = ((part ?? {}) as Stamped).as_of ?? {};
    const isStamp = typeof chain_id === "number" && typeof block === "number" && Number.isSafeInteger(block);
    if (isStamp && block >= 0 && !stamps.has(chain_id)) stamps.set(chain_id, block);
  }
  return stamps;
}

/** The block of each chain that the site has reached. */
async function blocksOf({ site }: CheckParts): Promise<Map<number, number>> {
  const { data } = await site.ask("network");
  const { chains = [] } = (data ?? {}) as { chains?: { chain_id: number; head: { block: number } | null }[] };
  return new Map(chains.flatMap(({ chain_id, head }) => (head === null ? [] : [[chain_id, head.block] as const])));
}
