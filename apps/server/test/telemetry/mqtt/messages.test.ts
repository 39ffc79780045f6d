import { expect, it } from "vitest";
import { takeMessage } from "../../../src/telemetry/mqtt/messages.ts";

it("takeMessage passes on JSON that is nested too deeply as the text of one malformed reading", async () => {
  const given: unknown[] = [];
  const ingest = {
    take: async (readings: readonly unknown[]) => {
      given.push(...readings);
      return { accepted: 0, duplicates: 0, rejected: [], server_time: 5 };
    },
  };
  const text = `{"readings":[${"[".repeat(100_000)}${"]".repeat(100_000)}]}`;
  await takeMessage(ingest, "meter-1", Buffer.from(text));
  expect(given).toEqual([text]);
});
