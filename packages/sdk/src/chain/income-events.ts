/** Reads from the chain what an income proof states: events at their places, and past states of a vault. */
import { type Address, erc20Abi, getAddress, type Log, parseEventLogs, zeroAddress } from "viem";
import { demandVaultAbi } from "../abi/DemandVault.ts";
import { productRegistryAbi } from "../abi/ProductRegistry.ts";
import { redemptionQueueAbi } from "../abi/RedemptionQueue.ts";
import type { PoolAccounts } from "../api/incomeProof.ts";
import type { ChainClient } from "./client.ts";
import { linesOf } from "./statement-lines.ts";

interface Named {
  shortId: string;
  contract: string;
  queue: string | null;
}

/**
 * Past reads of a chain. They need a node that keeps the state of old blocks. Each call throws if the node does not
 * answer.
 * @param registry the trusted registry; null: the one that the product's contract names
 */
export function incomeReads(client: ChainClient, registry: Address | null) {
  const times = new Map<number, Promise<number>>();
  const timeOf = (block: number): Promise<number> => {
    const known =
      times.get(block) ?? client.getBlock({ blockNumber: BigInt(block) }).then(({ timestamp }) => Number(timestamp));
    times.set(block, known);
    return known;
  };

  async function accountsAt(contract: Address, block: number): Promise<PoolAccounts> {
    const at = { address: contract, abi: demandVaultAbi, blockNumber: BigInt(block) } as const;
    const [[settled, streaming, start, end], supply] = await Promise.all([
      client.readContract({ ...at, functionName: "stream" }),
      client.readContract({ ...at, functionName: "totalSupply" }),
    ]);
    return told({ supply, settled, streaming, start, end });
  }

  async function logsOf(addresses: readonly Address[], block: number): Promise<Log[]> {
    const logs = await client.getLogs({
      address: [...addresses],
      fromBlock: BigInt(block),
      toBlock: BigInt(block),
    });
    return logs.sort((a, b) => (a.logIndex ?? 0) - (b.logIndex ?? 0));
  }

  return {
    async productOf({ shortId, contract }: Named) {
      const vault = { address: addressOf(contract), abi: demandVaultAbi } as const;
      const list = registry ?? (await client.readContract({ ...vault, functionName: "productRegistry" }));
      const [listed] = await client.readContract({
        address: list,
        abi: productRegistryAbi,
        functionName: "productOf",
        args: [shortId],
      });
      if (listed !== vault.address) return null;
      const [asset, { queue }, vestingTime] = await Promise.all([
        client.readContract({ ...vault, functionName: "asset" }),
        client.readContract({ ...vault, functionName: "desk" }),
        client.readContract({ ...vault, functionName: "vestingTime" }),
      ]);
      const [symbol, decimals] = await Promise.all([
        client.readContract({ address: asset, abi: erc20Abi, functionName: "symbol" }),
        client.readContract({ address: asset, abi: erc20Abi, functionName: "decimals" }),
      ]);
      return { symbol, decimals, queue: queue === zeroAddress ? null : queue, vestingTime: Number(vestingTime) };
    },

    async eventAt({ shortId, contract, queue }: Named, { block, logIndex }: { block: number; logIndex: number }) {
      const vault = addressOf(contract);
      const logs = await logsOf(queue === null ? [vault] : [vault, addressOf(queue)], block);
      const log = logs.find((one) => one.logIndex === logIndex);
      if (!log?.transactionHash) return null;
      const before = await accountsAt(vault, block - 1);
      const own = logs.filter(({ address }) => getAddress(address) === vault);
      const until = (isPast: (index: number) => boolean) =>
        vaultEvents(own.filter((one) => isPast(one.logIndex ?? 0))).reduce(accountsAfter, before);
      const found = {
        hash: log.transactionHash,
        time: await timeOf(block),
        accounts: until((index) => index <= logIndex),
      };
      const [event] = getAddress(log.address) === vault ? vaultEvents([log]) : [];
      if (event?.eventName === "LossTakenBack") return { ...found, what: { kind: "loss_taken_back" as const } };
      if (event?.eventName === "LossRestored") return { ...found, what: { kind: "loss_restored" as const } };
      if (event?.eventName !== "Reported") {
        const ofTransaction = logs.filter(({ transactionHash }) => transactionHash === log.transactionHash);
        const emitters = {
          type: "demand_deposit" as const,
          contract: vault,
          queue: queue === null ? null : addressOf(queue),
        };
        const lines = linesOf(ofTransaction, emitters).filter((line) => line.logIndex === logIndex);
        return { ...found, what: { kind: "lines" as const, lines } };
      }
      const { delta, asOf, evidenceRoot } = event.args;
      const reported = vaultEvents(own.filter((one) => (one.logIndex ?? 0) < logIndex)).findLast(
        ({ eventName }) => eventName === "Reported",
      );
      const from =
        reported?.eventName === "Reported"
          ? reported.args.asOf
          : await client.readContract({
              ...{ address: vault, abi: demandVaultAbi, blockNumber: BigInt(block - 1) },
              functionName: "lastReportAsOf",
            });
      const list =
        registry ??
        (await client.readContract({ address: vault, abi: demandVaultAbi, functionName: "productRegistry" }));
      const listing = await client.readContract({
        ...{ address: list, abi: productRegistryAbi, blockNumber: BigInt(block) },
        functionName: "productOf",
        args: [shortId],
      });
      const what = {
        kind: "report" as const,
        delta,
        asOf: Number(asOf),
        from: Number(from),
        evidenceRoot,
        document: listing[4],
        before: until((index) => index < logIndex),
      };
      return { ...found, what };
    },

    /** The newest block not after `time` (Unix seconds) and below `below`. Null if the chain began later. */
    async blockAt(time: number, below: number | null) {
      let above = below ?? Number(await client.getBlockNumber()) + 1;
      let low = above - 1;
      // Steps that double: the block is often close to the end.
      for (let step = 1; low > 0 && (await timeOf(low)) > time; step *= 2) {
        above = low;
        low = Math.max(0, low - step);
      }
      if ((await timeOf(low)) > time) return null;
      while (above - low > 1) {
        const middle = Math.floor((low + above) / 2);
        if ((await timeOf(middle)) <= time) low = middle;
        else above = middle;
      }
      return { block: low, time: await timeOf(low) };
    },

    async stateAt({ contract, queue }: Named, wallet: string, block: number) {
      const [vault, holder, blockNumber] = [addressOf(contract), addressOf(wallet), BigInt(block)];
      if (!(await client.getCode({ address: vault, blockNumber }))) return null;
      const accounts = await accountsAt(vault, block);
      const balance = await client.readContract({
        ...{ address: vault, abi: erc20Abi, blockNumber },
        functionName: "balanceOf",
        args: [holder],
      });
      if (queue === null) return { accounts, units: balance, claimable: 0n };
      const line = { address: addressOf(queue), abi: redemptionQueueAbi, blockNumber } as const;
      const [pending, shares, claimable] = await Promise.all([
        client.readContract({ ...line, functionName: "pendingRedeemRequest", args: [0n, holder] }),
        client.readContract({ ...line, functionName: "claimableRedeemRequest", args: [0n, holder] }),
        client.readContract({ ...line, functionName: "maxWithdraw", args: [holder] }),
      ]);
      if (shares > 0n && claimable === 0n) throw new Error("The queue does not tell what a frozen wallet can claim");
      return { accounts, units: balance + pending, claimable };
    },
  };
}

