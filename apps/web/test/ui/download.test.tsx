import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { useDownload } from "../../src/ui/download.ts";
import { saveFile } from "../../src/ui/save-file.ts";
import { answerCalls, data } from "../account/harness.tsx";

vi.mock("../../src/ui/save-file.ts", { spy: true });

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  answerCalls({ "client/error": data({}) });
});

const fault = new TypeError("x is undefined");
function brokenOff() {
  const response = new Response();
  vi.spyOn(response, "blob").mockRejectedValue(new TypeError("network error"));
  return response;
}

it.each([
  ["arrives", async () => new Response("a"), undefined, "idle", []],
  ["does not arrive", () => Promise.reject(null), undefined, "failed", []],
  ["breaks off", async () => brokenOff(), undefined, "failed", []],
  ["cannot be saved", async () => new Response("a"), fault, "failed", [fault]],
] as const)("the button reports a file that %s, and only a fault is logged", async (_, load, error, state, faults) => {
  vi.mocked(saveFile).mockImplementation(() => {
    if (error) throw error;
  });
  const { result } = renderHook(() => useDownload("a.csv", load));
  await act(() => result.current.download());
  expect(result.current.state).toBe(state);
  expect(saveFile).toHaveBeenCalledTimes(state === "idle" || error ? 1 : 0);
  expect(vi.mocked(console.error).mock.calls).toEqual(faults.map((one) => [one]));
  await vi.dynamicImportSettled();
});
