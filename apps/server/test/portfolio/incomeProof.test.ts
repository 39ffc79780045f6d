import type { ErrorBody } from "@aqua/sdk/api/envelope";
import { type IncomeProof, incomeProof } from "@aqua/sdk/api/incomeProof";
import type { Statement } from "@aqua/sdk/api/portfolio";
import { parseUnits } from "@aqua/sdk/maths/units";
import { verdictOf } from "@aqua/sdk/proofs/steps";
import { type IncomeChain, verifyIncomeProof } from "@aqua/sdk/proofs/verifyIncome";
import { lt } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { reading } from "../../src/telemetry/schema.ts";
import { DAY, type IncomeWorld, july, june, openIncomeWorld } from "./incomeWorld.ts";

let stage: IncomeWorld;
beforeAll(async () => {
  stage = await openIncomeWorld();
}, 120_000);
afterAll(() => stage?.close());

/** The file of a wallet as a download, verified to be of the schema. */
async function fileOf(wallet: number, month: string, query = ""): Promise<IncomeProof> {
  const response = await stage.app.inject(
    `/api/v2/account/incomeProof/${stage.world.wallets[wallet]}?month=${month}${query}`,
  );
  if (response.statusCode !== 200) throw new Error(response.body);
  expect(response.headers["content-disposition"]).toBe(
    `attachment; filename="aqua-income-${stage.world.wallets[wallet]?.toLowerCase()}-${month}.json"`,
  );
  return incomeProof.parse(response.json());
}
const refusal = async (query: string) => {
  const response = await stage.app.inject(`/api/v2/account/incomeProof/${stage.world.wallets[0]}?${query}`);
  return { status: response.statusCode, ...response.json<ErrorBody>() };
};
const failures = async (proof: unknown, by: IncomeChain | null = stage.chain) =>
  (await verifyIncomeProof(proof, by)).filter(({ state }) => state !== "pass");

/** What a statement of the same time says that the wallet earned in the product, in smallest units. */
async function statedEarned(wallet: number, { from, to }: { from: number; to: number }): Promise<string> {
  const path = `/api/v2/account/statement/${stage.world.wallets[wallet]}?from=${from * 1_000}&to=${to * 1_000}&short_id=sahel-solar`;
  const { data } = (await stage.app.inject(path)).json<{ data: Statement }>();
  const [product] = data.products;
  return String(parseUnits(product?.earned ?? "", product?.decimals ?? 0));
}

it("a month that has ended is proved from the meters to the wallet", async () => {
  const file = await fileOf(0, "2025-06");
  expect(await failures(file)).toEqual([]);
  expect(file).toMatchObject({ from: june, to: july, block: null });
  const [product] = file.products;
  expect(file.products).toHaveLength(1);
  expect(product).toMatchObject({ short_id: "sahel-solar", opening: null });
  expect(product?.steps.map(({ kind }) => kind)).toEqual(["deposit", "report"]);
  expect(product?.income).toBe(await statedEarned(0, { from: june, to: july }));
});

it("a month with movements is proved up to its newest block", async () => {
  const file = await fileOf(0, "2025-07");
  expect(await failures(file)).toEqual([]);
  const { number, time } = await stage.world.head();
  expect(file).toMatchObject({ from: july, to: time, block: number });
  const steps = file.products[0]?.steps ?? [];
  expect(steps.map(({ kind }) => kind)).toEqual([
    ...["report", "deposit", "withdraw", "transfer_in", "request", "report", "report", "processed", "claim"],
  ]);
  const evidences = steps.flatMap((step) => (step.kind === "report" ? [step.evidence] : []));
  // The last report names a root that is not one of a batch.
  expect(evidences.map((one) => one && [one.devices.length, one.batch])).toEqual([[2, 2], [2, 3], null]);
});

it("a wallet that only deposits earned what its statement says, to the unit", async () => {
  const { time } = await stage.world.head();
  const file = await fileOf(2, "2025-07");
  expect(await failures(file)).toEqual([]);
  expect(file.products[0]?.income).toBe(await statedEarned(2, { from: july, to: time + 1 }));
  expect(BigInt(file.products[0]?.income ?? 0)).toBeGreaterThan(0n);
});

it("only the steps that need the chain are unknown without it", async () => {
  const found = await failures(await fileOf(0, "2025-07"), null);
  expect(found.map(({ step, state, reason }) => [step, state, reason])).toEqual(
    ["keys", "anchored", "events", "balances"].map((step) => [step, "unknown", "no_chain"]),
  );
});

type Path = (string | number)[];
/** The places of all values in a file. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, item]) =>
    leavesOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
const leafAt = (file: unknown, path: Path) =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], file);
/** Another value of the same form. */
function altered(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (value === null) return 1;
  const text = String(value);
  if (/^-?\d+$/.test(text)) return String(BigInt(text) + 1n);
  if (/^0x/.test(text)) return text.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
  return `${text}0`;
}

it("a change of any one value in the file is found", async () => {
  const answers = new Map<string, unknown>();
  // A file is checked hundreds of times, but the chain stays the same.
  const remembered = Object.fromEntries(
    Object.entries(stage.chain).map(([name, value]) => [
      name,
      typeof value !== "function"
        ? value
        : (...args: unknown[]) => {
            const key = JSON.stringify([name, args]);
            if (!answers.has(key)) answers.set(key, (value as (...args: unknown[]) => unknown)(...args));
            return answers.get(key);
          },
    ]),
  ) as unknown as IncomeChain;
  const file = await fileOf(0, "2025-07");
  // So that the node also knows the block after the last one of the file.
  await stage.world.mine();
  const leaves = leavesOf(file);
  expect(leaves.length).toBeGreaterThan(350);
  const [unnoticed, unsure]: [string[], string[]] = [[], []];
  for (const path of leaves) {
    const forged = structuredClone(file);
    const parent = leafAt(forged, path.slice(0, -1)) as Record<string | number, unknown>;
    const key = path.at(-1) as string;
    parent[key] = altered(parent[key]);
    const verdict = verdictOf(await verifyIncomeProof(forged, remembered));
    if (verdict === "pass") unnoticed.push(path.join("."));
    if (verdict === "unknown") unsure.push(path.join("."));
  }
  expect(unnoticed).toEqual([]);
  expect(unsure).toEqual([]);
}, 300_000);

it("a month without movements and income has no product, and a month to come is refused", async () => {
  expect(await fileOf(3, "2025-07")).toMatchObject({ products: [] });
  expect(await failures(await fileOf(3, "2025-07"))).toEqual([]);
  expect(await refusal("month=2025-08")).toMatchObject({ status: 400, details: [{ path: "month" }] });
  expect(await refusal("month=2025-13")).toMatchObject({ status: 400 });
  expect(await refusal("month=2025-07&short_id=unknown")).toMatchObject({ status: 404, error_code: "pool_not_found" });
  expect(await refusal("month=2025-07&chain_id=5")).toMatchObject({ status: 400, details: [{ path: "chain_id" }] });
});

it("a report whose readings were deleted for their age has no evidence, and the rest is still proved", async () => {
  await stage.db.orm.delete(reading).where(lt(reading.time, (july + 2 * DAY) * 1_000));
  const file = await fileOf(0, "2025-07");
  const reports = file.products[0]?.steps.filter(({ kind }) => kind === "report");
  expect(reports?.map((step) => "evidence" in step && step.evidence !== null)).toEqual([false, false, false]);
  expect(await failures(file)).toEqual([]);
});
