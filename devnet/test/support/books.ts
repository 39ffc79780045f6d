import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { totalAssetsAt } from "@aqua/sdk/maths/stream";
import type { Address, Hex, PublicClient } from "viem";

export interface ChainReport {
  block: bigint;
  delta: bigint;
  asOf: number;
  evidence: Hex;
  /** Time of the previous report, or of the vault's creation. */
  from: number;
  /** Total assets at `asOf`, before the report. */
  assets: bigint;
}

/** Reports of a vault with their inputs, rebuilt from its events alone. */
export async function reportsOf(client: PublicClient, vault: Address): Promise<ChainReport[]> {
  const of = { address: vault, abi: demandVaultAbi, fromBlock: 0n, strict: true } as const;
  const [created, reports, takenBack, deposits, withdrawals] = await Promise.all([
    client.getContractEvents({ ...of, eventName: "VaultCreated" }),
    client.getContractEvents({ ...of, eventName: "Reported" }),
    client.getContractEvents({ ...of, eventName: "LossTakenBack" }),
    client.getContractEvents({ ...of, eventName: "Deposit" }),
    client.getContractEvents({ ...of, eventName: "Withdraw" }),
  ]);
  const moved = (events: typeof deposits | typeof withdrawals, since: bigint, until: bigint) =>
    events
      .filter(({ blockNumber }) => blockNumber > since && blockNumber < until)
      .reduce((sum, { args }) => sum + args.assets, 0n);
  let from = Number(created[0]?.args.asOf);
  let stream = { settled: 0n, streaming: 0n, start: BigInt(from), end: BigInt(from) };
  let since = -1n;
  const found: ChainReport[] = [];
  for (const event of [...reports, ...takenBack].sort((a, b) => Number(a.blockNumber - b.blockNumber))) {
    const { args, blockNumber: block } = event;
    const settled = stream.settled + moved(deposits, since, block) - moved(withdrawals, since, block);
    if (event.eventName === "Reported") {
      const { delta, asOf, evidenceRoot: evidence } = event.args;
      const assets = totalAssetsAt({ ...stream, settled }, asOf);
      found.push({ block, delta, asOf: Number(asOf), evidence, from, assets });
      from = Number(asOf);
    }
    stream = { settled: args.settled, streaming: args.streaming, start: args.streamStart, end: args.streamEnd };
    since = block;
  }
  return found;
}
