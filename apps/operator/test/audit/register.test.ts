import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import type { Holding, Statement } from "@aqua/sdk/api/portfolio";
import { type Register, registerFigures } from "@aqua/sdk/audit/registerFigures";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { type Address, createPublicClient, http } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AuditedChain, createAuditedChain } from "../../src/audit/chain.ts";
import { openChain } from "../../src/chainSession.ts";
import { registerCsv } from "../../src/register.ts";
import { runAqua } from "../support/aqua.ts";
import { openSeededSite, type SeededSite } from "./site.ts";

type Five = [bigint, bigint, bigint, bigint, bigint];

let site: SeededSite;
let chain: AuditedChain;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-register-"));
  site = await openSeededSite();
  const terminal = { environment: {}, out: () => {}, error: () => {} };
  const { client, deployment } = await openChain(options(), terminal);
  chain = createAuditedChain(client, deployment);
});
afterAll(async () => {
  await site?.stop();
  await rm(folder, { recursive: true, force: true });
});

const options = () => ({ chain: "31337", rpc: site.rpcUrl, deployments: site.deployments });
const register = (...args: string[]) => {
  const { chain: id, rpc, deployments } = options();
  return runAqua(["register", ...args, "--chain", id, "--rpc", rpc, "--deployments", deployments], {});
};
const registerOf = async (...args: string[]): Promise<Register> => JSON.parse((await register(...args, "--json")).out);

async function ask<Data>(path: string): Promise<Data> {
  const response = await fetch(`${site.url}/api/v2/${path}`);
  const { data } = (await response.json()) as { data: Data };
  return data;
}
const sum = (texts: readonly string[], decimals: number) =>
  formatUnits(
    texts.reduce((total, text) => total + parseUnits(text, decimals), 0n),
    decimals,
  );

/** Compares a register with what the site answers about each of its wallets. */
async function compareWithSite({ items, short_id, decimals, period }: Register) {
  for (const { wallet, shares, pending_shares, receipts, income, ...amounts } of items) {
    const { items: all } = await ask<{ items: Holding[] }>(`account/hold/${wallet}?page_size=100`);
    const held = all.filter((one) => one.short_id === short_id);
    expect(receipts?.toSorted() ?? []).toEqual(held.flatMap(({ deposit_id }) => deposit_id ?? []).toSorted());
    expect([amounts.value, amounts.claimable, amounts.cost]).toEqual([
      sum(
        held.map(({ value }) => value ?? "0"),
        decimals,
      ),
      sum(
        held.map(({ claimable }) => claimable ?? "0"),
        decimals,
      ),
      sum(
        held.map(({ principal }) => principal ?? "0"),
        decimals,
      ),
    ]);
    const [first] = held;
    if (receipts === null && first !== undefined) {
      const { realised, unrealised, interest } = first;
      expect([amounts.realised, amounts.unrealised, amounts.interest]).toEqual([realised, unrealised, interest]);
      expect(first.pending_shares).toBe(pending_shares);
      expect(first.cost_estimated).toBe(amounts.cost_estimated);
      expect(sum([first.shares ?? "", first.pending_shares ?? ""], 18)).toBe(sum([shares ?? ""], 18));
    }
    if (period === null) continue;
    const query = `from=${period.from}&to=${period.to}&short_id=${short_id}`;
    const { products } = await ask<Statement>(`account/statement/${wallet}?${query}`);
    const [told = { paid_in: sum([], decimals), paid_out: sum([], decimals), earned: sum([], decimals) }] = products;
    expect(income).toMatchObject({ paid_in: told.paid_in, paid_out: told.paid_out, earned: told.earned });
  }
}

it("aqua register has every holder, with the figures of the site and the supply of the contract", async () => {
  const view = await chain.newest();
  const client = createPublicClient({ transport: http(site.rpcUrl), cacheTime: 0 });
  let wallets = 0;
  for (const { product, ...of } of view.products) {
    const found = await registerOf(product.shortId);
    expect(found.as_of).toEqual({ chain_id: 31337, block: view.block, time: view.time * 1_000 });
    expect(found.items).toHaveLength(found.holders);
    await compareWithSite(found);
    wallets += found.holders;
    if (of.type !== "demand_deposit") continue;
    const vault = { address: product.address as Address, abi: demandVaultAbi } as const;
    const supply = await client.readContract({ ...vault, functionName: "totalSupply" });
    expect(found.total.shares).toBe(formatUnits(supply, product.shareDecimals));
  }
  expect(wallets).toBeGreaterThan(10);
});

