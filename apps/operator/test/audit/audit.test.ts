import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "@aqua/sdk/audit/calls";
import { uncompared, uncomparedBy } from "@aqua/sdk/audit/uncompared";
import type { View } from "@aqua/sdk/audit/view";
import { type Address, encodeEventTopics, erc4626Abi, type Hex, type PublicClient } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AuditedChain, connect, createAuditedChain, findDeployment } from "../../src/audit/chain.ts";
import { check } from "../../src/audit/check.ts";
import { checkNetwork, networkOf } from "../../src/audit/network.ts";
import { createSite } from "../../src/audit/site.ts";
import { partsOf } from "../../src/audit.ts";
import { honestLog, openLogSite } from "../log/site.ts";
import { through } from "../support/anvil.ts";
import { runAqua } from "../support/aqua.ts";
import { liesAbout, on, type Subjects } from "./lies.ts";
import { type LyingSite, openLyingSite } from "./proxy.ts";
import { openSeededSite, type SeededSite } from "./site.ts";

let honest: SeededSite;
let lying: LyingSite;
let chain: AuditedChain;
let view: View;
let calls: Call[];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-audit-"));
  honest = await openSeededSite();
  lying = await openLyingSite(honest.url);
  const [named] = await networkOf(createSite(honest.url), []);
  const [client] = (await connect([honest.rpcUrl])).values();
  if (!named || !client) throw new Error("no chain");
  const deployment = await findDeployment(client as PublicClient, { ...named, from: undefined });
  chain = createAuditedChain(client as PublicClient, deployment);
  view = await chain.newest();
  calls = partsOf([view], { most: undefined, seed: "" }).flatMap((part) => part.calls);
});
afterAll(async () => {
  lying?.close();
  await honest?.stop();
  await rm(folder, { recursive: true, force: true });
});

const audit = (url: string, ...args: string[]) => runAqua(["audit", url, "--rpc", honest.rpcUrl, ...args], {});

it("finds nothing on an honest site and knows every field of its answers", async () => {
  const parts = { site: createSite(honest.url), chains: [chain] };
  const used = new Set<string | null>();
  const unknown = [];
  const findings = [];
  let count = 0;
  for (const call of calls) {
    const checked = await check(parts, call);
    count += checked.count;
    findings.push(...checked.findings);
    for (const path of checked.rest) {
      used.add(uncomparedBy(path));
      if (uncomparedBy(path) === null) unknown.push(path);
    }
  }
  expect(findings).toEqual([]);
  expect(unknown).toEqual([]);
  expect(count).toBeGreaterThan(20_000);
  // No reason is given for a field that no answer has. These lists are empty here.
  const empty = ["devices.refused_24h*", "devices.flawed_24h*", "losses.declared*"].map(
    (rest) => `transparency/${rest}`,
  );
  expect(uncompared.flatMap(({ fields }) => fields).filter((field) => !used.has(field))).toEqual(empty);
});

/** A node's answer without the newest deposit of its logs. */
function withoutDeposit(answer: string): string {
  const [topic] = encodeEventTopics({ abi: erc4626Abi, eventName: "Deposit" });
  const without = (part: { result?: unknown }) => {
    if (!Array.isArray(part.result)) return part;
    const logs = part.result as { topics?: string[]; transactionHash: string }[];
    const newest = logs.findLast(({ topics }) => topics?.[0] === topic)?.transactionHash;
    return { ...part, result: logs.filter(({ transactionHash }) => transactionHash !== newest) };
  };
  const body = JSON.parse(answer) as { result?: unknown } | { result?: unknown }[];
  return JSON.stringify(Array.isArray(body) ? body.map(without) : without(body));
}

/** Finds products and wallets of which there is enough to lie about. */
function subjects(): Subjects {
  const demand = view.products.filter((of) => of.type === "demand_deposit");
  const time = view.products.filter((of) => of.type === "time_deposit");
  const vault = demand.find(({ product }) => product.shortId === "sahel-solar");
  const term = time.find(({ books }) => books.receipts > 0);
  const receipt = term?.receipts.findLast(({ status }) => status === 1);
  const request = vault?.requests.at(-1);
  const holder = view.wallets().find((wallet) => view.movementsOf(wallet).length > 5);
  if (!vault || !term || !receipt || !request || !holder) throw new Error("the world is too small");
  return {
    ...{ vault: vault.product.shortId, term: term.product.shortId },
    ...{ holder, depositor: receipt.owner, waiting: request.wallet },
  };
}

