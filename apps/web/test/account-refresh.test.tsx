import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { useAccountRefresh } from "../src/features/live/account-refresh.ts";
import { queryKeys } from "../src/features/query-keys.ts";
import { logIn, useLoggedIn } from "../src/features/session.ts";
import { forgetSession, store } from "../src/stored-session.ts";
import { answerApi } from "./page-harness.tsx";

beforeEach(() => localStorage.clear());

const ask = vi.fn(async () => `answer to ${localStorage.getItem("token")}`);

function Shell({ address }: { address: string | null }) {
  useAccountRefresh(address);
  const { data } = useQuery({
    queryKey: [...queryKeys.me, "info"],
    queryFn: ask,
    enabled: useLoggedIn(),
    staleTime: 1e9,
  });
  return <output>{data ?? "nothing"}</output>;
}

it("useAccountRefresh refetches the account when the wallet or the log-in changes, and removes it on log-out", async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { networkMode: "always" } } });
  const shell = (address: string | null) => (
    <QueryClientProvider client={queries}>
      <Shell address={address} />
    </QueryClientProvider>
  );
  const { rerender } = render(shell(null));
  expect(ask).not.toHaveBeenCalled();

  act(() => logIn({ token: "t1", email: "ada@example.org" }));
  await screen.findByText("answer to t1");
  const settle = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)));
  await settle();
  for (const change of [
    () => rerender(shell("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")),
    () => act(() => store({ checkAddress: "true" })),
    () => rerender(shell(null)),
  ]) {
    const before = ask.mock.calls.length;
    change();
    await settle();
    expect(ask.mock.calls.length).toBeGreaterThan(before);
  }

  const before = ask.mock.calls.length;
  act(() => forgetSession());
  await screen.findByText("nothing");
  await settle();
  expect(ask.mock.calls.length).toBe(before);
  act(() => logIn({ token: "t2", email: "bob@example.org" }));
  expect(screen.queryByText("answer to t1")).toBeNull();
  await screen.findByText("answer to t2");
});

it("useAccountRefresh fetches account/info when a wallet connects, even on a page that does not show it", async () => {
  localStorage.setItem("token", "t1");
  const asked = answerApi({ "account/info": { body: { data: { email: "ada@example.org" } } } });
  const queries = new QueryClient({ defaultOptions: { queries: { networkMode: "always" } } });
  const page = (address: string | null) => (
    <QueryClientProvider client={queries}>
      <Elsewhere address={address} />
    </QueryClientProvider>
  );
  const { rerender } = render(page(null));
  expect(asked).not.toHaveBeenCalled();
  rerender(page("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"));
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
});

function Elsewhere({ address }: { address: string | null }) {
  useAccountRefresh(address);
  return null;
}
