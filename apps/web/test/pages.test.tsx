import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import PortfoliosPage from "../src/features/portfolio/page.tsx";
import ProductLayout from "../src/features/product/layout.tsx";
import { answerApi, list, renderPage } from "./page-harness.tsx";
import { makeProduct } from "./products.ts";

const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const asOf = { chain_id: 31337, block: 10, time: 1_700_000_000_000, stale: false };

describe("/product/:shortId", () => {
  it("shows a clear page for an unknown id", async () => {
    answerApi({
      "product/": { status: 404, body: { error_code: "pool_not_found", message: "Unknown", request_id: "r2" } },
    });
    renderPage(<ProductLayout>{null}</ProductLayout>, "/product/:shortId", "/product/nope");
    await screen.findByRole("heading", { name: "No such product" });
    expect(screen.getByRole("link", { name: "All products" }).getAttribute("href")).toBe("/products");
  });
});

describe("/portfolios", () => {
  const figures = {
    "account/totalHoldValue": {
      body: {
        data: {
          address: wallet,
          currency: "USD",
          unit: "USD",
          total: "110.000001",
          claimable: "0.000000",
          by_product: [],
          as_of: asOf,
        },
      },
    },
    "account/hold": list([]),
    "account/totalProfit": {
      body: {
        data: {
          total: "10.000001",
          realised: "4.000000",
          unrealised: "6.000001",
          interest: "0.000000",
          net_deposits: "100.000000",
          value: "110.000001",
          money_weighted_return: null,
          series: [],
          as_of: asOf,
        },
      },
    },
    "account/transaction": list([]),
    "account/getPendingTransaction": list([]),
    "product/list": list([makeProduct()]),
    network: { body: { data: { version: "0", chains: [], faucet: false, walletconnect_project_id: null } } },
  };

  it("asks for a wallet when none is connected and the address has none", async () => {
    answerApi(figures);
    renderPage(<PortfoliosPage />, "/portfolios", "/portfolios");
    await screen.findByText("No wallet connected");
    expect(screen.getByRole("button", { name: "Connect Wallet" })).toBeTruthy();
  });

  it("shows any wallet read only, with all digits of its profit", async () => {
    answerApi(figures);
    renderPage(<PortfoliosPage />, "/portfolios", `/portfolios?address=${wallet}`);
    await screen.findByText("Read only");
    const flows = await screen.findByRole("group", { name: /value now \+ withdrawals − deposits/ });
    expect(flows.textContent).toBe("Profit10.000001=value now110.000001−(deposits − withdrawals)100.000000");
    const sources = screen.getByRole("group", { name: /by source/ });
    expect(sources.textContent).toContain("Realized4.000000+Unrealized6.000001");
  });

  it("refuses an invalid address without calling the server", () => {
    const calls = answerApi(figures);
    renderPage(<PortfoliosPage />, "/portfolios", "/portfolios?address=0x123");
    expect(screen.getByText("This is not a wallet address")).toBeTruthy();
    expect(calls.mock.calls.filter(([url]) => String(url).includes("account/"))).toEqual([]);
  });
});
