import { type HexText, nameHex, noReading } from "@aqua/sdk/proofs/reading";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Candidate, type CheckedDevice, checkRun, type Head } from "../../src/telemetry/checks.ts";
import { type FormedReading, readForm } from "../../src/telemetry/form.ts";
import { keyAt, keyHistory } from "../../src/telemetry/keys.ts";
import { newDevice } from "./devices.ts";

const x = nameHex("x");
const registered = (validFrom: number, name = "x") =>
  ({ what: "registered", kind: 1, x: nameHex(name), y: x, validFrom }) as const;
const dropped = (validFrom: number, name = "x") => ({ ...registered(validFrom, name), what: "dropped" }) as const;
const revoked = (validFrom: number) => ({ what: "revoked", kind: 0, x: null, y: null, validFrom }) as const;

const keys = keyHistory([registered(0)]);
const gauge: CheckedDevice = {
  metric: "power",
  exponent: 0,
  min: 0n,
  max: 1_000n,
  maxStep: null,
  interval: 1_000,
  coSigner: null,
  retired: false,
};
const register: CheckedDevice = { ...gauge, metric: "energy" };
const start: Head = { seq: 0, hash: noReading, time: 0, good: null, repeats: 0, readings: 0, rejoins: false };
const NOW = 1_000_000_000;

/** Readings with these values, one second apart, in an unbroken chain. */
function chainOf(values: readonly bigint[], { metric = "power", from = 1, prev = noReading, time = 1_000 } = {}) {
  let before: HexText = prev as HexText;
  return values.map((value, index): Candidate => {
    const seq = from + index;
    const hash = nameHex(`h${seq}v${value}`);
    const reading = { device: "d", seq, time: time + index * 1_000, metric, value, exponent: 0, prev: before, hash };
    before = hash;
    return {
      reading: { ...reading, encoding: new Uint8Array(), signature: "0x" },
      received: NOW,
      signed: true,
      coSigned: true,
    };
  });
}
const change = (candidate: Candidate, reading: Partial<FormedReading>): Candidate => ({
  ...candidate,
  reading: { ...candidate.reading, ...reading },
});
const run = (candidates: readonly Candidate[], device = gauge, head = start) =>
  checkRun({ device, keys, before: head, used: new Map(), candidates });
const validationIssues = (values: readonly bigint[], device: CheckedDevice) =>
  run(chainOf(values, { metric: device.metric }), device).outcomes.map((one) =>
    one.as === "accepted" ? one.flaw : one,
  );

describe("a device's key at a time", () => {
  it("is valid from its first second until that of the next key", () => {
    const history = keyHistory([registered(100, "a"), registered(200, "b")]);
    expect([99, 100, 199, 200, 9_999].map((time) => keyAt(history, time)?.x ?? null)).toEqual(
      [null, "a", "a", "b", "b"].map((name) => name && nameHex(name)),
    );
    expect(keyAt(history, 150)).toMatchObject({ valid_from: 100, valid_until: 199 });
    expect(keyAt(history, 250)).toMatchObject({ valid_from: 200, valid_until: null });
  });

  it("is never valid if it was dropped, is valid until its end if it was revoked, and a later one starts anew", () => {
    const history = keyHistory([
      ...[registered(100, "a"), registered(500, "b"), dropped(500, "b"), revoked(300), registered(400, "c")],
    ]);
    expect([100, 299, 300, 399, 400, 600].map((time) => keyAt(history, time)?.x ?? null)).toEqual(
      ["a", "a", null, null, "c", "c"].map((name) => name && nameHex(name)),
    );
    expect(keyAt(history, 200)?.valid_until).toBe(299);
  });

  it("is equal for two key histories with the same fingerprint", () => {
    const event = fc.oneof(
      fc.tuple(fc.constantFrom("a", "b"), fc.integer({ min: 0, max: 5 })).map(([name, time]) => registered(time, name)),
      fc.integer({ min: 0, max: 5 }).map(revoked),
    );
    const times = [0, 1, 2, 3, 4, 5, 6];
    fc.assert(
      fc.property(fc.array(event, { maxLength: 4 }), fc.array(event, { maxLength: 4 }), (one, other) => {
        const [a, b] = [keyHistory(one), keyHistory(other)];
        const same = a.print === b.print;
        return !same || times.every((time) => JSON.stringify(keyAt(a, time)) === JSON.stringify(keyAt(b, time)));
      }),
    );
  });
});

