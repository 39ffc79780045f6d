import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import type { ReadingProof } from "@aqua/sdk/api/telemetry";
import { type Hex, type PublicClient, parseEventLogs, TransactionReceiptNotFoundError } from "viem";
import { isoTime, type ReportStep } from "./verifyReport.ts";

type Batch = ReadingProof["batch"];

/**
 * The step `time` of a proof by the transaction that it names: `block`, `block_time` and `hash` are in no digest, so the
 * contract cannot confirm them. Compares with the proof's own contract; `anchored` judges whether that is the right one.
 */
export async function timeOnChain(client: PublicClient, batch: Batch): Promise<ReportStep> {
  const step = "time";
  try {
    const receipt = await client.getTransactionReceipt({ hash: batch.hash as Hex });
    const anchored = parseEventLogs({ abi: telemetryAnchorAbi, eventName: "Anchored", logs: receipt.logs });
    if (
      !anchored.some(({ address, args }) => address.toLowerCase() === batch.contract.toLowerCase() && fits(batch, args))
    )
      return { step, state: "fail", reason: "other_transaction" };
    const { number, timestamp } = await client.getBlock({ blockHash: receipt.blockHash });
    const time = Number(timestamp) * 1_000;
    if (Number(number) !== batch.block || time !== batch.block_time)
      return { step, state: "fail", reason: "other_block" };
    return { step, state: "pass", detail: `anchored at ${isoTime(time)} in block ${number} by the chain` };
  } catch (error) {
    const unknown = error instanceof TransactionReceiptNotFoundError;
    return { step, state: "unknown", reason: unknown ? "no_transaction" : "chain_away" };
  }
}

const fits = ({ stream, number, root }: Batch, event: { stream: Hex; batch: bigint; root: Hex }) =>
  event.stream === stream && event.batch === BigInt(number) && event.root === root;