it("finds each lie of a server, and says where it is", async () => {
  const parts = { site: createSite(lying.url), chains: [chain] };
  const lies = liesAbout(subjects());
  expect(lies.length).toBeGreaterThanOrEqual(30);
  const missed = [];
  for (const [what, path, lie, where] of lies) {
    const call = calls.find((one) => one.path.split("?")[0] === path);
    if (call === undefined) throw new Error(`${what}: ${path} is not called`);
    lying.tell({ [path]: lie });
    const { findings } = await check(parts, call);
    if (!findings.some((finding) => where.test(finding.path))) missed.push({ what, findings: findings.slice(0, 3) });
  }
  lying.tell({});
  expect(missed).toEqual([]);
});

it("compares each answer at its own block while the chain goes on", async () => {
  const mining = setInterval(() => void honest.mine(), 200);
  try {
    const before = view.block;
    const { code, out, error } = await audit(honest.url, "--wallets", "1");
    expect({ code, error, out: code === 0 ? "" : out }).toEqual({ code: 0, error: "", out: "" });
    const blocks = [...out.matchAll(/read up to block (\d+)/g)].map(([, block]) => Number(block));
    expect(blocks.at(-1)).toBeGreaterThan(before + 3);
    expect(new Set(blocks).size).toBeGreaterThan(3);
    expect(out).toMatch(/\nproduct sahel-solar: \d+ figures equal\n/);
    expect(out.match(/^wallet /gm)).toHaveLength(1);
    expect(out).toMatch(/\n\d+ figures compared, 0 findings\n$/);
  } finally {
    clearInterval(mining);
  }
});

it("ends with 1 if a site lies, and prints each lie with what the chain says", async () => {
  // The wallet that the seed chooses.
  const [wallet = ""] = partsOf([view], { most: 1, seed: "aqua" }).flatMap(
    ({ name }) => /^wallet (.*)/.exec(name)?.[1] ?? [],
  );
  const all = liesAbout({ ...subjects(), holder: wallet as Hex });
  const told = ["a fee", "a hidden act", "a wallet's total"].map((what) => all.find((lie) => lie[0] === what));
  lying.tell(Object.fromEntries(told.flatMap((lie) => (lie ? [[lie[1], lie[2]]] : []))));
  const { code, out } = await audit(lying.url, "--wallets", "1");
  expect(code).toBe(1);
  expect(out).toMatch(/^ {2}product\/sahel-solar\.vault\.fee: expected 0\.\d+, found 0\.\d+, block \d+$/m);
  expect(out).toMatch(/^ {2}transparency\/acts\.items\.length: expected \d+, found \d+, block \d+$/m);
  expect(out).toMatch(
    /^ {2}transparency\/acts\.items\[0\]: expected \{.*\}, found nothing, block \d+(, and 1 more of this field)?$/m,
  );
  expect(out).toMatch(/^ {2}account\/totalHoldValue\/0x\w{40}\.total: expected \S+, found \S+, block \d+$/m);
  expect(out).toMatch(/^all products: \d+ figures equal$/m);
  // The first act of each page is hidden: the length, the total and the acts.
  expect(out).toMatch(/^transparency: \d+ figures compared, 4 findings$/m);
  expect(out).toMatch(/\n\d+ figures compared, 6 findings\n$/);
});

it("verifies the log as a part, and finds its lies", async () => {
  const log = await openLogSite(await honestLog());
  lying.tell({});
  lying.takeLogOf(log.url);
  Object.assign(log.served, { batches: [], origin: "other.example/log" });
  const { code, out } = await audit(lying.url, "--wallets", "1");
  lying.takeLogOf(honest.url);
  log.close();
  expect(code).toBe(1);
  expect(out).toMatch(/^the log: 1 figure compared, 1 finding\n {2}log\/checkpoint: expected a checkpoint signed by /m);
});

it("finds a site that names other contracts, or is behind its chain and does not say so", async () => {
  const site = createSite(lying.url);
  type NetworkChain = { identity_registry: string; product_registry: string; head: { block: number; time: number } };
  const found = async (change: (chain: NetworkChain) => void) => {
    lying.tell({ network: on<{ chains: NetworkChain[] }>(({ chains }) => chains.forEach(change)) });
    const named = await networkOf(site, [chain.deployment.product_registry as Address]);
    const clients = await connect([honest.rpcUrl]);
    const { findings } = await checkNetwork(named, { clients, chains: [chain], views: [view] });
    return findings.map(({ path }) => path);
  };
  const other = `0x${"de".repeat(20)}`;
  const first = "network.chains[0]";
  expect(await found(() => {})).toEqual([]);
  expect(await found((one) => (one.identity_registry = other))).toEqual([`${first}.identity_registry`]);
  expect(await found((one) => (one.product_registry = other))).toEqual([`${first}.product_registry`]);
  expect(await found(({ head }) => (head.block -= 30))).toEqual([`${first}.head.time`]);
  const old = (await chain.viewAt(view.block - 30)) as View;
  const behind = { block: old.block, time: old.time * 1_000 };
  expect(await found(({ head }) => Object.assign(head, behind))).toEqual([`${first}.head.stale`]);
});