describe("a rejected reading", () => {
  const [first, second, third] = chainOf([1n, 2n, 3n]) as [Candidate, Candidate, Candidate];
  const reason = (candidate: Candidate, device = gauge) => {
    const { outcomes, head } = run([first, candidate], device);
    const [, outcome] = outcomes;
    if (outcome?.as === "refused") expect(head.seq).toBe(device.retired ? 0 : 1);
    return outcome?.as === "refused" ? outcome.reason : outcome?.as;
  };

  it("has the reason of its mistake", () => {
    expect(reason(second)).toBe("accepted");
    expect(reason(first)).toBe("duplicate");
    expect(reason(second, { ...gauge, retired: true })).toBe("retired");
    expect(reason(change(second, { metric: "energy" }))).toBe("metric");
    expect(reason(change(second, { exponent: 1 }))).toBe("metric");
    expect(reason(change(second, { time: NOW + 120_000 }))).toBe("accepted");
    expect(reason(change(second, { time: NOW + 120_001 }))).toBe("future");
    expect(reason({ ...second, signed: false })).toBe("signature");
    expect(reason({ ...second, coSigned: false })).toBe("co_signature");
    expect(reason(change(first, { hash: nameHex("other") }))).toBe("replay");
    expect(reason(third)).toBe("gap");
    expect(reason(change(second, { prev: nameHex("other") }))).toBe("chain");
    expect(reason(change(second, { time: 1_000 }))).toBe("time_order");
    expect(reason(change(third, { prev: first.reading.hash }))).toBe("accepted");
  });

  it("has its first mistake as the reason", () => {
    const wrong = { metric: "energy", time: NOW + 999_999, prev: nameHex("other"), seq: 9 };
    expect(reason({ ...change(second, wrong), signed: false })).toBe("metric");
    expect(reason({ ...change(second, { ...wrong, metric: "power" }), signed: false })).toBe("future");
    expect(reason({ ...change(second, { prev: nameHex("other"), seq: 9 }), signed: false })).toBe("signature");
    expect(reason({ ...second, signed: false, coSigned: false })).toBe("signature");
    expect(reason({ ...change(second, { prev: nameHex("other"), seq: 9 }), coSigned: false })).toBe("co_signature");
    expect(reason(change(second, { prev: nameHex("other"), seq: 9, time: 1 }))).toBe("gap");
  });

  it("can be one from a time without a key", () => {
    const later = checkRun({
      device: gauge,
      keys: keyHistory([registered(2)]),
      before: start,
      used: new Map(),
      candidates: [first],
    });
    expect(later.outcomes).toMatchObject([{ as: "refused", reason: "no_key", head: null }]);
  });

  it("is reported with the last accepted one, and does not affect the readings after it", () => {
    const other = change(second, { hash: nameHex("other"), prev: nameHex("other") });
    const { outcomes, head } = run([first, other, second, third]);
    expect(outcomes).toMatchObject([
      { as: "accepted" },
      { as: "refused", reason: "chain", head: { seq: 1, hash: first.reading.hash } },
      { as: "accepted" },
      { as: "accepted" },
    ]);
    expect(head).toMatchObject({ seq: 3, hash: third.reading.hash, readings: 3 });
  });

  it("can be one whose number was skipped", () => {
    const jumped = change(third, { prev: first.reading.hash });
    expect(run([first, jumped, second]).outcomes[2]).toMatchObject({ as: "refused", reason: "replay" });
  });
});

