import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import WalletMenu from "../../src/app/wallet-menu.tsx";
import { Toaster } from "../../src/ui/toast.tsx";
import { answerApi } from "../page-harness.tsx";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** The server has contracts on the local chain and proxies the node of zkSync. */
function open(chainId = 31337) {
  const chains = [{ chain_id: 31337, identity_registry: address, product_registry: address, head: null }];
  answerApi({ network: { body: { data: { chains, node_chains: [324] } } } });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <WalletMenu address={address} chainId={chainId} />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const button = screen.getByRole("button", { name: /^Wallet/ });
  fireEvent.click(button);
  return button;
}

beforeEach(() => localStorage.clear());

describe("the wallet's menu", () => {
  it("shows the first five and last four characters, which its accessible name contains as shown", () => {
    const button = open();
    expect(button.textContent).toBe("0x709…79C8");
    expect(button.getAttribute("aria-label")).toContain("0x709…79C8");
  });

  it("copies the whole address and shows Copy Success", async () => {
    const writeText = vi.fn(async () => undefined);
    vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
    open();
    fireEvent.click(screen.getByRole("button", { name: "Copy Address" }));
    await screen.findByText("Copy Success");
    expect(writeText).toHaveBeenCalledWith(address);
    vi.unstubAllGlobals();
  });

  it("offers Log in while no token is stored, and My Assets in any case", () => {
    open();
    expect(screen.getByRole("link", { name: "Log in" }).getAttribute("href")).toBe("/sign-in");
    expect(screen.getByRole("link", { name: "My Assets" }).getAttribute("href")).toBe("/portfolios");
    expect(screen.queryByRole("button", { name: "Log out" })).toBeNull();
    expect(screen.getByRole("button", { name: "Disconnect" })).toBeTruthy();
  });

  it("offers Account Details and Log out once a token is stored", () => {
    localStorage.setItem("token", "t");
    open();
    expect(screen.getByRole("link", { name: "Account Details" }).getAttribute("href")).toBe("/account");
    expect(screen.getByRole("button", { name: "Log out" })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Log in" })).toBeNull();
  });

  it.each([1, 11155111, 133, 5])(
    "shows Wrong network on chain %i, which is supported but not served",
    async (chainId) => {
      open(chainId);
      expect(await screen.findByRole("button", { name: "Wrong network" })).toBeTruthy();
      expect(screen.getByRole("button", { name: /^Network/ }).textContent).toBe("NetworkWrong network");
    },
  );

  it.each([
    [31337, "Aqua Local"],
    [324, "zkSync Era"],
  ])("names the network on chain %i, which is served", async (chainId, name) => {
    open(chainId);
    await vi.waitFor(() => expect(screen.getByRole("button", { name: /^Network/ }).textContent).toContain(name));
    expect(screen.queryByRole("button", { name: "Wrong network" })).toBeNull();
  });
});
