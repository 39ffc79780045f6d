import fc from "fast-check";
import { expect, it } from "vitest";
import { acquire, emptyPosition, type Position, release } from "../src/maths/position.ts";
import { carriedCosts, type PositionVersion } from "../src/maths/together.ts";

type Move =
  | { kind: "in"; wallet: number; shares: bigint; assets: bigint }
  | { kind: "out"; wallet: number; part: number; assets: bigint }
  | { kind: "own"; wallet: number; to: number; part: number; assets: bigint };

const wallet = fc.integer({ min: 0, max: 2 });
const part = fc.integer({ min: 1, max: 10 });
const units = fc.bigInt({ min: 1n, max: 10n ** 12n });
const moves = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("in" as const), wallet, shares: units, assets: units }),
    fc.record({ kind: fc.constant("out" as const), wallet, part, assets: units }),
    fc.record({ kind: fc.constant("own" as const), wallet, to: wallet, part, assets: units }),
  ),
  { minLength: 1, maxLength: 40 },
);

/** Accounts for each wallet separately, like the indexer: a transfer between wallets counts at its value. */
function versionsOf(history: readonly Move[]) {
  const positions = new Map<number, Position>();
  const of = (index: number) => positions.get(index) ?? emptyPosition;
  const versions: PositionVersion[] = [];
  const write = (index: number, block: number, position: Position) => {
    positions.set(index, position);
    const { shares, cost, realised, costEstimated } = position;
    versions.push({ wallet: `${index}`, block, logIndex: 3, shares, cost, realised, costEstimated });
  };
  for (const [block, move] of history.entries()) {
    const held = of(move.wallet).shares;
    if (move.kind === "in") {
      write(move.wallet, block, acquire({ position: of(move.wallet), shares: move.shares, assets: move.assets }));
      continue;
    }
    const shares = (held * BigInt(move.part)) / 10n;
    if (shares === 0n || (move.kind === "own" && move.to === move.wallet)) continue;
    write(move.wallet, block, release(of(move.wallet), shares, move.assets));
    if (move.kind === "own")
      write(move.to, block, acquire({ position: of(move.to), shares, assets: move.assets, estimated: true }));
  }
  return { versions, positions };
}

const sum = <T>(items: Iterable<T>, part: (item: T) => bigint) =>
  [...items].reduce((total, item) => total + part(item), 0n);

it("carried costs preserve every wallet's shares, and the sum of all profits exactly", () => {
  fc.assert(
    fc.property(moves, (history) => {
      const { versions, positions } = versionsOf(history);
      const carried = carriedCosts(versions);
      for (const [index, position] of positions) expect(carried.get(`${index}`)?.shares).toBe(position.shares);
      expect(sum(carried.values(), (position) => position.realised - position.cost)).toBe(
        sum(positions.values(), (position) => position.realised - position.cost),
      );
      for (const position of carried.values()) {
        expect(position.cost >= 0n).toBe(true);
        if (position.shares === 0n) expect(position.cost).toBe(0n);
      }
    }),
  );
});

it("carried costs change nothing without transfers between the wallets", () => {
  fc.assert(
    fc.property(moves, (history) => {
      const { versions, positions } = versionsOf(history.filter(({ kind }) => kind !== "own"));
      const carried = carriedCosts(versions);
      for (const [index, { shares, cost, realised, costEstimated }] of positions)
        expect(carried.get(`${index}`)).toEqual({ shares, cost, realised, costEstimated });
    }),
  );
});

it("carried costs ignore transfers between own wallets: cost and profit equal those of a single wallet", () => {
  fc.assert(
    fc.property(moves, moves, units, (before, after, worth) => {
      const alone = (history: readonly Move[], index: number) =>
        history.filter(({ kind }) => kind !== "own").map((move) => ({ ...move, wallet: index }));
      const moved: Move = { kind: "own", wallet: 0, to: 1, part: 10, assets: worth };
      const { versions } = versionsOf([...alone(before, 0), moved, ...alone(after, 1)]);
      const { positions } = versionsOf([...alone(before, 0), ...alone(after, 0)]);
      const carried = [...carriedCosts(versions).values()];
      const { shares, cost, realised } = positions.get(0) ?? emptyPosition;
      expect(sum(carried, (one) => one.shares)).toBe(shares);
      expect(sum(carried, (one) => one.cost)).toBe(cost);
      expect(sum(carried, (one) => one.realised)).toBe(realised);
      expect(carried.some((one) => one.costEstimated)).toBe(false);
    }),
  );
});

it("carried costs do not mistake one queue event for two wallets for a transfer between them", () => {
  const version = (wallet: string, block: number, shares: bigint, cost: bigint, realised: bigint): PositionVersion => ({
    wallet,
    block,
    logIndex: 0,
    shares,
    cost,
    realised,
    costEstimated: false,
  });
  const versions = [
    ...[version("a", 1, 100n, 100n, 0n), version("b", 2, 50n, 60n, 0n)],
    ...[version("a", 3, 40n, 40n, 6n), version("b", 3, 0n, 0n, -5n)],
  ];
  expect(Object.fromEntries(carriedCosts(versions))).toEqual({
    a: { shares: 40n, cost: 40n, realised: 6n, costEstimated: false },
    b: { shares: 0n, cost: 0n, realised: -5n, costEstimated: false },
  });
});
