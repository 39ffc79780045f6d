import type { IncomeCheck } from "@aqua/sdk/api/telemetry";
import { expect, it } from "vitest";
import { sumFollows } from "../../src/features/readings/income-sum.ts";
import { anIncomeCheck } from "./fixtures.ts";

const { report, devices, metric } = anIncomeCheck();
const [one, two] = devices;
if (!one?.last || !two || !metric) throw new Error("two devices and a formula");

it.each<[string, Partial<IncomeCheck>]>([
  ["equal to its readings", {}],
  ["above them", { report: { ...report, delta: "20.000000" }, other: "0.800000", verdict: "more" }],
  ["below them", { report: { ...report, delta: "10.000000" }, other: "-9.200000", verdict: "less" }],
  ["of a loss", { report: { ...report, delta: "-5.000000" }, other: "-24.200000", verdict: "loss" }],
])("sumFollows computes the sum of a report %s", (_what, parts) => {
  expect(sumFollows(anIncomeCheck(parts))).toBe(true);
});

it.each<[string, Partial<IncomeCheck>]>([
  ["what a device counted", { devices: [{ ...one, counted: "401.0" }, two] }],
  ["a reading", { devices: [{ ...one, last: { ...one.last, value: "999999.0" } }, two] }],
  [
    "a reading before the first",
    { devices: [{ ...one, last: { ...one.last, value: "900.0" }, counted: "-100.0" }, two] },
  ],
  ["a device left out", { devices: [one] }],
  ["the total", { counted: "501.0" }],
  ["the proceeds", { proceeds: "40.000001" }],
  ["the income by the readings", { expected: "19.200001" }],
  ["the income by the readings left out", { expected: null }],
  ["the difference", { other: "0.000001" }],
  ["the deposits", { assets: "801.000000" }],
  ["the price", { metric: { ...metric, price: "0.09" } }],
  ["a price that is no number", { metric: { ...metric, price: "much" } }],
  ["the amount reported", { report: { ...report, delta: "19.300000" } }],
  ["the verdict", { verdict: "less" }],
  ["a verdict without a formula", { metric: null }],
])("sumFollows detects %s that does not follow", (_what, parts) => {
  expect(sumFollows(anIncomeCheck(parts))).toBe(false);
});

it("sumFollows returns null if an input is missing and no sum is stated", () => {
  const none = { counted: null, proceeds: null, expected: null, other: null };
  expect(sumFollows(anIncomeCheck({ ...none, metric: null, verdict: "no_metric" }))).toBeNull();
  expect(
    sumFollows(anIncomeCheck({ ...none, devices: [{ ...one, first: null, counted: null }], verdict: "no_readings" })),
  ).toBeNull();
});
