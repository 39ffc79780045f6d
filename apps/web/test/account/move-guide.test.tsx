import type { MovePosition } from "@aqua/sdk/chain/wallet-move";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import MoveHoldings from "../../src/features/account/move-holdings.tsx";
import { dropSwitch, storeSwitch } from "../../src/features/wallet-dialog/stored-switch.ts";
import * as operations from "../../src/wallet/lazy/operations.ts";
import { setWallet } from "../../src/wallet/store.ts";
import { answerApi, list } from "../page-harness.tsx";
import { holding } from "../transact/holding.ts";
import { aProduct, registry, vault } from "../transact/product.ts";
import { linked, other as next, connected as old } from "../wallet-dialog/account.ts";

vi.mock("../../src/wallet/lazy/operations.ts", { spy: true });
const readMove = vi.mocked(operations.readMove);
const performMove = vi.mocked(operations.performMove);

const position = { shortId: "solar", product: "Solar irrigation", contract: vault, what: "shares" } as const;
const onChain = (parts: Partial<MovePosition> = {}): MovePosition => ({
  from: "exit_only",
  to: "verified",
  successor: null,
  left: [position],
  ...parts,
});
const chain = { chain_id: 31337, identity_registry: registry, product_registry: registry, head: null };
const connect = (address: typeof old | typeof next | null) =>
  act(() => setWallet({ status: address ? "connected" : "disconnected", address, chainId: address && 31337 }));

beforeEach(() => {
  dropSwitch();
  performMove.mockReset();
  readMove.mockReset();
  readMove.mockResolvedValue(onChain());
  setWallet({ status: "disconnected", address: null, chainId: null });
});
afterEach(() => vi.restoreAllMocks());

function show(items: unknown[] = [holding({ wallet: old, shares: "12.5", value: "700.250000", claimable: "0" })]) {
  answerApi({
    network: { body: { data: { version: "1", chains: [chain], faucet: false, demo: false } } },
    "account/hold": list(items),
    "product/solar": { body: { data: aProduct() } },
  });
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <MoveHoldings former={linked(old, false)} current={linked(next)} verified />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const guide = () => screen.getByRole("region", { name: "Transfer the holdings of 0x709…79C8" });
const open = async () => fireEvent.click(await screen.findByRole("button", { name: /^Transfer the holdings of/ }));

describe("a former wallet's holdings", () => {
  it("are offered for transfer with their value, and the chain is read only after that", async () => {
    show();
    await screen.findByText("0x709…79C8 has holdings worth 700.25 tUSD. You can transfer them to 0x3C4…93BC.");
    expect(readMove).not.toHaveBeenCalled();
    await open();
    await screen.findByText("Connect 0x3C4…93BC to continue.");
    expect(guide().textContent).toContain("can never deposit or withdraw again");
    expect(readMove).toHaveBeenCalledWith({
      chainId: 31337,
      registry,
      from: old,
      to: next,
      positions: [{ ...position }],
    });
  });

  it("are not mentioned when there are none", async () => {
    const { container } = show([]);
    await waitFor(() => expect(container.innerHTML).toBe(""));
  });

  it("are shown as unknown when they cannot be loaded", async () => {
    answerApi({ network: "unreachable", "account/hold": "unreachable" });
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>
          <MoveHoldings former={linked(old, false)} current={linked(next)} verified />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    await screen.findByText("The holdings of 0x709…79C8 could not be loaded.");
  });
});

describe("the guide to the new wallet", () => {
  const signed = { from: old, to: next, message: "m", signature: "0x12" } as const;

  it("continues from the signature, which the old wallet submits unchanged", async () => {
    storeSwitch({ ...signed, expires: Date.now() + 60_000 });
    show();
    await screen.findByText(/has signed; .* Connect 0x709…79C8 to continue\./);
    connect(next);
    await screen.findByText(/connected with 0x3C4…93BC\. Switch to 0x709…79C8 in the wallet/);
    connect(old);
    performMove.mockImplementation(async (_order, _scope, report) => {
      report({ stage: "idle" });
      return { stage: "idle" };
    });
    fireEvent.click(await screen.findByRole("button", { name: "Replace and transfer" }));
    await waitFor(() => expect(performMove).toHaveBeenCalledOnce());
    expect(performMove.mock.calls[0]?.[0]).toMatchObject({
      sender: old,
      from: old,
      to: next,
      positions: [position],
      signed: { message: "m", signature: "0x12" },
    });
    // After a rejection the button can be pressed again.
    expect(await screen.findByRole("button", { name: "Replace and transfer" })).toBeTruthy();
  });

  it("shows when the signature has expired, and asks for it again", async () => {
    storeSwitch({ ...signed, expires: Date.UTC(2026, 0, 2, 3, 4) });
    show();
    await screen.findByText(/^The signature of 0x3C4…93BC expired at .*2026.* Sign again\. Connect/);
    connect(next);
    expect(await screen.findByRole("button", { name: "Sign" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Replace and transfer" })).toBeNull();
  });

  it("transfers what is left once the wallet is replaced, from any wallet and without a signature", async () => {
    readMove.mockResolvedValue(onChain({ from: "retired", successor: next }));
    show();
    await open();
    connect(next);
    performMove.mockResolvedValue({ stage: "idle" });
    fireEvent.click(await screen.findByRole("button", { name: "Transfer the rest" }));
    await waitFor(() => expect(performMove).toHaveBeenCalledOnce());
    expect(performMove.mock.calls[0]?.[0]).toMatchObject({ sender: next, signed: null, positions: [position] });
  });

  it("shows why it stops", async () => {
    readMove.mockResolvedValue(onChain({ from: "frozen" }));
    show();
    await open();
    await screen.findByText("0x709…79C8 is frozen. You can transfer after the operator unfreezes it.");
  });

  it("deletes the signature when dismissed", async () => {
    storeSwitch({ ...signed, expires: Date.now() + 60_000 });
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Not now" }));
    expect(sessionStorage.getItem("aqua.switch")).toBeNull();
    await screen.findByText(/has holdings worth 700\.25 tUSD/);
  });
});
