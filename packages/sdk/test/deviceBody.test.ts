import { expect, it } from "vitest";
import { deviceBody } from "../src/api/telemetry.ts";

const body = (shortId: string, trust = "secure_element") => ({
  ...{ name: "meter-1", short_id: shortId, metric: "energy", exponent: -3, place: "Weir", latitude: 47, longitude: 9 },
  ...{ model: "T1", trust, min: "0", max: "100", interval: 10_000 },
});

it("takes devices of products whose short id fits into a stream's name on chain, with room for the end of it", () => {
  expect(deviceBody.safeParse(body("a".repeat(31))).success).toBe(true);
  expect(deviceBody.safeParse(body("a".repeat(32))).success).toBe(false);
});

it("enrols nobody as signed twice while the second signature is not checked", () => {
  expect(deviceBody.safeParse(body("tide", "attested")).success).toBe(true);
  expect(deviceBody.safeParse(body("tide", "co_signed")).success).toBe(false);
});
