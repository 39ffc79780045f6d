import { z } from "zod";
import { incomeMetric } from "./document.ts";
import { address, chainId, shortId, transactionHash } from "./envelope.ts";
import { batchFigures, deviceKey, deviceName, hash, signedReading } from "./telemetry.ts";

/** A whole number of smallest units. */
const units = z.string().regex(/^(0|-?[1-9]\d{0,77})$/);
/** Unix seconds. */
const seconds = z.number().int().nonnegative();
const seq = z.number().int().min(1);

/** What determines the share price of a demand deposit: `supply` of shares and the stream of `totalAssetsAt`. */
const poolAccounts = z.strictObject({ supply: units, settled: units, streaming: units, start: seconds, end: seconds });

/**
 * The wallet's units and what they are worth: `value` is `previewRedeem` of the units at these accounts and this time,
 * plus `claimable`, the money that the queue has set aside. Shares that wait in the queue count as units.
 */
const worth = { accounts: poolAccounts, units, claimable: units, value: units };

/** An event on chain. `earned` is what the units earned since the step before, in smallest units of the asset. */
const step = {
  block: z.number().int().nonnegative(),
  log_index: z.number().int().nonnegative(),
  hash: transactionHash,
  time: seconds,
  ...worth,
  earned: units,
};

/** A register at both ends of a report's window. `first` and `last` are numbers of its readings. */
const register = z.strictObject({ device: deviceName, first: seq, last: seq, counted: units });

/** The inputs and results of `incomeOf`. `counted` has 18 decimals; the other amounts are smallest units. */
const evidence = z.strictObject({
  /** keccak-256 of the document that the registry named at the time of the report. */
  document: hash,
  metric: incomeMetric,
  /** The number of the batch whose head the report names. */
  batch: z.number().int().positive(),
  /** The accounts at the end of the window, before the report's block. */
  at_end: poolAccounts,
  devices: z.array(register).min(1),
  counted: units,
  proceeds: units,
  /** The gain that follows from the readings. The rest of the report's `delta` rests on the operator's word. */
  gain: units,
});

const reportStep = z.strictObject({
  kind: z.literal("report"),
  ...step,
  /** The window of the report: after `from`, up to and including `as_of`. */
  from: seconds,
  as_of: seconds,
  delta: units,
  fee: units,
  evidence_root: hash,
  /** The accounts right before the report. `accounts` are those right after it. */
  before: poolAccounts,
  /** Null if the report does not rest on registers, or if this server cannot prove what they counted. */
  evidence: evidence.nullable(),
});

/** A loss that was taken back or restored. It changes the price but is no report. */
const lossStep = z.strictObject({ kind: z.enum(["loss_taken_back", "loss_restored"]), ...step });

/**
 * A movement of the wallet. `shares` are the shares of its event; `assets` is the money that it paid in or out, or, in
 * a transfer, the set-aside money that moved with the place in the queue.
 */
const movementStep = z.strictObject({
  kind: z.enum(["deposit", "withdraw", "transfer_in", "transfer_out", "request", "processed", "claim"]),
  ...step,
  shares: units,
  assets: units,
});

const productProof = z.strictObject({
  short_id: shortId.max(31),
  contract: address,
  queue: address.nullable(),
  /** The contract with the batches and the keys of devices. Null on a chain without one. */
  telemetry: address.nullable(),
  symbol: z.string(),
  decimals: z.number().int().min(0).max(36),
  /** Seconds over which a gain is streamed at least. */
  vesting_time: seconds,
  /** Null if the product did not exist yet. */
  opening: z.strictObject(worth).nullable(),
  steps: z.array(z.discriminatedUnion("kind", [reportStep, lossStep, movementStep])),
  closing: z.strictObject(worth),
  /** What the wallet's units earned: the sum of `earned`, and what they earned since the last step. */
  income: units,
  /** The documents' exact text. */
  documents: z.array(z.strictObject({ hash, text: z.string() })),
  batches: z.array(z.strictObject({ ...batchFigures.shape, data_hash: hash, head: hash, later: z.array(hash) })),
  /** Each reading that `evidence` names, with its key and its path to the root of its batch. */
  readings: z.array(
    z.strictObject({
      reading: signedReading,
      key: z.strictObject(deviceKey.omit({ valid_until: true }).shape),
      batch: z.number().int().positive(),
      proof: z.array(hash),
    }),
  ),
});

/**
 * "Who paid me?": what one wallet's units earned in a month, from the readings of devices through the income reports
 * and the share price. GET account/incomeProof/{address}, and the file that `aqua verify` reads. It covers demand
 * deposits. A time deposit pays the interest that was agreed when it was opened, whatever devices measure.
 */
export const incomeProof = z.strictObject({
  format: z.literal("aqua-income-proof-1"),
  wallet: address,
  chain_id: z.number().int().positive(),
  /** A calendar month in UTC. */
  month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/),
  /** The moments of the opening and the closing balance: the month's start and end, or `block` if it has not ended. */
  from: seconds,
  to: seconds,
  /** The block at which a month that has not ended was read. Null for a whole month. */
  block: z.number().int().nonnegative().nullable(),
  products: z.array(productProof),
});
export type IncomeProof = z.infer<typeof incomeProof>;
export type PoolAccounts = z.infer<typeof poolAccounts>;

export const incomeProofQuery = z.object({
  month: incomeProof.shape.month,
  short_id: shortId.optional(),
  /** The first configured chain if omitted. */
  chain_id: chainId.optional(),
});
