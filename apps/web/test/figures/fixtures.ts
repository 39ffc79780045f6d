import type { Liquidity, Performance, ProductDetail, WithdrawalRequest } from "@aqua/sdk/api/product";
import type { PrivilegedAct, Reserves, TransparencySummary } from "@aqua/sdk/api/transparency";
import { makeProduct } from "../products.ts";

const day = 86_400_000;
const week = 7 * day;
export const now = Date.UTC(2026, 9, 20, 12);
export const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const hash = (seed: number) => `0x${seed.toString(16).padStart(64, "a")}`;
const asOf = { chain_id: 31337, block: 1_204_551, time: now, stale: false };

const pages = {
  description: [],
  yield_source: [],
  holder: null,
  evidence: [],
  risks: [],
  metadata_hash: hash(1),
  coordinates: null,
  contracts: [],
  inception: now - 200 * day,
  contract_audit: null,
  income_months: [],
  location: "Senegal",
  asset_class: "Solar",
  as_of: asOf,
};

export function demandProduct(overrides: Partial<ProductDetail> = {}): ProductDetail {
  return {
    ...makeProduct(),
    ...pages,
    type: "demand_deposit",
    share: { address: wallet, symbol: "aqSOL", decimals: 12, price: "1.05", supply: "100.0" },
    max_drawdown: "0.000000",
    max_drawdown_taken_back: null,
    exit_curve: [],
    vault: {
      settled: "100",
      streaming: "0",
      stream_start: 0,
      stream_end: 0,
      supply: "100",
      report_max_age: 604_800_000,
      last_report: now - day,
      deposits_closed_until: null,
      loss_reviewed_until: null,
      evidence_until: null,
      deployed: "0",
      buffer: "0.2",
      fee: "0.1",
      queue: null,
    },
    ...overrides,
  } as ProductDetail;
}

const offer = { break_rate: "0.02", penalty: "0", open: true, cap: "1000000", room: "1000", maturity: now + 90 * day };
export function timeProduct(): ProductDetail {
  return {
    ...makeProduct({ short_id: "term", name: "Lagoon Notes", share: null }),
    ...pages,
    type: "time_deposit",
    share: null,
    evidence_until: null,
    loss_reviewed_until: null,
    terms: [
      { ...offer, term_id: 0, value: 30, unit: "day", rate: "0.045", apy: "0.0459" },
      { ...offer, term_id: 1, value: 6, unit: "month", rate: "0.06", apy: "0.0612" },
      { ...offer, term_id: 2, value: 1, unit: "year", rate: "0.07", apy: "0.07", open: false },
    ],
    books: {
      cash: "40000.000000",
      deployed: "60000.000000",
      principal: "95000.000000",
      liabilities: "99000.000000",
      reserved: "4000.000000",
      free_interest: "1000.000000",
      coverage: "1.010101",
      losses: "0.000000",
      winding_down: null,
      receipts: 12,
    },
  } as ProductDetail;
}

const days = Array.from({ length: 200 }, (_, index) => index);
const at = (index: number) => now - (199 - index) * day;

export function demandPerformance(overrides: Partial<Performance> = {}): Performance {
  return {
    short_id: "solar",
    type: "demand_deposit",
    share_price: "1.052341876543210987",
    apy: [
      { window_days: 7, value: "0.0612", annualised: true },
      { window_days: 30, value: "0.0587", annualised: true },
      { window_days: 90, value: "0.0561", annualised: true },
      { window_days: 365, value: null, annualised: false },
      { window_days: null, value: "0.0574", annualised: true },
    ],
    max_drawdown: "0.004100",
    max_drawdown_taken_back: null,
    series: days.map((index) => {
      const price = 1 + index * 0.00027 - (index > 120 ? 0.004 : 0) + Math.sin(index / 9) * 0.0004;
      return {
        time: at(index),
        tvl: (150_000 + index * 4100 + Math.sin(index / 6) * 24_000).toFixed(6),
        share_price: index >= 60 && index < 66 ? null : price.toFixed(18),
        gross_price: index >= 60 && index < 66 ? null : (price + index * 0.00004).toFixed(18),
        rate: null,
        coverage: null,
      };
    }),
    reports: Array.from({ length: 28 }, (_, index) => ({
      time: now - index * week,
      block: 1_204_500 - index * 1000,
      hash: hash(100 + index),
      delta: index === 11 ? "-3120.250001" : `${1204 + index * 3}.560000`,
      fee: index === 11 ? "0.000000" : "120.456000",
      taken_back: null,
      as_of_time: now - index * week - day / 4,
      evidence_root: index % 5 === 0 ? `0x${"0".repeat(64)}` : hash(500 + index),
      anchored: null,
    })),
    as_of: asOf,
    ...overrides,
  };
}

