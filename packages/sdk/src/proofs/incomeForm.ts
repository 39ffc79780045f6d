import type { IncomeProof } from "../api/incomeProof.ts";
import { incomeMetricNames } from "../telemetry/income.ts";
import {
  address,
  any,
  batchFigures,
  type Check,
  deviceName,
  fields,
  hash,
  listOf,
  oneOf,
  signedReading,
  text,
  whole,
} from "./form.ts";

// The shape of `incomeProof` without zod, as in form.ts. A test compares both.

export const isIncomeProof = (value: unknown): value is IncomeProof => incomeProof(value);

const strict = (checks: Record<string, Check>) => fields(checks, true);
const nullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const units = text(/^(0|-?[1-9]\d{0,77})$/);
const seconds = whole(0);
const decimal = text(/^(?=.{1,80}$)-?\d+(\.\d+)?$/);
const string: Check = (value) => typeof value === "string";

const accounts = strict({ supply: units, settled: units, streaming: units, start: seconds, end: seconds });
const worth = { accounts, units, claimable: units, value: units };
const step = {
  block: whole(0),
  log_index: whole(0),
  hash: text(/^0x[0-9a-fA-F]{64}$/),
  time: seconds,
  ...worth,
  earned: units,
};

const evidence = strict({
  document: hash,
  metric: strict({
    id: oneOf(...incomeMetricNames),
    version: oneOf(1),
    price: decimal,
    share: decimal,
    financed: decimal,
  }),
  batch: whole(1),
  at_end: accounts,
  devices: (value) =>
    listOf(strict({ device: deviceName, first: whole(1), last: whole(1), counted: units }))(value) &&
    (value as unknown[]).length > 0,
  counted: units,
  proceeds: units,
  gain: units,
});

const report = strict({
  kind: oneOf("report"),
  ...step,
  from: seconds,
  as_of: seconds,
  delta: units,
  fee: units,
  evidence_root: hash,
  before: accounts,
  evidence: nullOr(evidence),
});
const loss = strict({ kind: oneOf("loss_taken_back", "loss_restored"), ...step });
const movementKinds = ["deposit", "withdraw", "transfer_in", "transfer_out", "request", "processed", "claim"];
const movement = strict({ kind: oneOf(...movementKinds), ...step, shares: units, assets: units });

const product = strict({
  short_id: text(/^[a-z0-9-]{1,31}$/),
  contract: address,
  queue: nullOr(address),
  telemetry: nullOr(address),
  symbol: string,
  decimals: whole(0, 36),
  vesting_time: seconds,
  opening: nullOr(strict(worth)),
  steps: listOf((value) => report(value) || loss(value) || movement(value)),
  closing: strict(worth),
  income: units,
  documents: listOf(strict({ hash, text: string })),
  batches: listOf(strict({ ...batchFigures, data_hash: hash, head: hash, later: listOf(hash) })),
  readings: listOf(
    strict({
      reading: signedReading,
      key: strict({ kind: oneOf("p256", "secp256k1"), x: hash, y: hash, valid_from: any }),
      batch: whole(1),
      proof: listOf(hash),
    }),
  ),
});

const incomeProof = strict({
  format: oneOf("aqua-income-proof-1"),
  wallet: address,
  chain_id: whole(1),
  month: text(/^\d{4}-(0[1-9]|1[0-2])$/),
  from: seconds,
  to: seconds,
  block: nullOr(whole(0)),
  products: listOf(product),
});
