import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { useFaucet } from "../../src/features/transact/eligibility/use-faucet.ts";
import { waitForSuccess } from "../../src/wallet/lazy/operations.ts";
import { answerCalls, data } from "../account/harness.tsx";

vi.mock("../../src/wallet/lazy/operations.ts", { spy: true });

const address = "0x4444444444444444444444444444444444444444";
const missing = new TypeError("Failed to fetch dynamically imported module");
const late = Object.assign(new Error("Timed out"), { name: "WaitForTransactionReceiptTimeoutError" });

it.each([
  ["code that does not load", missing, [missing]],
  ["a transaction that no block has in time", late, []],
])("%s ends the wait for test money, and only a fault is logged", async (_, error, faults) => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  answerCalls({ "dev/faucet": data({ assets: "1", gas: "1", hashes: ["0x1"] }), "client/error": data({}) });
  vi.mocked(waitForSuccess).mockRejectedValue(error);
  const { result } = renderHook(() => useFaucet(address), {
    wrapper: ({ children }) => <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>,
  });
  await act(() => result.current.getMoney());
  expect(result.current.stage).toEqual({ stage: "failed", message: error.message });
  expect(result.current.busy).toBe(false);
  expect(vi.mocked(console.error).mock.calls).toEqual(faults.map((one) => [one]));
  await vi.dynamicImportSettled();
});
