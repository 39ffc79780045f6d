import type { DemandDetail, TimeDetail } from "@aqua/sdk/api/product";
import { makeProduct } from "../products.ts";

const { open_terms: _, ...base } = makeProduct();
const address = base.contract;
export const blockTime = base.as_of.time;

const page = {
  description: ["A pump in the fields."],
  yield_source: ["Farmers pay for water."],
  holder: { name: "Sahel Water SA", role: "Owns the pumps", country: "SN" },
  evidence: [],
  risks: [{ title: "Drought", text: "Less water, less income." }],
  metadata_hash: `0x${"ab".repeat(32)}`,
  coordinates: null,
  contracts: [{ role: "product" as const, address }],
  inception: blockTime - 86_400_000,
  contract_audit: null,
  income_months: [{ start: Date.UTC(2023, 10), amount: "12.500000" }],
};

/** A demand deposit in the API's detail shape, healthy and open except for the given fields. */
export function aDemand({
  vault,
  ...parts
}: Partial<Omit<DemandDetail, "vault">> & { vault?: Partial<DemandDetail["vault"]> } = {}): DemandDetail {
  return {
    ...base,
    ...page,
    type: "demand_deposit",
    share: { address, symbol: "aqSOL", decimals: 12, price: "1.050000000000000000", supply: "100.000000000000" },
    max_drawdown: "0.000000",
    max_drawdown_taken_back: null,
    exit_curve: [],
    ...parts,
    vault: {
      settled: "100.000000",
      streaming: "0.000000",
      stream_start: 0,
      stream_end: 0,
      supply: "100.000000000000",
      report_max_age: 86_400_000,
      last_report: blockTime - 3_600_000,
      deposits_closed_until: null,
      loss_reviewed_until: null,
      evidence_until: null,
      deployed: "0.000000",
      buffer: "0.000000000000000000",
      fee: "0.000000000000000000",
      queue: null,
      ...vault,
    },
  };
}

/** A time deposit in the API's detail shape, with one open term. */
export function aTime({
  books,
  ...parts
}: Partial<Omit<TimeDetail, "books">> & { books?: Partial<TimeDetail["books"]> } = {}): TimeDetail {
  const term = { value: 3, unit: "month" as const };
  return {
    ...base,
    ...page,
    short_id: "harbour",
    name: "Harbour Terms",
    type: "time_deposit",
    share: null,
    apy: { value: "0.061370", window_days: 90, kind: "fixed", annualised: true },
    term,
    open_terms: [{ ...term, rate: "0.06", apy: "0.061370" }],
    proof_age: null,
    wait: null,
    evidence_until: null,
    loss_reviewed_until: null,
    terms: [
      {
        ...term,
        term_id: 0,
        rate: "0.06",
        break_rate: "0.02",
        penalty: "0.005",
        open: true,
        cap: "1000.000000",
        room: "900.000000",
        maturity: Date.UTC(2026, 1, 10),
        apy: "0.061370",
      },
    ],
    ...parts,
    books: {
      cash: "60.000000",
      deployed: "50.000000",
      principal: "100.000000",
      liabilities: "101.500000",
      reserved: "1.500000",
      free_interest: "8.500000",
      coverage: "1.083743",
      losses: "0.000000",
      winding_down: null,
      receipts: 2,
      ...books,
    },
  };
}