it("goes on where it was interrupted", async () => {
  const state = join(folder, "state.json");
  lying.tell({});
  lying.vanishAt("product/aegean-water");
  const interrupted = await audit(lying.url, "--wallets", "1", "--state", state);
  expect(interrupted).toMatchObject({ code: 2, error: expect.stringContaining("does not answer") });
  expect(interrupted.out).toContain("product sahel-solar");
  lying.tell({});
  const { code, out } = await audit(lying.url, "--wallets", "1", "--state", state, "--json");
  expect(code).toBe(0);
  expect(lying.asked.filter((path) => path.startsWith("product/sahel-solar"))).toEqual([]);
  expect(lying.asked.some((path) => path.startsWith("product/aegean-water"))).toBe(true);
  const hasLog = (await fetch(`${honest.url}/api/v2/log/checkpoint`)).ok;
  // The sum counts what was compared before the interruption too.
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const parts = lines.filter(({ part }) => part !== undefined);
  expect(parts.map(({ part }) => part)).toEqual([
    "the site",
    ...(hasLog ? ["the log"] : []),
    ...partsOf([view], { most: 1, seed: "aqua" }).map(({ name }) => name),
  ]);
  const sum = parts.reduce((all, { figures }) => all + figures, 0);
  expect(lines.at(-1)).toEqual({ figures: sum, findings: 0, unknown: [] });
  // The next audit begins anew.
  await expect(readFile(state)).rejects.toThrow();
  await writeFile(state, JSON.stringify({ url: "https://other.example", parts: {} }));
  expect(await audit(honest.url, "--state", state)).toMatchObject({
    code: 2,
    error: expect.stringContaining("other.example"),
  });
  await writeFile(state, JSON.stringify({ url: honest.url, parts: null }));
  expect(await audit(honest.url, "--state", state)).toMatchObject({
    code: 2,
    error: expect.stringContaining(`${state} holds no state of an audit`),
  });
  const nowhere = join(folder, "none", "state.json");
  expect(await audit(honest.url, "--wallets", "1", "--state", nowhere)).toMatchObject({
    code: 2,
    error: expect.stringContaining(`${nowhere} cannot be written: ENOENT`),
  });
});

it("ends with 2 if it cannot compare", async () => {
  const nobody = "http://127.0.0.1:9";
  expect(await audit(nobody)).toMatchObject({ code: 2, error: expect.stringContaining(`${nobody} does not answer`) });
  const elsewhere = await audit(honest.rpcUrl);
  expect(elsewhere).toMatchObject({
    code: 2,
    error: expect.stringContaining("does not answer as an Aqua server does"),
  });
  const without = await runAqua(["audit", honest.url], {});
  expect(without).toMatchObject({ code: 2, error: expect.stringContaining("name a node of chain 31337 with --rpc") });
  const away = await runAqua(["audit", honest.url, "--rpc", nobody], {});
  expect(away).toMatchObject({
    code: 2,
    error: expect.stringContaining("the node at http://127.0.0.1:9 does not answer"),
  });
  // A node that leaves out a deposit.
  const forgetful = await through(
    { url: honest.rpcUrl },
    async (_, answer) => withoutDeposit(await answer()),
    (rpc) => runAqua(["audit", honest.url, "--rpc", rpc], {}),
  );
  expect(forgetful).toMatchObject({ code: 2, error: expect.stringMatching(/could not compare: .*leaves out events/) });
  const other = `0x${"de".repeat(20)}`;
  const pinned = await audit(honest.url, "--registry", other);
  expect(pinned).toMatchObject({ code: 2, error: expect.stringContaining(`no product registry at ${other}`) });
  for (const wrong of [[], [honest.url, "more"], ["no address"], [honest.url, "--registry", "0x1"]]) {
    expect((await runAqua(["audit", ...wrong], {})).code).toBe(2);
  }
});
