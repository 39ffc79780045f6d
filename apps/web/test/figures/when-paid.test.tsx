import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { WhenPaid } from "../../src/features/liquidity/when-paid.tsx";
import type * as texts from "../../src/i18n/i18n.ts";
import { demandLiquidity } from "./fixtures.ts";

const { loadTexts, reportError } = vi.hoisted(() => ({ loadTexts: vi.fn(), reportError: vi.fn() }));
vi.mock("../../src/i18n/i18n.ts", async (load) => ({ ...(await load<typeof texts>()), loadTexts }));
vi.mock("../../src/report-error.ts", () => ({ reportError }));

it("the form explains an invalid amount, or that the explanation could not be loaded, and retries", async () => {
  render(<WhenPaid liquidity={demandLiquidity()} asset={{ symbol: "tUSD", decimals: 6 }} />);
  const amount = screen.getByRole("textbox", { name: "If you withdraw" });
  loadTexts.mockRejectedValueOnce(new Error("error loading dynamically imported module"));
  fireEvent.change(amount, { target: { value: "1x" } });
  expect(await screen.findByText(/^There may be a new version of Aqua, or the connection was lost\./)).toBeTruthy();
  expect(reportError).toHaveBeenCalledTimes(1);
  loadTexts.mockResolvedValueOnce(undefined);
  fireEvent.change(amount, { target: { value: "1xy" } });
  expect(await screen.findByText(/^Enter an amount like/)).toBeTruthy();
});
