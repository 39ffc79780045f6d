import type { TotalHoldValue } from "@aqua/sdk/api/portfolio";
import { screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { CallToAction } from "../../src/features/home/call-to-action.tsx";
import { clearWallet, setWallet } from "../../src/wallet/store.ts";
import { answerApi, renderPage } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";

const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const day = 86_400_000;

afterEach(() => {
  clearWallet();
  localStorage.clear();
});

function held(parts: Partial<TotalHoldValue>) {
  localStorage.setItem("checkAddress", "true");
  setWallet({ status: "connected", address: wallet, chainId: 31337 });
  const value: TotalHoldValue = {
    address: wallet,
    currency: "USD",
    unit: "USD",
    total: "100.00",
    exit_value: "100.00",
    claimable: "0.00",
    next_cash: null,
    by_product: [],
    as_of: makeProduct().as_of,
    ...parts,
  };
  answerApi({ "account/totalHoldValue": { body: { data: value } } });
  renderPage(<CallToAction best={makeProduct()} />, "/", "/");
}
const cash = (days: number) => ({ time: Date.now() + days * day + 60_000, amount: "1000.00", short_id: "harbour" });

describe("the call to action", () => {
  it("offers to connect without a wallet", () => {
    renderPage(<CallToAction best={makeProduct()} />, "/", "/");
    expect(screen.getByRole("button", { name: "Connect Wallet" })).toBeTruthy();
  });

  it("names a claimable amount before a maturity", async () => {
    held({ claimable: "12.509999", next_cash: cash(3) });
    expect((await screen.findByRole("link", { name: "Collect 12.50 USD" })).getAttribute("href")).toBe("/portfolios");
  });

  it("names a maturity in the coming days, but not a later one", async () => {
    held({ next_cash: { ...cash(3), amount: "1000.009999" } });
    await screen.findByRole("link", { name: "1,000.00 USD matures in 3 days" });
  });

  it("shows the value of the holdings when nothing is due soon", async () => {
    held({ next_cash: cash(30) });
    await screen.findByRole("link", { name: "Your deposits: 100.00 USD" });
  });

  it("links a wallet without deposits to the best open product", async () => {
    held({ total: "0.00" });
    expect((await screen.findByRole("link", { name: "Make a first deposit" })).getAttribute("href")).toBe(
      "/product/solar",
    );
  });
});
