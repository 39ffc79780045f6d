import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import WalletDialog from "../../src/features/wallet-dialog/dialog.tsx";
import type { ProofTask } from "../../src/wallet/island/authentication.ts";
import * as island from "../../src/wallet/lazy/island.tsx";
import { answerApi } from "../page-harness.tsx";
import { connected, linked, makeAccount, other } from "./account.ts";

vi.mock("../../src/wallet/lazy/island.tsx", { spy: true });
const proveWallet = vi.mocked(island.proveWallet);
const disconnect = vi.mocked(island.disconnect);
const onClose = vi.fn();
const onDismiss = vi.fn();

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  onClose.mockReset();
  onDismiss.mockReset();
  proveWallet.mockReset();
  disconnect.mockReset();
  disconnect.mockResolvedValue();
});
afterEach(() => vi.restoreAllMocks());

function show(account: ReturnType<typeof makeAccount> | null, answers: Parameters<typeof answerApi>[0] = {}) {
  if (account) localStorage.setItem("token", "t1");
  const asked = answerApi({ "account/info": { body: { data: account } }, ...answers });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <WalletDialog address={connected} onClose={onClose} onDismiss={onDismiss} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return asked;
}

/** Replaces the kit's dialog: signs at once. */
async function signed(task: ProofTask) {
  const message = await task.prepare(connected, 31337);
  await task.verify(message, "0xabcd");
  return true;
}

describe("the wallet dialog", () => {
  it("sends a visitor to register or log in, and calls no API", async () => {
    const asked = show(null);
    await screen.findByRole("dialog", { name: "A new wallet is connected" });
    expect(screen.getByRole("link", { name: "Sign up" }).getAttribute("href")).toBe("/sign-up");
    expect(screen.getByRole("link", { name: "Log in" }).getAttribute("href")).toBe("/sign-in");
    expect(asked).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("link", { name: "Sign up" }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("sends an unverified account to its page", async () => {
    show(makeAccount({ identity_status: "pending" }));
    const go = await screen.findByRole("link", { name: "Go to Verify" });
    expect(go.getAttribute("href")).toBe("/account");
  });

  it("offers a verified account to switch, with the e-mail cut to 20 characters and the first bound wallet", async () => {
    show(makeAccount({ email: "ada.lovelace@analytical.example", wallets: [linked(other)] }));
    const dialog = await screen.findByRole("dialog", { name: "Switch the linked wallet?" });
    expect(dialog.textContent).toContain("ada.lovelace@analyti…");
    expect(dialog.textContent).not.toContain("ada.lovelace@analytic");
    expect(screen.getByTitle(other).textContent).toBe("0x3C4…93BC");
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(onDismiss).toHaveBeenCalledOnce();
    expect(proveWallet).not.toHaveBeenCalled();
    expect(disconnect).not.toHaveBeenCalled();
  });

  it("switches at the server first and disconnects the wallet afterwards", async () => {
    const order: string[] = [];
    proveWallet.mockImplementation(signed);
    disconnect.mockImplementation(async () => void order.push("disconnect"));
    const account = makeAccount({ wallets: [linked(other)] });
    const asked = show(account, {
      "account/getSignMessage": () => {
        order.push("message");
        return { body: { data: { message: "the server's text", nonce: "n", expires_at: 0 } } };
      },
      "account/authenticate": () => {
        order.push("authenticate");
        return { body: { data: makeAccount({ wallets: [linked(connected), linked(other, false)] }) } };
      },
    });
    fireEvent.click(await screen.findByRole("button", { name: "Confirm Switch" }));
    expect(onClose).toHaveBeenCalledOnce();
    await waitFor(() => expect(order).toEqual(["message", "authenticate", "disconnect"]));
    // The message is requested with the old wallet's address, and the signature is stored for that wallet, which
    // submits it on chain.
    const sent = asked.mock.calls.find(([input]) => String(input).includes("getSignMessage"));
    expect(JSON.parse(String(sent?.[1]?.body))).toMatchObject({ address: connected, switch_from: other });
    expect(JSON.parse(sessionStorage.getItem("aqua.switch") ?? "null")).toEqual({
      from: other,
      to: connected,
      message: "the server's text",
      signature: "0xabcd",
      expires: 0,
    });
    expect(localStorage.getItem("checkAddress")).toBe("true");
  });

  it("keeps the wallet connected when the server does not switch", async () => {
    proveWallet.mockImplementation((task) => signed(task).catch(() => false));
    show(makeAccount({ wallets: [linked(other)] }), {
      "account/getSignMessage": { body: { data: { message: "m", nonce: "n", expires_at: 0 } } },
      "account/authenticate": {
        status: 409,
        body: { error_code: "conflict", message: "", request_id: "1" },
      },
    });
    fireEvent.click(await screen.findByRole("button", { name: "Confirm Switch" }));
    await waitFor(() => expect(proveWallet).toHaveReturned());
    await proveWallet.mock.results[0]?.value;
    expect(disconnect).not.toHaveBeenCalled();
    expect(sessionStorage.getItem("aqua.switch")).toBeNull();
    expect(localStorage.getItem("checkAddress")).toBeNull();
  });

  it("offers to link where no wallet is bound, and leaves the wallet connected", async () => {
    proveWallet.mockImplementation(signed);
    show(makeAccount(), {
      "account/getSignMessage": { body: { data: { message: "m", nonce: "n", expires_at: 0 } } },
      "account/authenticate": { body: { data: makeAccount({ wallets: [linked(connected)] }) } },
    });
    await screen.findByRole("dialog", { name: "Link this wallet?" });
    fireEvent.click(screen.getByRole("button", { name: "Link Wallet" }));
    await waitFor(() => expect(localStorage.getItem("checkAddress")).toBe("true"));
    expect(disconnect).not.toHaveBeenCalled();
  });

  it("shows that the account could not be loaded, and refetches it", async () => {
    let works = false;
    show(makeAccount(), {
      "account/info": () =>
        works
          ? { body: { data: makeAccount() } }
          : { status: 500, body: { error_code: "internal_error", message: "", request_id: "1" } },
    });
    const retry = await screen.findByRole("button", { name: "Retry" });
    works = true;
    fireEvent.click(retry);
    await screen.findByRole("dialog", { name: "Link this wallet?" });
  });
});
