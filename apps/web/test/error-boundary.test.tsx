import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { PageErrorBoundary, PartBoundary } from "../src/app/error-boundary.tsx";
import { isMissingChunk } from "../src/ui/boundary.tsx";
import { clearWallet, setWallet } from "../src/wallet/store.ts";
import { storeTransaction, type TrackedTransaction } from "../src/wallet/transactions.ts";

const sentTransaction: Omit<TrackedTransaction, "address"> = {
  ...{ id: "0x1", hash: null, chainId: 31337, nonce: 1, scope: "alps-hydro", kind: "deposit", shortId: "alps-hydro" },
  ...{ amount: "1.0", symbol: "tUSD", assetDecimals: 6, shareDecimals: 12, shares: null, description: "Deposit" },
  ...{ stage: "pending", sentAt: 1, block: null, reason: null, replacedBy: null, facts: {} },
};

let failure: Error | null = null;
function Page() {
  if (failure) throw failure;
  return <h1>Still here</h1>;
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

describe("a page that breaks", () => {
  it("is shown again by Retry once the cause is gone", () => {
    failure = new Error("boom");
    render(
      <PageErrorBoundary>
        <Page />
      </PageErrorBoundary>,
    );
    expect(screen.getByText("This page has stopped working")).toBeTruthy();
    failure = null;
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(screen.getByRole("heading", { name: "Still here" })).toBeTruthy();
  });

  it("says that a sent transaction is pending, and else that none is", () => {
    failure = new Error("boom");
    const address = "0x4444444444444444444444444444444444444444";
    const broken = () =>
      render(
        <PageErrorBoundary>
          <Page />
        </PageErrorBoundary>,
      );
    broken();
    expect(screen.getByText(/No transaction sent from this browser is pending/)).toBeTruthy();
    cleanup();
    setWallet({ status: "connected", address, chainId: 31337 });
    storeTransaction({ ...sentTransaction, address });
    broken();
    expect(screen.getByText(/A transaction that you sent is still pending/)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/money/);
    clearWallet();
  });

  it("refetches its data on Retry, since the same response would break it again", () => {
    failure = new Error("boom");
    const forget = vi.fn(() => {
      failure = null;
    });
    render(
      <PageErrorBoundary onRetry={forget}>
        <Page />
      </PageErrorBoundary>,
    );
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(forget).toHaveBeenCalledOnce();
    expect(screen.getByRole("heading", { name: "Still here" })).toBeTruthy();
  });

  it("offers a reload instead of Retry when its code is missing", () => {
    failure = new TypeError("Failed to fetch dynamically imported module: /assets/page-1.js");
    render(
      <PageErrorBoundary>
        <Page />
      </PageErrorBoundary>,
    );
    expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  });

  it("recognises each browser's message for missing code", () => {
    for (const message of [
      "Failed to fetch dynamically imported module: https://x/assets/a.js",
      "Importing a module script failed.",
      "error loading dynamically imported module: https://x/assets/a.js",
    ])
      expect(isMissingChunk(new TypeError(message))).toBe(true);
    expect(isMissingChunk(new TypeError("Failed to fetch"))).toBe(false);
    expect(isMissingChunk(null)).toBe(false);
  });
});

describe("a part that breaks", () => {
  it("shows an error in its place, reports it and is shown again by Retry", async () => {
    const sent = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ data: {} }));
    failure = new Error("boom");
    render(
      <PartBoundary part="footer">
        <Page />
      </PartBoundary>,
    );
    expect(screen.getByRole("alert").textContent).toContain("Part of this page could not be shown.");
    const reports = () => sent.mock.calls.map(([url, call]) => ({ url, ...JSON.parse(String(call?.body)) }));
    const report = { url: "/api/v2/client/error", part: "footer", message: "boom", path: "/" };
    await vi.waitFor(() => expect(reports()).toContainEqual(expect.objectContaining(report)));
    failure = null;
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(screen.getByRole("heading", { name: "Still here" })).toBeTruthy();
  });

  it("shows the error, and warns, even when the report cannot be sent", async () => {
    vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("offline"));
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    failure = new Error("boom");
    render(
      <PartBoundary part="live">
        <Page />
      </PartBoundary>,
    );
    expect(screen.getByRole("alert").textContent).toContain("no longer update");
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith("The error could not be reported", null));
  });
});
