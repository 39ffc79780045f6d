import { beforeEach, expect, it, vi } from "vitest";
import { createQueryClient } from "../src/features/query-client.ts";
import { answerCalls, data } from "./account/harness.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  answerCalls({ "client/error": data({}) });
});

it.each([
  ["a fault of this app", new TypeError("x is undefined"), true],
  ["the server's refusal", { error_code: "not_found", message: "None", request_id: "r-1" }, false],
  ["a call without an answer", null, false],
])("a failed query is logged only if it is a fault of this app: %s", async (_, error, logged) => {
  const queries = createQueryClient();
  const asked = queries.fetchQuery({ queryKey: ["asked"], queryFn: () => Promise.reject(error), retry: false });
  await expect(asked).rejects.toBe(error);
  await vi.dynamicImportSettled();
  expect(vi.mocked(console.error).mock.calls).toEqual(logged ? [[error]] : []);
});
