import { expect, it } from "vitest";
import { deviceBody } from "../src/api/telemetry.ts";

const body = (shortId: string, trust = "secure_element") => ({
  name: "meter-1",
  short_id: shortId,
  metric: "energy",
  exponent: -3,
  place: "Weir",
  latitude: 47,
  longitude: 9,
  model: "T1",
  trust,
  min: "0",
  max: "100",
  interval: 10_000,
});

it("deviceBody accepts a product's short id that fits into a stream's name on chain, with its terminating zero", () => {
  expect(deviceBody.safeParse(body("a".repeat(31))).success).toBe(true);
  expect(deviceBody.safeParse(body("a".repeat(32))).success).toBe(false);
});

it("deviceBody requires a co-signer exactly for co-signed devices, and never the device itself", () => {
  const taken = (trust: string, co_signer?: string | null) =>
    deviceBody.safeParse({ ...body("tide", trust), co_signer }).success;
  expect(taken("co_signed", "grid")).toBe(true);
  expect(taken("attested")).toBe(true);
  expect(taken("attested", null)).toBe(true);
  expect(taken("co_signed")).toBe(false);
  expect(taken("co_signed", null)).toBe(false);
  expect(taken("attested", "grid")).toBe(false);
  expect(taken("co_signed", "meter-1")).toBe(false);
  expect(taken("co_signed", "No Name")).toBe(false);
});
