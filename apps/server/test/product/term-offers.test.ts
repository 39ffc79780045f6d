import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { List } from "@aqua/sdk/api/envelope";
import type { Transaction } from "@aqua/sdk/api/portfolio";
import type { DemandDetail, Liquidity, Performance, Product, ProductSummary, TimeDetail } from "@aqua/sdk/api/product";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { getAddress, maxUint256 } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { roleAccount } from "../../../../devnet/src/accounts.ts";
import type { Call } from "../../../../devnet/src/sender.ts";
import { type ContractState, readContract } from "../indexer/termLife.ts";
import { DAY, DOLLAR, offered, openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import { openWorld, WALLETS, type World } from "../indexer/world.ts";
import { served } from "../portfolio/api.ts";
import { withDatabase } from "../support/databases.ts";

const WAD = 10n ** 18n;
const YEAR = 365n * 86_400n;
const ROOT = `0x${"ab".repeat(32)}` as const;

let world: World;
/** An active product and one that is wound down. A third one is unused. */
let living: TermWorld;
let lost: TermWorld;
let seen: { living: ContractState; lost: ContractState };
/** Deposits into a product, one per week. */
const broughtIn: { time: number; amount: bigint }[] = [];
/** Expiry of the unused product's evidence, after one renewal. */
let renewedUntil: bigint;
/** Amount that the contract really paid out of `living` when everybody left in the tables' latest block. */
let paidOut: bigint;

beforeAll(async () => {
  world = await openWorld();
  const steady = await openTermDeposit(world, { shortId: "steady" });
  const mine = async (calls: readonly Call[], seconds: number, repaid = 0n) => {
    const amount = BigInt(20 + ((broughtIn.length * 37) % 60)) * DOLLAR;
    const back = repaid > 0n ? [steady.as("faucet", "repay", [repaid])] : [];
    await world.mine([...calls, steady.open(4, 0, amount), ...back], seconds);
    broughtIn.push({ time: (await world.head()).time, amount: amount + repaid });
  };
  await mine([], 7 * DAY);
  await mine([steady.as("treasurer", "deploy", [15n * DOLLAR])], 7 * DAY);
  living = await openTermDeposit(world, { shortId: "living", bindsSecond: false });
  lost = await openTermDeposit(world, { shortId: "lost", bindsSecond: false });
  const evidenceUntil = BigInt((await world.head()).time + 100 * DAY);
  const unused = await openTermDeposit(world, { shortId: "unused", bindsSecond: false, evidenceUntil });
  renewedUntil = evidenceUntil + 30n * BigInt(DAY);
  await world.mine([unused.as("reporter", "renewEvidence", [ROOT, renewedUntil])]);
  for (const deposits of [living, lost]) {
    await mine([deposits.open(0, 0, 1_000n * DOLLAR), deposits.open(1, 0, 250n * DOLLAR + 7n)], 5 * DAY);
    await mine([deposits.open(2, 1, 4_000n * DOLLAR + 1n), deposits.open(3, 1, 700n * DOLLAR)], 2 * DAY);
    await mine([deposits.as("treasurer", "deploy", [4_300n * DOLLAR])], DAY, deposits === living ? 11n * DOLLAR : 0n);
    await mine([deposits.as("faucet", "repay", [400n * DOLLAR])], 9 * DAY);
    await mine([deposits.by(3, "exitEarly", [4n, 700n * DOLLAR, 0n])], 9 * DAY);
  }
  await world.mine([lost.as("reporter", "bookLoss", [3_400n * DOLLAR + 11n, ROOT])]);
  await world.mine([lost.as("confirmer", "confirmLoss", [])], DAY);
  await world.mine([lost.by(0, "claim", [1n])], DAY);
  // By now, the two receipts of 30 days have matured.
  const before = await world.snapshot();
  const dollars = async () => {
    const balances = await Promise.all(
      Array.from({ length: WALLETS }, (_, index) =>
        world.client.readContract({
          address: world.deployed.addresses.testDollar,
          abi: testDollarAbi,
          functionName: "balanceOf",
          args: [living.wallet(index)],
        }),
      ),
    );
    return balances.reduce((sum, balance) => sum + balance, 0n);
  };
  const had = await dollars();
  // All leave in one block, in the order of maturity. Exits that cannot be paid revert.
  const leaving = [
    living.by(0, "close", [1n]),
    living.by(1, "close", [2n]),
    living.by(2, "exitEarly", [3n, 4_000n * DOLLAR + 1n, 0n]),
  ];
  await world.mine(leaving, 12).catch(() => {});
  paidOut = (await dollars()) - had;
  await world.revert(before);
  await world.mine([], 12);
  const ids = [1n, 2n, 3n, 4n, 5n];
  seen = { living: await readContract(world, living, ids), lost: await readContract(world, lost, ids) };
});
afterAll(() => world.stop());

/** Principal and interest so far, by hand. */
function worth({ receipts, terms, time }: ContractState): bigint {
  return [...receipts.values()].reduce((sum, { deposit }) => {
    const until = BigInt(time) < deposit.maturity ? BigInt(time) : deposit.maturity;
    const rate = terms[Number(deposit.termId)]?.rate ?? 0n;
    return sum + deposit.principal + (deposit.principal * rate * (until - deposit.openedAt)) / (YEAR * WAD);
  }, 0n);
}

withDatabase("time deposits as products", (open) => {
  const { api } = served(() => world, open, "suite");

  const assets = (text: string | null | undefined) => parseUnits(text ?? "", 6);
  const ratio = (value: bigint) => formatUnits(value, 18);
  const page = (shortId: string) => api.get<TimeDetail>(`product/${shortId}`);
  const list = async (query: string) => (await api.get<List<Product>>(`product/list${query}`)).items;

  it("are listed with the others, by type, by assets and by rate", async () => {
    const ids = async (query: string) => (await list(query)).map(({ short_id }) => short_id);
    const times = await ids("?type=time_deposit&sort=tvl");
    expect(times.slice(0, 2)).toEqual(["living", "lost"]);
    expect(times).toContain("unused");
    expect(times).toHaveLength(4 + world.deployed.termDeposits.size);
    const all = await ids("");
    expect(all.toSorted()).toEqual([...times, ...world.shortIds].toSorted());
    const paying = await list("?type=time_deposit&sort=apy");
    const rates = paying.map(({ apy }) => (apy.value === null ? -1 : Number(apy.value)));
    expect(rates).toEqual(rates.toSorted((a, b) => b - a));
    expect(paying.at(-1)).toMatchObject({ short_id: "lost", apy: { value: null }, term: null });
  });

  it("state the end of their evidence if they have devices", async () => {
    expect((await page("unused")).evidence_until).toBe(Number(renewedUntil) * 1_000);
    expect((await page("living")).evidence_until).toBeNull();
  });

  it("report principal and accrued interest as assets, and the rate of the best open term", async () => {
    const [row] = (await list("?type=time_deposit")).filter(({ short_id }) => short_id === "living");
    expect(assets(row?.tvl)).toBe(worth(seen.living));
    // 6 % over three months compounds to more than 5 % over 30 days; the 10 % a year is closed.
    expect(row?.term).toEqual({ value: 3, unit: "month" });
    expect(row?.apy).toMatchObject({ kind: "fixed", annualised: true });
    expect(Number(row?.apy.value)).toBeGreaterThan(0.06);
    expect(Number(row?.apy.value)).toBeLessThan(0.0625);
    expect(row).toMatchObject({ type: "time_deposit", share: null, wait: null, proof_age: null, holders: 3 });
    expect([assets(row?.cap), assets(row?.min_deposit)]).toEqual([seen.living.limits[0], seen.living.limits[1]]);
    // The cap counts principal only, so accrued interest does not reduce the room.
    const { liabilities, reserved } = seen.living.books;
    expect(assets(row?.cap_used)).toBe(liabilities - reserved);
    expect(assets(row?.cap_used)).toBeLessThan(assets(row?.tvl));
    expect(row?.as_of).toMatchObject({ block: seen.living.block, time: seen.living.time * 1_000 });
  });

  it("report as available exactly the amount that the chain paid then", async () => {
    const { instant_capacity } = await page("living");
    expect(assets(instant_capacity)).toBe(paidOut);
    expect(paidOut > 1_000n * DOLLAR && paidOut < 2_000n * DOLLAR).toBe(true);
  });

  it("have the accounts of the contract, and null if nothing is owed", async () => {
    const { books } = await page("living");
    const { cash, deployed, liabilities, reserved } = seen.living.books;
    expect(books).toMatchObject({
      cash: formatUnits(cash, 6),
      deployed: formatUnits(deployed, 6),
      liabilities: formatUnits(liabilities, 6),
      reserved: formatUnits(reserved, 6),
      free_interest: formatUnits(cash + deployed - liabilities, 6),
      principal: formatUnits(liabilities - reserved, 6),
      coverage: ratio(seen.living.coverage),
      losses: "0.000000",
      winding_down: null,
      receipts: 3,
    });
    expect((await page("unused")).books).toMatchObject({ coverage: null, principal: "0.000000", receipts: 0 });
  });

  it("offer terms with the contract's maturity and exact room", async () => {
    const { terms } = await page("living");
    expect(terms.map(({ term_id, open }) => [term_id, open])).toEqual([
      [0, true],
      [1, true],
      [2, false],
    ]);
    for (const term of terms) {
      const of = offered[term.term_id];
      expect([term.rate, term.break_rate, term.penalty]).toEqual(
        [of?.rate, of?.breakRate, of?.penalty].map((rate) => ratio(rate ?? -1n)),
      );
      const [maturity] = (await living.read("quote", [BigInt(term.term_id), 1n])) as [bigint, bigint];
      expect(term.maturity).toBe(Number(maturity) * 1_000);
    }
    const attempt = (principal: bigint, termId: number) =>
      world.client.simulateContract({
        address: living.address,
        abi: termDepositAbi,
        functionName: "open",
        account: living.wallet(4),
        args: [BigInt(termId), principal, maxUint256],
      });
    for (const { term_id, room, open } of terms.filter((term) => term.open)) {
      expect(open && assets(room) > 10_000n * DOLLAR).toBe(true);
      await expect(attempt(assets(room), term_id)).resolves.toBeDefined();
      await expect(attempt(assets(room) + 1n, term_id)).rejects.toThrow(/ReserveExhausted|CapExceeded/);
    }
  });

  it("name the contracts that contain their money", async () => {
    const { contracts } = await page("living");
    const custodian = roleAccount("faucet").address;
    expect(contracts).toContainEqual({ role: "product", address: getAddress(living.address) });
    expect(contracts).toContainEqual({ role: "custodian", address: custodian });
    expect(contracts.some(({ role }) => role === "queue")).toBe(false);
    const demand = await api.get<DemandDetail>(`product/${world.shortIds[0]}`);
    const queue = world.deployed.queues.get(world.shortIds[0] ?? "") ?? "0x";
    expect(demand.contracts).toContainEqual({ role: "queue", address: getAddress(queue) });
    expect(demand.contracts).toContainEqual({ role: "custodian", address: roleAccount("custodian").address });
  });

  it("chart the liabilities, the mean rate and the coverage", async () => {
    const { series, ...rest } = await api.get<Performance>("product/living/performance");
    expect(rest).toMatchObject({ type: "time_deposit", share_price: null, apy: [], max_drawdown: null, reports: [] });
    const { tvl } = await page("living");
    const principals = [...seen.living.receipts.values()].map(({ deposit }) => deposit);
    const weighted = principals.reduce((sum, { principal, termId }) => {
      return sum + principal * (offered[Number(termId)]?.rate ?? 0n);
    }, 0n);
    const mean = weighted / principals.reduce((sum, { principal }) => sum + principal, 0n);
    expect(series.at(-1)).toEqual({
      time: seen.living.time * 1_000,
      tvl,
      share_price: null,
      gross_price: null,
      rate: ratio(mean),
      coverage: ratio(seen.living.coverage),
    });
    // The first point is at the time of the first deposits, when nothing has accrued.
    expect(series[0]).toMatchObject({ tvl: "1250.000007", rate: ratio(offered[0].rate) });
    const grown = series.map((point) => assets(point.tvl));
    expect(grown[3] !== undefined && grown[2] !== undefined && grown[3] > grown[2]).toBe(true);
    expect(series.every(({ coverage }) => Number(coverage) >= 1)).toBe(true);
    expect((await api.get<Performance>("product/unused/performance")).series).toEqual([]);
  });

  it("list the amounts due by week, and the flows of past weeks", async () => {
    const liquidity = await api.get<Liquidity>("product/living/liquidity");
    const { cash, deployed, liabilities, reserved } = seen.living.books;
    expect(liquidity).toMatchObject({
      type: "time_deposit",
      queue: null,
      wait: null,
      exit_curve: [],
      scenarios: [],
      idle: formatUnits(cash, 6),
      deployed: formatUnits(deployed, 6),
      total_assets: formatUnits(cash + deployed, 6),
      utilisation: formatUnits((deployed * 1_000_000n) / (cash + deployed), 6),
      unstreamed: "0.000000",
      buffer: formatUnits(reserved + (liabilities - reserved + 4n) / 5n, 6),
    });
    expect(assets(liquidity.instant_capacity)).toBe(paidOut);
    const { weeks, history } = liquidity;
    expect(weeks.reduce((sum, week) => sum + assets(week.maturities), 0n)).toBe(liabilities);
    // Matured receipts are due now, regardless of when they matured.
    const due = [...seen.living.receipts.values()].filter(({ deposit }) => deposit.status === 2n);
    expect(due).toHaveLength(2);
    expect(assets(weeks[0]?.maturities)).toBe(due.reduce((sum, { quoteExit }) => sum + quoteExit, 0n));
    for (const [index, { start }] of weeks.entries()) {
      expect(new Date(start).getUTCDay()).toBe(1);
      expect(start - (weeks[0]?.start ?? 0)).toBe(index * 7 * DAY * 1_000);
    }
    const last = [...seen.living.receipts.values()].reduce(
      (latest, { deposit }) => Math.max(latest, Number(deposit.maturity)),
      0,
    );
    expect((weeks.at(-1)?.start ?? 0) / 1_000 + 7 * DAY).toBeGreaterThan(last);
    const sum = (key: "deposits" | "withdrawals") => history.reduce((total, point) => total + assets(point[key]), 0n);
    expect(sum("deposits")).toBe(5_950n * DOLLAR + 8n);
    const { items } = await api.get<List<Transaction>>("product/living/transactions?kind=withdraw");
    expect(sum("withdrawals")).toBe(assets(items[0]?.amount));
    expect(history.at(-1)).toMatchObject({ idle: liquidity.idle, total_assets: liquidity.total_assets });
  });

  it("expect for a week the median inflow of past weeks, and nothing if the past is too short", async () => {
    const { weeks, as_of } = await api.get<Liquidity>("product/steady/liquidity");
    const monday = (time: number) => {
      const day = new Date(time * 1_000);
      return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() - ((day.getUTCDay() + 6) % 7)) / 1_000;
    };
    const now = monday(as_of.time / 1_000);
    const first = monday(broughtIn[0]?.time ?? 0) + 7 * DAY;
    const past = Array.from({ length: Math.min(12, (now - first) / (7 * DAY)) }, (_, index) => {
      const start = now - (index + 1) * 7 * DAY;
      const those = broughtIn.filter(({ time }) => time >= start && time < start + 7 * DAY);
      return those.reduce((sum, { amount }) => sum + amount, 0n);
    });
    const sorted = past.toSorted((a, b) => Number(a - b));
    const median = sorted[(sorted.length - 1) >> 1] ?? -1n;
    expect(past.length > 6 && median > 0n).toBe(true);
    const left = (median * BigInt(now + 7 * DAY - as_of.time / 1_000)) / BigInt(7 * DAY);
    expect(weeks.map(({ expected_inflow }) => assets(expected_inflow))).toEqual(
      weeks.map((_, index) => (index === 0 ? left : median)),
    );
    expect((await api.get<Liquidity>("product/unused/liquidity")).weeks[0]?.expected_inflow).toBeNull();
  });

  it("list their transactions", async () => {
    const { items } = await api.get<List<Transaction>>("product/living/transactions");
    expect(items.map(({ kind, deposit_id }) => [kind, deposit_id])).toEqual([
      ["withdraw", "4"],
      ["deposit", "4"],
      ["deposit", "3"],
      ["deposit", "2"],
      ["deposit", "1"],
    ]);
    // The second term has no penalty.
    expect(items[0]).toMatchObject({ shares: null, price: null, fee: "0.000000", short_id: "living" });
    const lostItems = (await api.get<List<Transaction>>("product/lost/transactions?kind=claim")).items;
    expect(lostItems).toMatchObject([{ kind: "claim", deposit_id: "1", address: getAddress(lost.wallet(0)) }]);
  });

  it("have the remaining share of claims as value after a winding down, and accept and quote nothing", async () => {
    const product = await page("lost");
    const { books, receipts } = seen.lost;
    const claimable = [...receipts.values()].reduce((sum, one) => sum + one.claimable, 0n);
    expect(claimable > 0n).toBe(true);
    expect(assets(product.instant_capacity)).toBe(claimable);
    expect(product).toMatchObject({ term: null, apy: { value: null } });
    expect(product.terms.map(({ room }) => assets(room))).toEqual([0n, 0n, 0n]);
    expect(product.books).toMatchObject({ coverage: ratio(seen.lost.coverage), losses: "3400.000011" });
    const received = books.cash + books.claims - books.liabilities;
    expect(product.books.winding_down).toEqual({
      claims: formatUnits(books.claims, 6),
      received: formatUnits(received, 6),
    });
    const left = received + books.deployed;
    const principals = books.claims - books.reserved;
    expect(left < principals).toBe(true);
    const share = [...receipts.values()].reduce(
      (sum, { deposit, paid }) => sum + (deposit.principal * left) / principals - paid,
      0n,
    );
    expect(assets(product.tvl)).toBe(share);
    expect(share < worth(seen.lost)).toBe(true);
    expect(await api.get<Liquidity>("product/lost/liquidity")).toMatchObject({ winding_down: true, weeks: [] });
    expect(await api.get<Liquidity>("product/steady/liquidity")).toMatchObject({ winding_down: false });
  });

  it("are part of the sums over all products", async () => {
    const summary = await api.get<ProductSummary>("product/summary");
    const all = await list("");
    const total = all.reduce((sum, { tvl }) => sum + assets(tvl), 0n);
    expect(summary.totals).toMatchObject([{ deposits: formatUnits(total, 6) }]);
    expect(summary.positions).toBe(7);
    expect(summary.open).toBe(all.filter(({ status }) => status === "open").length);
  });
});
