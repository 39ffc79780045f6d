import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Accounts that never sign, so their keys are unknown. */
export const account = (number: number) => `0x${"1".repeat(38)}${String(number).padStart(2, "0")}` as const;
export const TOKEN = "0x2222222222222222222222222222222222222222";
export const OWNER_DELAY = 172_800;

export const demandProduct = {
  type: "demand_deposit",
  short_id: "sahel-solar",
  asset: "usdc",
  share_name: "Aqua Sahel Solar Irrigation",
  share_symbol: "aqSOLAR",
  cap: "1500000",
  min_deposit: "10",
  document_hash: `0x${"ab".repeat(32)}`,
  evidence_until: null as string | null,
  vesting_seconds: 86_400,
  max_report_age_seconds: 604_800,
  max_gain_percent_per_year: "30",
  custodian: account(20),
  buffer_percent: "20",
  treasury: account(21),
  fee_percent: "10",
};

export const timeProduct = {
  type: "time_deposit",
  short_id: "delta-wind",
  asset: "usdc",
  share_name: "Aqua Delta Wind",
  share_symbol: "aqWIND",
  cap: "500000.5",
  min_deposit: "100",
  document_hash: `0x${"cd".repeat(32)}`,
  evidence_until: null as string | null,
  custodian: account(20),
  buffer_percent: "20",
  terms: [
    {
      count: 1,
      unit: "month",
      rate_percent: "4",
      break_rate_percent: "1",
      penalty_percent: "0.5",
      cap: "200000",
      open: true,
    },
  ],
};

export const validConfig = (chainId: number) => ({
  chain_id: chainId,
  roles: {
    owner: { address: account(1), delay_seconds: OWNER_DELAY },
    guardian: account(2),
    reporter: account(3),
    attester: account(4),
    treasurer: account(5),
    anchorer: account(6),
    registrar: account(7),
    confirmer: account(8),
  },
  assets: { usdc: { address: TOKEN, symbol: "USDC", decimals: 6 } },
  products: [demandProduct, timeProduct] as object[],
});

/** Writes a configuration and returns its path. */
export async function writeConfig(folder: string, name: string, content: object): Promise<string> {
  const path = join(folder, `${name}.json`);
  await writeFile(path, JSON.stringify(content));
  return path;
}
