import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KeptNotice } from "../../src/app/kept-notice.tsx";
import { renewPage } from "../../src/app/kept-pages.ts";
import { type KeptPage, setKeptPage } from "../../src/kept-page.ts";

vi.mock(import("../../src/app/kept-pages.ts"), async (original) => ({ ...(await original()), renewPage: vi.fn() }));

const page: KeptPage = { path: "/about", time: Date.UTC(2026, 10, 24, 9, 30), state: "unanswered" };

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(renewPage).mockReset();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <KeptNotice />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  act(() => setKeptPage(null));
  vi.useRealTimers();
});

it("is on no page of the server's", () => {
  expect(screen.queryByRole("status")).toBeNull();
});

it("says from when the figures are and asks the server again by itself, at once with a connection, and on Retry", async () => {
  act(() => setKeptPage({ ...page, state: "renewing" }));
  expect(screen.getByRole("status").textContent).toMatch(/^Figures of Nov 24, 2026, .*\. Updating…$/);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(renewPage).not.toHaveBeenCalled();

  act(() => setKeptPage(page));
  expect(screen.getByRole("status").textContent).toContain("The server did not answer.");
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  expect(renewPage).toHaveBeenCalledTimes(1);
  await act(async () => void dispatchEvent(new Event("online")));
  expect(renewPage).toHaveBeenCalledTimes(2);
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Retry" })));
  expect(renewPage).toHaveBeenCalledTimes(3);

  act(() => setKeptPage(null));
  expect(screen.queryByRole("status")).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(renewPage).toHaveBeenCalledTimes(3);
});
