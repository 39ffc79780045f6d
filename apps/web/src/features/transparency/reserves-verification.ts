import type { Reserves } from "@aqua/sdk/api/transparency";
import { explainError } from "@aqua/sdk/chain/errors";
import { type ReservesOnChain, readReserves } from "@aqua/sdk/chain/published-figures";
import { formatUnits } from "@aqua/sdk/maths/units";
import { type ChainSource, openChain } from "../../wallet/chain-reader.ts";
import { type Compared, compareText, compareUnits, unitsOf } from "./comparison.ts";

type ReserveFigure = "time" | "shares" | "deployed" | "idle" | "setAside" | "liabilities" | "balance";

export interface CheckedReserves {
  figures: Compared<ReserveFigure>[];
  /** The number of milliseconds by which the newest block is later than the compared one. */
  age: number;
  source: ChainSource;
}

const amountOf = (entries: readonly { part: string; amount: string }[], part: string) =>
  entries.find((entry) => entry.part === part)?.amount;

/** No node answered. The API's code for the same failure selects the text. */
class ChainUnavailable extends Error {
  readonly error_code = "chain_unavailable";
}

/**
 * Reads the public figures at the block of `reserves` and compares them with this site's. Uses the visitor's own wallet
 * if there is one. A figure that this site leaves out counts as different. Rejects if no node answers.
 */
export async function checkReserves(reserves: Reserves): Promise<CheckedReserves> {
  const { type, contract, as_of } = reserves;
  const chain = await openChain(reserves.chain_id);
  const target = { type, contract: contract as `0x${string}`, block: as_of.block };
  const read = await readReserves(chain.client, target).catch((error: unknown) => {
    const { code } = explainError(error, { assetDecimals: 0, shareDecimals: 0 });
    throw code === "chainUnavailable" ? new ChainUnavailable("No node answered", { cause: error }) : error;
  });
  return { figures: compareReserves(reserves, read), age: read.newest - read.time, source: chain.source() };
}

function compareReserves(reserves: Reserves, read: ReservesOnChain): Compared<ReserveFigure>[] {
  const { decimals, assets, liabilities, as_of } = reserves;
  const figures: Compared<ReserveFigure>[] = [
    compareText({
      figure: "time",
      as: "time",
      query: `block ${as_of.block}, timestamp`,
      site: as_of.time,
      chain: read.time,
    }),
  ];
  const add = (figure: ReserveFigure, query: string, site: string | undefined, chain: bigint) =>
    figures.push(compareUnits({ figure, as: "amount", query, site: site ?? null, chain, decimals }));
  // Anyone can send tokens, so the balance may exceed the booked amount but must not be less.
  const addBalance = (figure: ReserveFigure, query: string, site: string | undefined, chain: bigint) => {
    const booked = unitsOf(site ?? null, decimals);
    const standing = booked !== null && chain >= booked ? "enough" : "different";
    figures.push({ figure, as: "amount", query, site: site ?? null, chain: formatUnits(chain, decimals), standing });
  };
  if (read.type === "time_deposit") {
    add("idle", "books().cash", amountOf(assets, "idle"), read.cash);
    add("deployed", "books().deployed", amountOf(assets, "deployed"), read.deployed);
    add("liabilities", "books().liabilities", reserves.total_liabilities ?? undefined, read.liabilities);
    addBalance("balance", "balanceOf(product)", amountOf(assets, "idle"), read.balance);
  } else {
    const { balance, setAside } = read;
    add("shares", "totalAssets()", amountOf(liabilities, "shares"), read.totalAssets);
    add("deployed", "desk().deployed", amountOf(assets, "deployed"), read.deployed);
    add("setAside", "setAside()", amountOf(assets, "set_aside"), setAside);
    addBalance("balance", "balanceOf(product) − setAside()", amountOf(assets, "idle"), balance - setAside);
  }
  return figures;
}

/** Milliseconds that a node needs to finish importing a block. */
const intake = 1_000;

/**
 * Reads the chain a second time if a figure differs. A node that is importing the next block may answer for an earlier
 * block with the next block's time, and `totalAssets()` grows with time. A figure that differs again is really
 * different.
 */
export async function readAgainIfDifferent(read: () => Promise<CheckedReserves>): Promise<CheckedReserves> {
  const checked = await read();
  if (!checked.figures.some(({ standing }) => standing === "different")) return checked;
  await new Promise((resolve) => setTimeout(resolve, intake));
  return read();
}
