import type { Product } from "@aqua/sdk/api/product";

const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

/** A product in the API's shape with the given fields. */
export function makeProduct(overrides: Partial<Product> = {}): Product {
  return {
    short_id: "solar",
    withheld: [],
    name: "Sahel Solar",
    summary: null,
    type: "demand_deposit",
    status: "open",
    chain_id: 31337,
    contract: address,
    asset: { address, symbol: "tUSD", decimals: 6 },
    share: { address, symbol: "aqSOL", decimals: 12, price: "1.05", supply: "100.0" },
    apy: { value: "0.05", window_days: 30, kind: "variable", annualised: true },
    term: null,
    tvl: "100.000000",
    cap: "1000.000000",
    cap_used: "100.000000",
    min_deposit: "10.000000",
    instant_capacity: "100.000000",
    wait: { p50: 0, p90: 0 },
    conditions: {
      cash: "50000.000000",
      deployed: "0.000000",
      performance_fee: "0.100000000000000000",
      vesting: 86_400_000,
      early_withdrawal: null,
    },
    holders: 3,
    proof_age: 3_600_000,
    paused_until: null,
    deposits_paused: false,
    location: null,
    asset_class: null,
    image: null,
    closed_to: [],
    base: null,
    as_of: { chain_id: 31337, block: 10, time: 1_700_000_000_000, stale: false },
    ...overrides,
  };
}