export function timePerformance(): Performance {
  return demandPerformance({
    short_id: "term",
    type: "time_deposit",
    share_price: null,
    apy: [],
    max_drawdown: null,
    max_drawdown_taken_back: null,
    reports: [],
    series: days.map((index) => ({
      time: at(index),
      tvl: (20_000 + Math.floor(index / 20) * 9000).toFixed(6),
      share_price: null,
      gross_price: null,
      rate: index < 10 ? null : (0.05 + Math.floor(index / 40) * 0.002).toFixed(6),
      coverage: index < 10 ? null : (index < 150 ? 1.02 : 0.999_96).toFixed(6),
    })),
  });
}

export function demandLiquidity(overrides: Partial<Liquidity> = {}): Liquidity {
  const curve = [1000, 10_000, 50_000, 100_000, 250_000, 500_000, 750_000, 962_000];
  const wait = (amount: number) =>
    amount <= 50_000 ? { p50: 0, p90: 0 } : { p50: Math.round(amount * 900), p90: Math.round(amount * 2200) };
  return {
    short_id: "solar",
    type: "demand_deposit",
    instant_capacity: "61250.250000",
    idle: "161250.250000",
    deployed: "800750.000000",
    total_assets: "962000.250000",
    unstreamed: "0.000000",
    winding_down: false,
    buffer: "192400.050000",
    utilisation: "0.832380",
    queue: {
      requests: 14,
      shares: "95000.000000000000",
      value: "100000.000000",
      ready_shares: "61000.000000000000",
      oldest: now - 3 * day,
      claimable: "12500.000000",
    },
    wait: { p50: 2 * day, p90: 6 * day },
    track_record: { scored: 42, within_p50: "0.523809", within_p90: "0.904761" },
    exit_curve: curve.map((amount, index) => ({
      amount: `${amount}.000000`,
      wait: index === curve.length - 1 ? null : wait(amount),
    })),
    scenarios: [
      { part: "0.1", amount: "96200.025000", instant: "61250.250000", queued: "34949.775000", wait: wait(196_200) },
      { part: "0.3", amount: "288600.075000", instant: "61250.250000", queued: "227349.825000", wait: wait(388_600) },
      { part: "0.5", amount: "481000.125000", instant: "61250.250000", queued: "419749.875000", wait: null },
    ],
    weeks: [],
    inflow_ahead: Array.from({ length: 26 }, (_, index) => ({
      time: now + (index + 1) * week,
      p50: `${14_000 * (index + 1)}.000000`,
      p90: `${9_000 * (index + 1)}.000000`,
    })),
    history: days.map((index) => ({
      time: at(index),
      idle: (120_000 + Math.sin(index / 7) * 60_000 + index * 300).toFixed(6),
      total_assets: (150_000 + index * 4100).toFixed(6),
      deposits: index % 3 === 0 ? "5100.100000" : "0.000000",
      withdrawals: index % 5 === 0 ? "2300.000001" : "0.000000",
      queued: (index > 150 ? (index - 150) * 2000 : 0).toFixed(6),
    })),
    as_of: asOf,
    ...overrides,
  };
}

export function timeLiquidity(overrides: Partial<Liquidity> = {}): Liquidity {
  return demandLiquidity({
    short_id: "term",
    type: "time_deposit",
    instant_capacity: "40000.000000",
    idle: "40000.000000",
    deployed: "60000.000000",
    total_assets: "100000.000000",
    buffer: "20000.000000",
    utilisation: "0.600000",
    queue: null,
    wait: null,
    track_record: null,
    exit_curve: [],
    scenarios: [],
    inflow_ahead: [],
    weeks: Array.from({ length: 12 }, (_, index) => ({
      start: now + index * week,
      maturities: `${(index % 4) * 6500}.000000`,
      expected_inflow: "3000.000000",
    })),
    ...overrides,
  });
}

