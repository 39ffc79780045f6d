import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { Product } from "@aqua/sdk/api/product";
import type { Page } from "@playwright/test";
import { formatUnits, type Hex } from "viem";
import { chain } from "./chain";
import { expect } from "./test";
import { textsOf } from "./texts";

const text = textsOf("en-US");

/** A product's money and limits in its contract. Amounts in smallest units, times in Unix seconds. */
interface ChainState {
  cash: bigint;
  deployed: bigint;
  /** The amount that can be withdrawn at once. For a time deposit it depends on the receipts and is not read. */
  available: bigint | null;
  /** The deposits at the share price, or the claims of all receipts. */
  worth: bigint;
  pausedUntil: bigint;
  /** Claims of all receipts of a product in winding down; 0 for any other product. */
  claims: bigint;
}

/** Reads the state at the newest block, unless another is given. */
export async function chainStateOf({ contract, type }: Product, blockNumber?: bigint): Promise<ChainState> {
  const address = contract as Hex;
  if (type === "demand_deposit") {
    const vault = { address, abi: demandVaultAbi, ...(blockNumber && { blockNumber }) } as const;
    const [[settled, streaming], desk, worth, available, pausedUntil] = await Promise.all([
      chain.readContract({ ...vault, functionName: "stream" }),
      chain.readContract({ ...vault, functionName: "desk" }),
      chain.readContract({ ...vault, functionName: "totalAssets" }),
      chain.readContract({ ...vault, functionName: "instantLiquidity" }),
      chain.readContract({ ...vault, functionName: "pausedUntil" }),
    ]);
    // The shares' part of the contract's money, including income that is still streaming.
    const cash = settled + streaming - desk.deployed;
    // The contract's figure includes income that is still streaming and cannot be withdrawn yet. The difference is
    // visible after queue.spec.ts has let the custodian return everything.
    const most = available < worth ? available : worth;
    return { cash, deployed: desk.deployed, available: most, worth, pausedUntil, claims: 0n };
  }
  const term = { address, abi: termDepositAbi, ...(blockNumber && { blockNumber }) } as const;
  const [books, [, , pausedUntil]] = await Promise.all([
    chain.readContract({ ...term, functionName: "books" }),
    chain.readContract({ ...term, functionName: "limits" }),
  ]);
  return {
    cash: books.cash,
    deployed: books.deployed,
    available: null,
    worth: books.liabilities,
    pausedUntil,
    claims: books.claims,
  };
}

/** Amounts to withdraw are rounded down, all other figures half to even. */
const figure = (units: bigint, digits: number, roundingMode: "halfEven" | "trunc" = "halfEven") =>
  new Intl.NumberFormat("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    roundingMode,
  } as Intl.NumberFormatOptions).format(formatUnits(units, 6) as Intl.StringNumericLiteral);

const dateTime = (seconds: bigint) =>
  new Intl.DateTimeFormat("en-US", {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone: "UTC",
  }).format(Number(seconds) * 1_000);

/** The notice with this title on a product’s page, outside the panel. Its sentences follow the title. */
const notice = (page: Page, title: string) =>
  page
    .locator("main div:not(aside *)")
    .filter({ has: page.locator("> p", { hasText: title }) })
    .last();

/** Reads until the page and the chain are at the same block. */
export async function expectNotice(page: Page, product: Product, key: "closed" | "paused" | "capped" | "windingDown") {
  await expect(async () => {
    const state = await chainStateOf(product);
    const { symbol } = product.asset;
    if (key === "closed") {
      const shown = notice(page, text("products.closed.title"));
      const { available, worth } = state;
      const sentence =
        available === 0n || available === null
          ? text("product.notice.exit.queue")
          : available >= worth
            ? text("product.notice.exit.all")
            : text("product.notice.exit.some", { amount: figure(available, 2, "trunc"), unit: symbol });
      await expect(shown).toContainText(sentence, { timeout: 2_000 });
      await expect(shown).not.toContainText(/keep earning/i, { timeout: 1 });
    } else if (key === "paused") {
      const title = text("product.notice.paused", { until: dateTime(state.pausedUntil) });
      await expect(notice(page, title)).toContainText(text("product.notice.pausedTime.text"), { timeout: 2_000 });
    } else if (key === "capped") {
      await expect(notice(page, text("product.notice.capped"))).toContainText(text("product.notice.capped.text"), {
        timeout: 2_000,
      });
    } else {
      const claims = figure(state.claims, 2);
      await expect(notice(page, text("product.notice.windingDown"))).toContainText(`${claims} ${symbol}`, {
        timeout: 2_000,
      });
    }
  }).toPass({ timeout: 60_000 });
}

/** Compares every figure of the table on /about with the contracts, and its sentences with the sums. */
export async function expectTrueAbout(page: Page, products: readonly Product[]) {
  const table = page.getByRole("table", { name: text("about.now") });
  await expect(async () => {
    await page.goto("/about");
    // Income of another test may stream in with every block, so the newest one is not always the page's.
    const stamp = page
      .locator(".panel")
      .filter({ has: table })
      .getByText(/^block [\d,]+$/);
    const block = BigInt((await stamp.innerText({ timeout: 2_000 })).replaceAll(/\D/g, ""));
    let [cash, deployed] = [0n, 0n];
    const stuck: string[] = [];
    for (const product of products) {
      const state = await chainStateOf(product, block);
      cash += state.cash;
      deployed += state.deployed;
      const row = table.getByRole("row").filter({ has: page.getByRole("link", { name: product.name, exact: true }) });
      await expect(row.getByRole("cell").nth(0)).toContainText(figure(state.cash, 0, "trunc"), { timeout: 2_000 });
      await expect(row.getByRole("cell").nth(1)).toContainText(figure(state.deployed, 0), { timeout: 2_000 });
      if (state.available !== null)
        await expect(row.getByRole("cell").nth(2)).toContainText(figure(state.available, 0, "trunc"), {
          timeout: 2_000,
        });
      if (product.instant_capacity === "0.000000" && product.tvl !== "0.000000") stuck.push(product.name);
    }
    const main = page.getByRole("main");
    await expect(main).toContainText(`${figure(deployed, 0)} tUSD`, { timeout: 2_000 });
    await expect(main).toContainText(`${figure(cash, 0, "trunc")} tUSD`, { timeout: 2_000 });
    const exits =
      stuck.length === 0 ? text("about.exit.someEverywhere") : text("about.exit.none", { products: stuck.join(", ") });
    await expect(main).toContainText(exits, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
}