/** Viem rejects a mixed-case address with a wrong checksum. */
const addressOf = (text: string): Address => getAddress(text.toLowerCase());

function told(pool: { supply: bigint; settled: bigint; streaming: bigint; start: bigint; end: bigint }): PoolAccounts {
  const { supply, settled, streaming, start, end } = pool;
  return {
    supply: String(supply),
    settled: String(settled),
    streaming: String(streaming),
    start: Number(start),
    end: Number(end),
  };
}

const priced = ["Deposit", "Withdraw", "Reported", "LossTakenBack", "LossRestored"] as const;
const vaultEvents = (logs: Log[]) => parseEventLogs({ abi: demandVaultAbi, eventName: [...priced], logs });
type VaultEvent = ReturnType<typeof vaultEvents>[number];

/** The accounts after an event, by the rules that the contract gives for its events. */
function accountsAfter(accounts: PoolAccounts, event: VaultEvent): PoolAccounts {
  if (event.eventName === "Deposit" || event.eventName === "Withdraw") {
    const { assets, shares } = event.args;
    const sign = event.eventName === "Deposit" ? 1n : -1n;
    return {
      ...accounts,
      supply: String(BigInt(accounts.supply) + sign * shares),
      settled: String(BigInt(accounts.settled) + sign * assets),
    };
  }
  const { settled, streaming, streamStart: start, streamEnd: end } = event.args;
  return told({ supply: BigInt(accounts.supply), settled, streaming, start, end });
}
