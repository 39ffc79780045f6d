import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "../../src/features/api.ts";
import { checkAddress } from "../../src/features/wallet-dialog/address-check.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
let ask = vi.spyOn(api, "checkAddress");
const onUnknown = vi.fn();
const stored = () => localStorage.getItem("checkAddress");

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  ask = vi.spyOn(api, "checkAddress");
  onUnknown.mockReset();
});
afterEach(() => vi.useRealTimers());

describe("the check of a connected wallet's address", () => {
  it("stores true for a linked wallet and offers nothing", async () => {
    ask.mockResolvedValue(true);
    checkAddress(address, onUnknown);
    await vi.advanceTimersByTimeAsync(0);
    expect(ask.mock.lastCall?.[0]).toBe(address);
    expect(stored()).toBe("true");
    expect(onUnknown).not.toHaveBeenCalled();
  });

  it("stores false for an unlinked one and calls back once", async () => {
    ask.mockResolvedValue(false);
    checkAddress(address, onUnknown);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stored()).toBe("false");
    expect(onUnknown).toHaveBeenCalledOnce();
    expect(ask).toHaveBeenCalledOnce();
  });

  it("retries after 1, 2 and 3 seconds, then stores false and offers nothing", async () => {
    ask.mockRejectedValue(null);
    checkAddress(address, onUnknown);
    await vi.advanceTimersByTimeAsync(0);
    for (const [wait, calls] of [
      [1_000, 1],
      [2_000, 2],
      [3_000, 3],
    ] as const) {
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(ask).toHaveBeenCalledTimes(calls);
      expect(stored()).toBeNull();
      await vi.advanceTimersByTimeAsync(1);
      expect(ask).toHaveBeenCalledTimes(calls + 1);
    }
    expect(stored()).toBe("false");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ask).toHaveBeenCalledTimes(4);
    expect(onUnknown).not.toHaveBeenCalled();
  });

  it.each([true, false])("treats the result %s of a retry like that of the first attempt", async (known) => {
    ask.mockRejectedValueOnce({ error_code: "internal_error" }).mockRejectedValueOnce(null).mockResolvedValue(known);
    checkAddress(address, onUnknown);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(stored()).toBe(String(known));
    expect(onUnknown).toHaveBeenCalledTimes(known ? 0 : 1);
  });

  it("ignores a late result once it has ended, and does not retry", async () => {
    let answer: (known: boolean) => void = () => undefined;
    ask.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const end = checkAddress(address, onUnknown);
    end();
    answer(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(stored()).toBeNull();
    expect(onUnknown).not.toHaveBeenCalled();

    ask.mockRejectedValue(null);
    const endFailing = checkAddress(address, onUnknown);
    await vi.advanceTimersByTimeAsync(500);
    endFailing();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(stored()).toBeNull();
  });
});
