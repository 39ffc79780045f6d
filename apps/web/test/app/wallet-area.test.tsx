import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { WalletArea } from "../../src/app/wallet-area.tsx";

const opened = vi.hoisted(() => ({ finish: () => {} }));
vi.mock("../../src/features/open-wallet.ts", () => ({
  prefetchWallet: () => {},
  connectWallet: () =>
    new Promise<void>((resolve) => {
      opened.finish = resolve;
    }),
}));

it("answers a press on Connect Wallet at once, while the wallet's code is on its way", async () => {
  render(<WalletArea />);
  const button = screen.getByRole("button", { name: "Connect Wallet" });
  fireEvent.click(button);
  expect(button.getAttribute("aria-busy")).toBe("true");
  opened.finish();
  await waitFor(() => expect(button.getAttribute("aria-busy")).toBeNull());
});