describe("a flawed reading", () => {
  it("is a figure outside its bounds, but not a bound itself", () => {
    expect(validationIssues([0n, 1_000n, -1n, 1_001n, 5n], gauge)).toEqual([null, null, "bounds", "bounds", null]);
  });

  it("is the twelfth or later equal figure of a gauge, until the gauge shows another", () => {
    const same = Array<bigint>(14).fill(7n);
    expect(validationIssues([...same, 8n, 7n], gauge)).toEqual([
      ...Array(11).fill(null),
      "frozen",
      "frozen",
      "frozen",
      null,
      null,
    ]);
    expect(validationIssues(same, register)).toEqual(Array(14).fill(null));
  });

  it("is a register below its last good figure", () => {
    expect(validationIssues([10n, 9n, 10n, 2_000n, 11n, 10n], register)).toEqual([
      ...[null, "backwards", null, "bounds", null, "backwards"],
    ]);
  });

  it("is a step above the largest one, which grows with the elapsed time", () => {
    const stepping = { ...gauge, maxStep: 10n };
    expect(validationIssues([10n, 20n, 31n, 30n], stepping)).toEqual([null, null, "jump", null]);
    const [first, second] = chainOf([10n, 35n]) as [Candidate, Candidate];
    const late = (time: number) => run([first, change(second, { time })], stepping).outcomes[1];
    expect(late(3_499)).toMatchObject({ flaw: "jump" });
    expect(late(3_500)).toMatchObject({ flaw: null });
  });

  it("stays in the chain, and other readings are not compared with it", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -50n, max: 1_100n }), { maxLength: 40 }), (values) => {
        const { outcomes, head } = run(chainOf(values, { metric: "energy" }), { ...register, maxStep: 100n });
        expect(outcomes.every(({ as }) => as === "accepted")).toBe(true);
        expect(head.seq).toBe(values.length);
        const good = values.filter((_, index) => (outcomes[index] as { flaw: unknown }).flaw === null);
        expect(head.good?.value ?? null).toBe(good.at(-1) ?? null);
        expect(good.every((value, index) => index === 0 || value >= (good[index - 1] as bigint))).toBe(true);
      }),
    );
  });
});

it("readings that are split, repeated and mixed in any way are accepted once each and in order", () => {
  const count = 12;
  const honest = chainOf(Array.from({ length: count }, (_, index) => BigInt(index * 3)));
  const hostile = honest.map((one) => change(one, { hash: nameHex("forged"), prev: nameHex("forged") }));
  const sent = fc.array(fc.tuple(fc.boolean(), fc.nat(count - 1)), { maxLength: 60 });
  fc.assert(
    fc.property(sent, fc.nat(60), (picks, cut) => {
      const all = picks.map(([forged, index]) => (forged ? hostile : honest)[index] as Candidate);
      const used = new Map<number, HexText>();
      let head = start;
      const accepted: number[] = [];
      for (const part of [all.slice(0, cut), all.slice(cut)]) {
        const checked = checkRun({ device: gauge, keys, before: head, used, candidates: part });
        checked.outcomes.forEach((outcome, index) => {
          const { reading } = part[index] as Candidate;
          if (outcome.as === "accepted") {
            accepted.push(reading.seq);
            used.set(reading.seq, reading.hash);
          }
          if (outcome.as === "duplicate") expect(used.get(reading.seq)).toBe(reading.hash);
        });
        head = checked.head;
      }
      expect(accepted).toEqual(Array.from({ length: accepted.length }, (_, index) => index + 1));
      expect(head.seq).toBe(accepted.length);
      // The same readings in one delivery have the same result.
      expect(checkRun({ device: gauge, keys, before: start, used: new Map(), candidates: all }).head).toEqual(head);
    }),
  );
});

describe("the form of a reading", () => {
  it("is required of every input, and another input is rejected with a reason", async () => {
    const reading = await newDevice({ name: "d" }).next();
    const cases: [unknown, string][] = [
      [null, "expected object"],
      [7, "expected object"],
      [{ ...reading, device: "No Name" }, "device: Invalid device name"],
      [{ ...reading, seq: 0 }, "seq"],
      [{ ...reading, value: "9223372036854775808" }, "value does not fit into 64 bits"],
      [{ ...reading, value: "007" }, "value"],
      [{ ...reading, exponent: 19 }, "exponent"],
      [{ ...reading, signature: "0x00" }, "signature"],
      [{ ...reading, note: "more" }, "note"],
    ];
    for (const [sent, words] of cases) expect(readForm(sent)).toContain(words);
    expect(readForm(reading)).toMatchObject({ device: "d", seq: 1 });
  });

  it("is checked without an exception for any input", () => {
    fc.assert(fc.property(fc.jsonValue(), (sent) => typeof readForm(sent) === "string"));
  });
});
