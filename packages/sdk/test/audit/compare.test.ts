import { expect, it } from "vitest";
import { compare } from "../../src/audit/compare.ts";

const move = (block: number, amount: string) => ({ block, log_index: 0, amount });

it("counts equal figures and names each that differs", () => {
  const expected = { price: "1.0", holders: 2, queue: null, parts: [{ part: "idle", amount: "3" }] };
  expect(compare("product/a", expected, structuredClone(expected))).toEqual({ count: 6, findings: [], rest: [] });
  expect(compare("product/a", expected, { ...expected, price: "1.1", queue: { shares: "1" } }).findings).toEqual([
    { path: "product/a.price", expected: "1.0", found: "1.1" },
    { path: "product/a.queue", expected: null, found: '{"shares":"1"}' },
  ]);
  expect(compare("product/a", expected, { holders: 2, queue: null, parts: [] }).findings).toEqual([
    { path: "product/a.price", expected: "1.0", found: undefined },
    { path: "product/a.parts.length", expected: 1, found: 0 },
    { path: "product/a.parts[0]", expected: '{"part":"idle"}', found: undefined },
  ]);
});

it("does not let a missing or a doubled item make all others differ", () => {
  const all = [move(3, "30"), move(2, "20"), move(1, "10")];
  expect(compare("x", all, all.slice(1)).findings).toEqual([
    { path: "x.length", expected: 3, found: 2 },
    { path: "x[0]", expected: '{"block":3,"log_index":0}', found: undefined },
  ]);
  expect(compare("x", all, [...all, move(1, "10")]).findings).toEqual([
    { path: "x.length", expected: 3, found: 4 },
    { path: "x[3]", expected: undefined, found: '{"block":1,"log_index":0}' },
  ]);
  expect(compare("x", all, [move(2, "21"), move(1, "10")]).findings).toContainEqual({
    path: "x[0].amount",
    expected: "20",
    found: "21",
  });
});

it("lists fields of which nothing is expected, and refuses arguments of which nothing is expected", () => {
  const expected = [{ name: "Deployed", args: { assets: "5" } }];
  const found = [{ name: "Deployed", text: { de: "x", en: "y" }, args: { assets: "5", to: "0x1" } }];
  expect(compare("acts", expected, found)).toEqual({
    count: 4,
    findings: [{ path: "acts[0].args.to", expected: undefined, found: "0x1" }],
    rest: ["acts[].text.de", "acts[].text.en"],
  });
});
