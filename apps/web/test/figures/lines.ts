import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { StatementLine } from "@aqua/sdk/api/portfolio";
import { type Abi, encodeAbiParameters, encodeEventTopics, type Hex, type Log } from "viem";
import { demandReserves, queueContract, timeReserves, wallet } from "./fixtures.ts";

export const hash = `0x${"ab".repeat(32)}`;
export const block = 4_200;
/** Unix seconds. */
export const time = 1_795_000_000;
export const nobody = `0x${"0".repeat(40)}` as Hex;
export const vault = demandReserves();
export const term = timeReserves();

const abis = { vault: demandVaultAbi, queue: redemptionQueueAbi, term: termDepositAbi } as const;
const addresses = { vault: vault.contract, queue: queueContract, term: term.contract };

/** A log as emitted by the contract, encoded with its own ABI. */
export function log(by: keyof typeof abis, name: string, args: Record<string, unknown>, logIndex = 0): Log {
  const abi = abis[by] as Abi;
  const item = abi.find((one) => one.type === "event" && one.name === name);
  if (item?.type !== "event") throw new Error(`No event ${name}`);
  const topics = encodeEventTopics({ abi: [item], eventName: name, args } as never) as Hex[];
  const rest = item.inputs.filter(({ indexed }) => !indexed);
  const data = encodeAbiParameters(
    rest,
    rest.map(({ name: one }) => args[one ?? ""]),
  );
  return { address: addresses[by], topics, data, logIndex } as unknown as Log;
}

/** A statement's line for a deposit of 2 500 tUSD, for shares at 1.05 each. */
export function aLine(parts: Partial<StatementLine> = {}): StatementLine {
  return {
    time: time * 1_000,
    block,
    log_index: 1,
    hash,
    wallet,
    kind: "deposit",
    deposit_id: null,
    amount: "2500.000000",
    shares: "2380.952380952380",
    price: "1.050000000000000000",
    fee: "0.000000",
    description: "Deposit into",
    paid_in: "2500.000000",
    paid_out: "0.000000",
    earned: "0.000000",
    balance: { shares: "2380.952380952380", principal: null, claimable: "0.000000", value: "2499.999999" },
    ...parts,
  };
}

export const assets = 2_500_000_000n;
export const shares = 2_380_952_380_952_380n;

/** The chain's events of that deposit: the mint, and right after it the deposit. */
export const deposited = () => [
  log("vault", "Transfer", { from: nobody, to: wallet, value: shares }, 0),
  log("vault", "Deposit", { sender: wallet, owner: wallet, assets, shares }, 1),
];
