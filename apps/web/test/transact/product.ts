import type { DemandDetail, VaultState } from "@aqua/sdk/api/product";

/** The given parts of a product; everything else is a healthy open product on the local chain. */
export interface ProductParts extends Partial<Omit<DemandDetail, "vault" | "as_of">> {
  vault?: Partial<VaultState>;
  as_of?: Partial<DemandDetail["as_of"]>;
}

/** Time of the product's block, Unix milliseconds. */
export const blockTime = 1_800_000_000_000;
export const vault = "0x1111111111111111111111111111111111111111";
export const asset = "0x2222222222222222222222222222222222222222";
export const registry = "0x3333333333333333333333333333333333333333";

export function aProduct({ vault: state, as_of, ...parts }: ProductParts = {}): DemandDetail {
  return {
    short_id: "solar",
    withheld: [],
    name: "Solar irrigation",
    summary: null,
    type: "demand_deposit",
    status: "open",
    chain_id: 31337,
    contract: vault,
    asset: { address: asset, symbol: "tUSD", decimals: 6 },
    share: { address: vault, symbol: "aqSOL", decimals: 12, price: "1.05", supply: "1000.000000000000" },
    apy: { value: null, window_days: 30, kind: "variable", annualised: false },
    term: null,
    tvl: "1050.000000",
    cap: "100000.000000",
    cap_used: "1050.000000",
    min_deposit: "10.000000",
    instant_capacity: "1050.000000",
    wait: null,
    conditions: {
      cash: "50000.000000",
      deployed: "0.000000",
      performance_fee: "0.100000000000000000",
      vesting: 86_400_000,
      early_withdrawal: null,
    },
    holders: 1,
    proof_age: null,
    paused_until: null,
    deposits_paused: false,
    location: null,
    asset_class: null,
    image: null,
    closed_to: [],
    base: null,
    as_of: { chain_id: 31337, block: 100, time: blockTime, stale: false, ...as_of },
    description: [],
    yield_source: [],
    holder: null,
    evidence: [],
    risks: [],
    metadata_hash: "0x",
    coordinates: null,
    vault: {
      settled: "1050.000000",
      streaming: "0.000000",
      stream_start: blockTime,
      stream_end: blockTime,
      supply: "1000.000000000000",
      report_max_age: 86_400_000,
      last_report: blockTime,
      deposits_closed_until: null,
      loss_reviewed_until: null,
      evidence_until: null,
      deployed: "0.000000",
      buffer: "0",
      fee: "0",
      queue: null,
      ...state,
    },
    contracts: [{ role: "identity_registry", address: registry }],
    inception: 0,
    contract_audit: null,
    max_drawdown: "0.000000",
    max_drawdown_taken_back: null,
    exit_curve: [],
    income_months: [],
    ...parts,
  };
}
