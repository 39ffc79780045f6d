import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ConnectFrame } from "../../src/app/connect-frame.tsx";
import { WalletArea } from "../../src/app/wallet-area.tsx";

const wallet = vi.hoisted(() => ({
  arrive: () => {},
  fail: () => {},
  asked: 0,
  fetched: 0,
  opened: 0,
}));
vi.mock("../../src/wallet/lazy/island.tsx", () => ({
  isIslandReady: () => false,
  prefetchIsland: () => {
    wallet.fetched++;
  },
  openConnect: (isWanted: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      wallet.asked++;
      wallet.arrive = () => {
        if (isWanted()) wallet.opened++;
        resolve();
      };
      wallet.fail = () => reject(new Error("offline"));
    }),
}));

afterEach(() => {
  wallet.asked = 0;
  wallet.fetched = 0;
  wallet.opened = 0;
});

/** Presses Connect Wallet, whose code is on its way once this resolves. */
async function press() {
  render(
    <>
      <WalletArea />
      <ConnectFrame />
    </>,
  );
  const button = screen.getByRole("button", { name: "Connect Wallet" });
  // A tap causes both events.
  fireEvent.pointerEnter(button);
  fireEvent.click(button);
  expect(screen.getByRole("dialog", { name: "Connect Wallet" })).toBeTruthy();
  expect(wallet.fetched, "the frame is painted before anything is loaded").toBe(0);
  await waitFor(() => expect(wallet.asked).toBe(1));
  return button;
}

it("a press on Connect Wallet opens the dialog's frame until the wallet's code is loaded", async () => {
  const button = await press();
  expect(within(screen.getByRole("dialog", { name: "Connect Wallet" })).getByRole("status")).toBeTruthy();
  expect(button.getAttribute("aria-busy")).toBe("true");
  await act(async () => wallet.arrive());
  expect(wallet.fetched).toBe(1);
  expect(wallet.opened).toBe(1);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(button.getAttribute("aria-busy")).toBeNull();
});

it("no dialog opens after the frame was closed", async () => {
  const button = await press();
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(screen.queryByRole("dialog")).toBeNull();
  await act(async () => wallet.arrive());
  expect(wallet.opened).toBe(0);
  expect(button.getAttribute("aria-busy")).toBeNull();
});

it("the frame closes if the wallet's code cannot be loaded", async () => {
  const button = await press();
  await act(async () => wallet.fail());
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(button.getAttribute("aria-busy")).toBeNull();
});
