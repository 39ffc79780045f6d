import { act, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ClaimAll } from "../../src/features/transact/demand/claim-all.tsx";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { clearWallet, setWallet } from "../../src/wallet/store.ts";
import { answerApi, list, renderPage } from "../page-harness.tsx";
import { holding } from "./holding.ts";
import { aProduct } from "./product.ts";
import { aTimeProduct, owner } from "./time-product.ts";

const vault = aProduct({ vault: { queue: { address: "0x6666666666666666666666666666666666666666", shares: "0" } } });
const term = aTimeProduct({ short_id: "fixed" });
const demand = holding({ short_id: vault.short_id });
const receipt = holding({ short_id: term.short_id, type: "time_deposit", deposit_id: "7", claimable: "10.000000" });

async function open(holdings: unknown[]) {
  await loadTexts("transact");
  act(() => setWallet({ status: "connected", address: owner, chainId: vault.chain_id }));
  answerApi({
    "account/hold": list(holdings),
    [`product/${vault.short_id}`]: { body: { data: vault } },
    [`product/${term.short_id}`]: { body: { data: term } },
  });
  renderPage(<ClaimAll />, "/portfolios", "/portfolios");
}

afterEach(() => act(() => clearWallet()));

it("a single claimable amount has a button", async () => {
  await open([demand]);
  expect(await screen.findByRole("button", { name: "Collect 612.30 tUSD" })).toBeTruthy();
  expect(screen.getByText("Solar: 612.30 tUSD")).toBeTruthy();
});

it("several claimable amounts have one button", async () => {
  await open([demand, receipt]);
  expect(await screen.findByRole("button", { name: "Collect all 2" })).toBeTruthy();
});

it("no button is shown if there is nothing to claim", async () => {
  await open([holding({ short_id: vault.short_id, claimable: "0.000000" })]);
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(screen.queryByRole("button")).toBeNull();
});
