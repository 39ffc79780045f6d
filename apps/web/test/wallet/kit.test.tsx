import { connectorsForWallets, RainbowKitProvider, useAddRecentTransaction, type Wallet } from "@rainbow-me/rainbowkit";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Config, createConfig, http, mock, WagmiProvider } from "wagmi";
import { connect } from "wagmi/actions";
import { mainnet } from "wagmi/chains";
import { kitTheme } from "../../src/wallet/island/theme.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const hash = `0x${"a".repeat(64)}`;

type KitProps = Partial<Parameters<typeof RainbowKitProvider>[0]>;

const makeConfig = () =>
  createConfig({
    chains: [mainnet],
    transports: { [mainnet.id]: http("http://localhost/rpc/1") },
    connectors: [mock({ accounts: [address] })],
  });

function Kit({ config = makeConfig(), children, ...props }: KitProps & { config?: Config; children?: ReactNode }) {
  return (
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={new QueryClient()}>
        <RainbowKitProvider theme={kitTheme} {...props}>
          {children}
        </RainbowKitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  );
}

const walletNamed = (id: string, more: Partial<Wallet> = {}): Wallet => ({
  id,
  name: id,
  iconUrl: "",
  iconBackground: "#fff",
  createConnector: () => mock({ accounts: [address] }),
  ...more,
});
const listed = (wallets: Wallet[]) =>
  connectorsForWallets([{ groupName: "Popular", wallets: wallets.map((wallet) => () => wallet) }], {
    appName: "Aqua",
    projectId: "none",
  });

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

describe("the pinned kit", () => {
  it("takes a recent transaction with a hash, a description and whole confirmations, and refuses others in words", async () => {
    const config = makeConfig();
    const { result } = renderHook(() => useAddRecentTransaction(), {
      wrapper: ({ children }) => <Kit config={config}>{children}</Kit>,
    });
    const [connector] = config.connectors;
    if (connector === undefined) throw new Error("no connector");
    await act(() => connect(config, { connector }));
    const add = (transaction: object) => () => result.current(transaction as never);
    expect(add({ hash: "0x12", description: "Deposit" })).toThrow("Invalid transaction hash");
    expect(add({ hash })).toThrow("Transaction must have a description");
    for (const confirmations of [0, 1.5])
      expect(add({ hash, description: "Deposit", confirmations })).toThrow(
        "Transaction confirmations must be a positiver integer",
      );
    act(add({ hash, description: "Deposit", confirmations: 1 }));
    expect(localStorage.getItem("rk-transactions")).toContain(hash);
  });

  it("takes an id of letters, digits and underscores, and refuses others", () => {
    expect(() => render(<Kit id="aqua_1" />)).not.toThrow();
    expect(() => render(<Kit id="aqua-1" />)).toThrow("Invalid ID");
  });

  it("refuses a theme given as a function", () => {
    expect(() => render(<Kit theme={(() => kitTheme) as never} />)).toThrow("A theme function was provided");
  });

  it("takes an accent of 3 or 6 hex digits, and refuses others", () => {
    for (const iconAccent of ["#fff", "#0066FF"]) expect(listed([walletNamed("a", { iconAccent })])).toHaveLength(1);
    expect(() => listed([walletNamed("a", { iconAccent: "teal" })])).toThrow("is not a hex value");
  });

  it("skips a wallet that is hidden, and lists one of two with the same id", () => {
    expect(listed([walletNamed("a"), walletNamed("b", { hidden: () => true })])).toHaveLength(1);
    expect(listed([walletNamed("a"), walletNamed("b", { hidden: () => false })])).toHaveLength(2);
    expect(listed([walletNamed("a"), walletNamed("a")])).toHaveLength(1);
  });
});