export function places(): WithdrawalRequest[] {
  return Array.from({ length: 12 }, (_, index) => ({
    position: index === 0 ? 9 : index,
    wallet: index === 0 ? wallet : other,
    requested_at: now - (14 - index) * 5 * 3_600_000,
    hash: hash(900 + index),
    shares: "6800.000000000000",
    value: "7142.857142",
    ahead: `${(index === 0 ? 8 : index - 1) * 7142}.000000`,
    payable_from: null,
    ready: index < 9,
    wait: index < 10 ? { p50: 1.5 * day, p90: 6 * day } : null,
  }));
}

const product = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
export const queueContract = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
export const token = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";

export function demandReserves(overrides: Partial<Reserves> = {}): Reserves {
  return {
    short_id: "solar",
    name: "Sahel Solar",
    type: "demand_deposit",
    chain_id: 31337,
    contract: product,
    symbol: "tUSD",
    decimals: 6,
    assets: [
      { part: "idle", amount: "161250.250000" },
      { part: "deployed", amount: "800750.000000" },
      { part: "set_aside", amount: "12500.000000" },
    ],
    liabilities: [
      { part: "shares", amount: "960000.000000" },
      { part: "unstreamed", amount: "2000.250000" },
      { part: "set_aside", amount: "12500.000000" },
    ],
    total_assets: "974500.250000",
    total_liabilities: "974500.250000",
    coverage: "1.000000",
    last_report: now - day,
    max_age: 7 * day,
    evidence: { confirmed: now - 30 * day, until: now + 60 * day },
    reviewed_loss: null,
    last_reading: now - day / 24,
    as_of: asOf,
    ...overrides,
  };
}

export function timeReserves(overrides: Partial<Reserves> = {}): Reserves {
  return demandReserves({
    short_id: "term",
    name: "Lagoon Notes",
    type: "time_deposit",
    contract: other,
    assets: [
      { part: "idle", amount: "40000.000000" },
      { part: "deployed", amount: "58960.400000" },
    ],
    liabilities: [
      { part: "principal", amount: "95000.000000" },
      { part: "interest", amount: "4000.000000" },
    ],
    total_assets: "98960.400000",
    total_liabilities: "99000.000000",
    coverage: "0.999600",
    last_report: null,
    max_age: null,
    evidence: null,
    last_reading: null,
    ...overrides,
  });
}

export function summary(overrides: Partial<TransparencySummary> = {}): TransparencySummary {
  const shared = { chain_id: 31337, short_id: null };
  const of = (short_id: string, role: string, address: string) => ({ chain_id: 31337, short_id, role, address });
  const role = (id: string, label: string | null, members: string[], delay = 0) => ({
    chain_id: 31337,
    id,
    label,
    members: members.map((address) => ({ address, delay, since: now - 190 * day })),
  });
  return {
    reserves: [demandReserves(), timeReserves()],
    contracts: [
      { ...shared, role: "product_registry", address: product },
      { ...shared, role: "identity_registry", address: wallet },
      { ...shared, role: "access_manager", address: other },
      of("solar", "product", product),
      of("solar", "asset", token),
      of("solar", "queue", queueContract),
      of("term", "product", other),
      of("term", "asset", token),
    ],
    roles: [
      role("0", null, [wallet], 2 * day),
      role("1", "owner", [wallet]),
      role("2", "guardian", [wallet, other]),
      role("3", "reporter", [other]),
      role("9", "lamplighter", []),
    ],
    scheduled: [],
    as_of: asOf,
    ...overrides,
  };
}

export function act(name: string, args: Record<string, string>, overrides: Partial<PrivilegedAct> = {}): PrivilegedAct {
  return {
    chain_id: 31337,
    block: 100,
    log_index: 0,
    time: now - day,
    hash: hash(1),
    contract: product,
    short_id: "solar",
    name,
    args,
    call: null,
    ...overrides,
  };
}

export function acts() {
  const items = [
    act("Deployed", { assets: "25000500000" }),
    act("CapChanged", { cap: "2000000000000" }),
    act("CustodianChanged", { custodian: other, buffer: "200000000000000000" }),
    act("PausedUntil", { until: String(now / 1000) }),
    act("RoleGranted", { role: "2", account: wallet, delay: "0", since: "1" }, { short_id: null }),
    act(
      "TermAdded",
      {
        termId: "1",
        count: "90",
        unit: "0",
        rate: "60000000000000000",
        breakRate: "20000000000000000",
        penalty: "0",
      },
      { short_id: "term" },
    ),
    act("SomethingNew", { level: "3" }),
  ].map((one, index) => ({ ...one, log_index: index }));
  return { items, total: 40, page: 1, page_size: 12 };
}
