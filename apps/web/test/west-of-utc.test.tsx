import type { Statement } from "@aqua/sdk/api/portfolio";
import { screen } from "@testing-library/react";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Capacity } from "../src/features/liquidity/capacity.tsx";
import { ProductStatement } from "../src/features/portfolio/product-statement.tsx";
import { StatementHead } from "../src/features/portfolio/statement-head.tsx";
import { loadTexts } from "../src/i18n/i18n.ts";
import { timeLiquidity, wallet } from "./figures/fixtures.ts";
import { renderPage } from "./page-harness.tsx";

const { DateTimeFormat } = Intl;

beforeAll(async () => {
  // A worker thread cannot change the time zone of its process.
  class InNewYork extends DateTimeFormat {
    constructor(language?: string | string[], options?: Intl.DateTimeFormatOptions) {
      super(language, { timeZone: "America/New_York", ...options });
    }
  }
  Intl.DateTimeFormat = InNewYork as typeof DateTimeFormat;
  await loadTexts("positions", "liquidity");
});
afterAll(() => {
  Intl.DateTimeFormat = DateTimeFormat;
});

const balance = { shares: null, principal: "12.345678", claimable: "0.000000", value: "12.345678" };
const product: Statement["products"][number] = {
  short_id: "term",
  name: "Baltic Wind",
  type: "time_deposit",
  chain_id: 31337,
  symbol: "tUSD",
  decimals: 6,
  opening: { ...balance, principal: "0.000000", value: "0.000000" },
  closing: balance,
  paid_in: "12.345678",
  paid_out: "0.000000",
  earned: "0.000000",
  lines: [
    {
      time: Date.UTC(2026, 10, 1, 0, 30),
      block: 3,
      log_index: 0,
      hash: `0x${"ab".repeat(32)}`,
      wallet,
      kind: "deposit",
      deposit_id: "7",
      amount: "12.345678",
      shares: null,
      price: null,
      fee: "0.000000",
      description: "Deposit",
      paid_in: "12.345678",
      paid_out: "0.000000",
      earned: "0.000000",
      balance,
    },
  ],
};

it("a movement in a statement has the UTC day of the statement's period, with all digits", () => {
  renderPage(<ProductStatement product={product} several={false} />, "/", "/");
  const row = screen.getByRole("row", { name: /Deposit/ });
  expect(row.textContent).toContain("Nov 1, 2026, 12:30 AM UTC");
  // Amount, principal and value.
  expect(row.textContent?.match(/12\.345678/g)).toHaveLength(3);
});

it("the time at which a statement was read is in UTC too", () => {
  const as_of = { chain_id: 31337, block: 10, time: Date.UTC(2026, 11, 1, 0, 10), stale: false };
  const statement = { wallets: [wallet], from: 0, to: 1, as_of, products: [product] } as Statement;
  renderPage(<StatementHead statement={statement} period={{ from: "2026-11-01", to: "2026-11-30" }} />, "/", "/");
  expect(screen.getByText(/read at block 10, Dec 1, 2026, 12:10 AM UTC/)).toBeTruthy();
});

it("the week until which cash covers maturities begins on its day of UTC", () => {
  const monday = Date.UTC(2027, 0, 11);
  const weeks = [{ start: monday, maturities: "50000.000000", expected_inflow: "0.000000" }];
  renderPage(<Capacity liquidity={timeLiquidity({ weeks })} unit="tUSD" />, "/", "/");
  expect(screen.getByText("Cash covers maturities before Jan 11, 2027")).toBeTruthy();
});
