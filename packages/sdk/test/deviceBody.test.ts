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

it("deviceBody requires bounds in whole steps of the device's readings, in order and within 64 bits", () => {
  const issues = (change: object) => {
    const { error } = deviceBody.safeParse({ ...body("tide"), ...change });
    return (error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
  };
  const multiple = "Must be a multiple of 10^-3, as the device's readings are";
  expect(issues({ min: "-0.001", max: "0.001", max_step: "0.001" })).toEqual([]);
  expect(issues({ min: "0.0001", max_step: "0.0005" })).toEqual([`min: ${multiple}`, `max_step: ${multiple}`]);
  expect(issues({ min: "100.001" })).toEqual(["max: Must not be below min"]);
  expect(issues({ max_step: "0" })).toEqual(["max_step: Must be more than 0"]);
  expect(issues({ max: "9223372036854775.807" })).toEqual([]);
  expect(issues({ max: "9223372036854775.808" })).toEqual(["max: Is out of range"]);
  expect(issues({ exponent: 3, max: "1500" })).toEqual([
    "max: Must be a multiple of 10^3, as the device's readings are",
  ]);
});
