import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { totalAssetsAt } from "@aqua/sdk/maths/stream";
import type { Address, Hex, PublicClient } from "viem";

export interface ChainReport {
  block: bigint;
  delta: bigint;
  asOf: number;
  evidence: Hex;
  /** As of the report before it, or the vault's creation. */
  from: number;
  /** Total assets at `asOf`, before the report. */
  assets: bigint;
}

/** Reports of a vault with what they rest on, rebuilt from its events alone. */
export async function reportsOf(client: PublicClient, vault: Address): Promise<ChainReport[]> {
  const of = { address: vault, abi: demandVaultAbi, fromBlock: 0n, strict: true } as const;
  const [created, reports, deposits, withdrawals] = await Promise.all([
    client.getContractEvents({ ...of, eventName: "VaultCreated" }),
    client.getContractEvents({ ...of, eventName: "Reported" }),
    client.getContractEvents({ ...of, eventName: "Deposit" }),
    client.getContractEvents({ ...of, eventName: "Withdraw" }),
  ]);
  let from = Number(created[0]?.args.asOf);
  let stream = { settled: 0n, streaming: 0n, start: BigInt(from), end: BigInt(from) };
  let since = -1n;
  return reports.map(({ args, blockNumber }) => {
    const moved = (events: typeof deposits | typeof withdrawals) =>
      events
        .filter((event) => event.blockNumber > since && event.blockNumber < blockNumber)
        .reduce((sum, event) => sum + event.args.assets, 0n);
    const settled = stream.settled + moved(deposits) - moved(withdrawals);
    const report: ChainReport = {
      block: blockNumber,
      delta: args.delta,
      asOf: Number(args.asOf),
      evidence: args.evidenceRoot,
      from,
      assets: totalAssetsAt({ ...stream, settled }, args.asOf),
    };
    stream = { settled: args.settled, streaming: args.streaming, start: args.streamStart, end: args.streamEnd };
    from = report.asOf;
    since = blockNumber;
    return report;
  });
}
