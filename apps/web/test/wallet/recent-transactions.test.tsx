import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { Controls, type IslandControls } from "../../src/wallet/island/controls.tsx";

const mine = "0xA11ce00000000000000000000000000000000001";
const other = "0xB0b0000000000000000000000000000000000002";
const sent = { hash: `0x${"1".repeat(64)}`, description: "Deposit" } as const;

/** The connected account. */
let account: { isConnected: boolean; address?: string; chain?: { id: number } };
/** The kit's recent transactions, by wallet. */
const listed: { address: string; hash: string; description: string }[] = [];

const config = {};
vi.mock("wagmi", () => ({ useAccount: () => account, useConfig: () => config }));
vi.mock("@rainbow-me/rainbowkit", () => ({
  createAuthenticationAdapter: () => ({}),
  useConnectModal: () => ({ openConnectModal: undefined, connectModalOpen: false }),
  useAccountModal: () => ({ openAccountModal: undefined }),
  useChainModal: () => ({ openChainModal: undefined }),
  // Behaves like the kit.
  useAddRecentTransaction: () => {
    const { address } = account;
    return (transaction: typeof sent) => {
      if (!address) throw new Error("No address or chain ID found");
      listed.push({ address, ...transaction });
    };
  },
}));

const queries = new QueryClient();
const authentication = { askForProof: vi.fn(), endProof: vi.fn(), restored: vi.fn() };
const onReady = vi.fn<(controls: IslandControls) => void>();
const island = () => (
  <QueryClientProvider client={queries}>
    <Controls authentication={authentication} onReady={onReady} />
  </QueryClientProvider>
);

beforeEach(() => {
  listed.length = 0;
});

it("a transaction whose wallet was disconnected or changed before it was stored is listed under no other wallet", () => {
  account = { isConnected: true, address: mine, chain: { id: 1 } };
  const { rerender } = render(island());
  const [{ addRecentTransaction }] = onReady.mock.lastCall as [IslandControls];
  const tell = () => addRecentTransaction({ ...sent, address: mine, chainId: 1 });
  for (const next of [
    { isConnected: false },
    { isConnected: true, address: other, chain: { id: 1 } },
    { isConnected: true, address: mine, chain: { id: 5 } },
  ]) {
    account = next;
    rerender(island());
    tell();
    expect(listed).toEqual([]);
  }
  account = { isConnected: true, address: mine, chain: { id: 1 } };
  rerender(island());
  tell();
  expect(listed).toEqual([{ address: mine, ...sent }]);
});
