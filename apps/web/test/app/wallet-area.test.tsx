import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import ConnectFrame from "../../src/app/connect-frame.tsx";
import { WalletArea } from "../../src/app/wallet-area.tsx";

const wallet = vi.hoisted(() => ({
  arrive: () => {},
  fail: () => {},
  opened: 0,
}));
vi.mock("../../src/wallet/lazy/island.ts", () => ({
  prefetchIsland: () => {},
  openConnect: (isWanted: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      wallet.arrive = () => {
        if (isWanted()) wallet.opened++;
        resolve();
      };
      wallet.fail = () => reject(new Error("offline"));
    }),
}));

afterEach(() => {
  wallet.opened = 0;
});

async function press() {
  render(
    <>
      <WalletArea />
      <ConnectFrame />
    </>,
  );
  const button = screen.getByRole("button", { name: "Connect Wallet" });
  // Loads the texts first, which then are here at once.
  await act(async () => fireEvent.click(button));
  return button;
}

it("answers a press on Connect Wallet with the dialog's frame, until the wallet's code is here", async () => {
  const button = await press();
  expect(screen.getByRole("dialog", { name: "Connect Wallet" })).toBeTruthy();
  expect(button.getAttribute("aria-busy")).toBe("true");
  await act(async () => wallet.arrive());
  expect(wallet.opened).toBe(1);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(button.getAttribute("aria-busy")).toBeNull();
});

it("opens no dialog once the frame was closed", async () => {
  const button = await press();
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(screen.queryByRole("dialog")).toBeNull();
  await act(async () => wallet.arrive());
  expect(wallet.opened).toBe(0);
  expect(button.getAttribute("aria-busy")).toBeNull();
});

it("takes the frame away when the wallet's code cannot be loaded", async () => {
  const button = await press();
  await act(async () => wallet.fail());
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(button.getAttribute("aria-busy")).toBeNull();
});