it("aqua register states the income of a period as the site's statements do, also of those who left", async () => {
  const view = await chain.newest();
  const day = 86_400_000;
  const period = { from: view.time * 1_000 - 20 * day, to: view.time * 1_000 - 3 * day };
  let left = 0;
  for (const { product } of view.products) {
    const found = registerFigures(view, product.shortId, period) as Register;
    await compareWithSite(found);
    left += found.items.length - found.holders;
    const earned = sum(
      found.items.flatMap(({ income }) => income?.earned ?? []),
      found.decimals,
    );
    expect(found.total.income?.earned).toBe(earned);
    const whole = await registerOf(product.shortId, "--year", "2026");
    expect(whole.period).toEqual({ from: Date.UTC(2026, 0, 1), to: view.time * 1_000 + 1 });
    await compareWithSite(whole);
    const units = (text: string) => parseUnits(text, whole.decimals);
    // Of a wallet's whole life, the parts of its profit are its earnings, and what was paid out is the realised part.
    for (const { realised, unrealised, interest, value, cost, receipts, income, cost_estimated } of whole.items) {
      if (cost_estimated) continue;
      const [gone, open, paid, worth, basis] = [realised, unrealised, interest, value, cost].map(units) as Five;
      expect(units(income?.earned ?? "")).toBe(gone + open + paid);
      expect(units(income?.realised ?? "")).toBe(receipts === null ? gone : paid - (worth - basis));
    }
  }
  expect(left).toBeGreaterThan(0);
});

it("aqua register shows an earlier block, and refuses one or a product that the chain does not have", async () => {
  const view = await chain.newest();
  const [{ product }] = view.products as [(typeof view.products)[number]];
  const early = Math.floor((product.block + view.block) / 2);
  const found = await registerOf(product.shortId, "--block", String(early));
  expect(found.as_of.block).toBe(early);
  const earlier = await chain.viewAt(early);
  expect(found).toEqual(JSON.parse(JSON.stringify(registerFigures(earlier as typeof view, product.shortId, null))));
  const refused = async (words: string, ...args: string[]) =>
    expect(await register(...args)).toEqual({ code: 1, out: "", error: expect.stringContaining(words) });
  await refused(
    `has no block ${view.block + 1} yet; its newest is ${view.block}`,
    product.shortId,
    "--block",
    String(view.block + 1),
  );
  await refused("chain 31337 has no product nowhere", "nowhere");
  await refused(`has no product ${product.shortId} at block 0`, product.shortId, "--block", "0");
  await refused("before the year 2027 begins", product.shortId, "--year", "2027");
  await refused("--year must be a year", product.shortId, "--year", "26");
});

it("aqua register writes a CSV file with a line for each wallet, and overwrites none", async () => {
  const file = join(folder, "register.csv");
  const found = await registerOf("sahel-solar", "--year", "2026");
  const { code, out } = await register("sahel-solar", "--year", "2026", "--csv", file);
  expect(code).toBe(0);
  expect(out).toMatch(/^sahel-solar on chain 31337 after block \d+, 2026-.*Z\n\d+ wallets hold it; amounts in tUSD\n/);
  expect(out).toContain("The year 2026 is counted until this block\n");
  expect(out).toMatch(new RegExp(`\nSaved ${file}\n$`));
  const text = await readFile(file, "utf8");
  expect(text).toBe(registerCsv(found));
  const [head = "", ...lines] = text.slice(1).trimEnd().split("\r\n");
  expect(head).toMatch(/^wallet,shares,pending_shares,receipts,value,.*,paid_in,paid_out,earned,period_realised$/);
  expect(lines.map((line) => line.split(",")[0])).toEqual(found.items.map(({ wallet }) => wallet));
  for (const line of lines) expect(line.split(",")).toHaveLength(head.split(",").length);
  const again = await register("sahel-solar", "--csv", file);
  expect(again).toEqual({ code: 1, out: "", error: `aqua: ${file} exists already; --csv names another file\n` });
  // The asset's contract chooses its symbol.
  expect(registerCsv({ ...found, symbol: "=1+1" })).toContain(",'=1+1,");
});
