import type { Recovery } from "@aqua/sdk/api/transparency";
import type { ActionStage } from "@aqua/sdk/chain/transaction";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Routes } from "../../src/app/routes.tsx";
import RecoveryBanner from "../../src/features/recovery/banner.tsx";
import * as operations from "../../src/wallet/lazy/operations.ts";
import { clearWallet, setWallet } from "../../src/wallet/store.ts";
import { storeTransaction } from "../../src/wallet/transactions.ts";
import { stubMedia } from "../media.ts";
import { answerApi, renderPage } from "../page-harness.tsx";

vi.mock("../../src/wallet/lazy/operations.ts", { spy: true });
const performVeto = vi.mocked(operations.performVeto);

const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const successor = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const registry = `0x${"1d".repeat(20)}`;
const title = "0x3C4…93BC may replace 0x709…79C8";
const hash = `0x${"a".repeat(64)}` as const;
const asOf = { chain_id: 31337, block: 9, time: Date.UTC(2026, 1, 20), stale: false };
const proposed: Recovery = {
  chain_id: 31337,
  registry,
  wallet,
  successor,
  proposed_at: Date.UTC(2026, 1, 20),
  executable_at: Date.UTC(2026, 1, 23),
  expires_at: Date.UTC(2026, 2, 9),
  hash: `0x${"b".repeat(64)}`,
};

/** Answers with these recoveries. The test may change the list afterwards. */
function answer(recoveries: Recovery[]) {
  return answerApi({
    "transparency/recoveries": () => ({ body: { data: { recoveries, as_of: asOf } } }),
    "account/checkAddress": { body: { data: true } },
    network: { body: { data: { version: "0", chains: [], node_chains: [], faucet: false } } },
  });
}
const show = () => renderPage(<RecoveryBanner wallet={wallet} />, "/", "/");
const veto = () => screen.findByRole("button", { name: "Veto" });

beforeEach(() => {
  localStorage.clear();
  // jsdom cannot scroll.
  Element.prototype.scrollIntoView = () => {};
  performVeto.mockReset();
});
afterEach(() => {
  act(() => clearWallet());
  vi.unstubAllGlobals();
});

describe("the banner of a proposed recovery", () => {
  it("is above the header of every page", async () => {
    stubMedia("width >= ");
    vi.stubGlobal("scrollTo", vi.fn());
    answer([proposed]);
    setWallet({ status: "connected", address: wallet, chainId: 31337 });
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
    render(
      <QueryClientProvider client={queries}>
        <MemoryRouter initialEntries={["/nowhere"]}>
          <Routes />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    const banner = await screen.findByRole("region", { name: title });
    const header = screen.getByRole("banner");
    expect(banner.compareDocumentPosition(header) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });

  it("shows only the recovery that can be executed first", async () => {
    const later = { ...proposed, chain_id: 1, executable_at: proposed.executable_at + 1, successor: registry };
    answer([later, proposed]);
    show();
    await screen.findByRole("region", { name: title });
    expect(screen.getAllByRole("button", { name: "Veto" })).toHaveLength(1);
    expect(screen.getByText(/From Feb 23, 2026/)).toBeTruthy();
  });

  it.each([31337, 1, null])("vetoes by one press, with the wallet on network %s", async (chainId) => {
    performVeto.mockResolvedValue({ stage: "idle" });
    setWallet({ status: "connected", address: wallet, chainId });
    answer([proposed]);
    show();
    fireEvent.click(await veto());
    await waitFor(() => expect(performVeto).toHaveBeenCalledTimes(1));
    expect(performVeto.mock.calls[0]?.[0]).toEqual({ chainId: 31337, registry, wallet });
    expect(screen.queryByRole("button", { name: /^Switch/ })).toBeNull();
  });

  it("is unchanged after a rejection in the wallet", async () => {
    performVeto.mockImplementation(async (_veto, _scope, report) => {
      const idle: ActionStage = { stage: "idle" };
      report(idle);
      return idle;
    });
    answer([proposed]);
    show();
    fireEvent.click(await veto());
    await waitFor(() => expect(performVeto).toHaveBeenCalled());
    expect(await veto()).toHaveProperty("disabled", false);
  });

  it("explains what to do if the wallet cannot switch the network, and that nothing moved", async () => {
    performVeto.mockImplementation(async (_veto, _scope, report) => {
      const failed: ActionStage = { stage: "failed", reason: { code: "cannotSwitch", values: {} } };
      report(failed);
      return failed;
    });
    answer([proposed]);
    show();
    fireEvent.click(await veto());
    await screen.findByText(
      /Your wallet does not support switching networks from this app, try switching in the wallet\./,
    );
    expect(await veto()).toBeTruthy();
  });

  it("shows the outcome until it is dismissed, although the proposal no longer exists", async () => {
    const live = [proposed];
    performVeto.mockImplementation(async (_veto, scope, report) => {
      storeTransaction({
        ...{ id: hash, hash, scope, chainId: 31337, address: wallet, nonce: 1, kind: "veto", shortId: null },
        ...{ amount: null, symbol: null, assetDecimals: 0, shareDecimals: 0, shares: null, description: "Veto" },
        ...{ stage: "confirmed", sentAt: 1, block: 5, reason: null, replacedBy: null, facts: {} },
      });
      live.length = 0;
      const sent: ActionStage = { stage: "sent", id: hash };
      report(sent);
      return sent;
    });
    answer(live);
    show();
    fireEvent.click(await veto());
    const dismiss = await screen.findByRole("button", { name: "Done" });
    expect(screen.queryByRole("button", { name: "Veto" })).toBeNull();
    fireEvent.click(dismiss);
    await waitFor(() => expect(screen.queryByRole("region", { name: title })).toBeNull());
  });
});
