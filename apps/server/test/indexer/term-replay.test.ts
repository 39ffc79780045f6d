import { claimableOf, coverageOf, exitQuote, receiptValue } from "@aqua/sdk/maths/receipts";
import { interestAtMaturity, timeUnits } from "@aqua/sdk/maths/term";
import { asc, eq } from "drizzle-orm";
import type { Hex } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { movement, position, receipt, term, termState } from "../../src/indexer/schema.ts";
import { accountsOf, figuresOf } from "../../src/indexer/termReplay.ts";
import { withDatabase } from "../support/databases.ts";
import { derivedTables } from "./tables.ts";
import { runSimulation, type Simulation } from "./termLife.ts";
import { openTermDeposit, type TermWorld } from "./termWorld.ts";
import { caughtUp, indexerOf, openWorld, type RunningIndexer, reindex, type World } from "./world.ts";

for (const end of ["loss", "demand"] as const) {
  let world: World;
  let deposits: TermWorld;
  let life: Simulation;
  beforeAll(async () => {
    world = await openWorld();
    deposits = await openTermDeposit(world);
    life = await runSimulation(world, deposits, end, { moves: 32, end });
  });
  afterAll(() => world.stop());

  withDatabase(`a life of a time deposit that ends by ${end}`, (open) => {
    let db: Database;
    let indexer: RunningIndexer;
    let tables: Awaited<ReturnType<typeof read>>;
    beforeAll(async () => {
      db = await open();
      indexer = indexerOf(world, db);
      await indexer.start();
      await caughtUp(world, indexer);
      tables = await read();
    });
    afterAll(() => indexer.stop());

    async function read() {
      const product = deposits.address.toLowerCase() as Hex;
      const { orm } = db;
      return {
        states: await orm
          .select()
          .from(termState)
          .where(eq(termState.product, product))
          .orderBy(asc(termState.block), asc(termState.logIndex)),
        terms: await orm
          .select()
          .from(term)
          .where(eq(term.product, product))
          .orderBy(asc(term.block), asc(term.logIndex)),
        receipts: await orm
          .select()
          .from(receipt)
          .where(eq(receipt.product, product))
          .orderBy(asc(receipt.block), asc(receipt.logIndex)),
        positions: await orm
          .select()
          .from(position)
          .where(eq(position.product, product))
          .orderBy(asc(position.block), asc(position.logIndex)),
        movements: await orm
          .select()
          .from(movement)
          .where(eq(movement.product, product))
          .orderBy(asc(movement.block), asc(movement.logIndex)),
      };
    }

    /** The latest versions up to a block, by `key`. */
    function upTo<Row extends { block: number }, Key>(rows: readonly Row[], block: number, key: (row: Row) => Key) {
      return new Map(rows.filter((row) => row.block <= block).map((row) => [key(row), row]));
    }

    it("covers every action of a time deposit", () => {
      const kinds = new Set(tables.movements.map((row) => row.kind));
      expect([...kinds].sort()).toEqual([
        "claim",
        "deposit",
        "mature",
        "rollover",
        "transfer_in",
        "transfer_out",
        "withdraw",
      ]);
      const statuses = new Set(tables.receipts.map((row) => row.status));
      expect([...statuses].sort()).toEqual([1, 3, 4, 5, 6]);
      const principals = new Set(tables.receipts.map(({ receiptId, principal }) => `${receiptId} ${principal}`));
      // A part of some receipt has left.
      expect(principals.size).toBeGreaterThan(new Set(tables.receipts.map(({ receiptId }) => receiptId)).size);
      expect(tables.receipts.some((row) => row.demandedAt !== null)).toBe(end === "demand");
      expect(tables.receipts.some((row) => row.roll === 1)).toBe(true);
      const wound = life.seen.filter(({ books }) => books.claims > 0n).map(({ books }) => books);
      expect(wound.length).toBeGreaterThan(5);
      // A demand winds down a product that is short of cash, not of assets.
      expect((wound[0]?.cash ?? 0n) + (wound[0]?.deployed ?? 0n) < (wound[0]?.claims ?? 0n)).toBe(end === "loss");
      const rolled = tables.movements.filter((row) => row.kind === "rollover").map((row) => row.assets > 0n);
      expect(new Set(rolled)).toEqual(new Set([true, false]));
    });

    it("has the accounts, limits, coverage and terms of the contract after every block", () => {
      for (const seen of life.seen) {
        const state = upTo(tables.states, seen.block, () => 0).get(0);
        if (!state) throw new Error(`nothing known in block ${seen.block}`);
        const where = `block ${seen.block}`;
        const { cash, deployed, liabilities, reserved, claims } = state;
        expect({ cash, deployed, liabilities, reserved, claims }, where).toEqual(seen.books);
        expect([state.cap, state.minDeposit, BigInt(state.pausedUntil)], where).toEqual(seen.limits);
        expect(coverageOf(accountsOf(state)) ?? 2n ** 256n - 1n, where).toBe(seen.coverage);
        const live = [...seen.receipts.values()];
        const principal = live.reduce((sum, { deposit }) => sum + deposit.principal, 0n);
        expect([state.receipts, state.principal], where).toEqual([live.length, principal]);
        expect(state.holders, where).toBe(new Set(live.map(({ owner }) => owner)).size);
        const terms = upTo(tables.terms, seen.block, (row) => row.termId);
        for (const [id, { cap, open, principal, rate, breakRate, penalty, count, unit }] of terms)
          expect(seen.terms[id], where).toEqual({ cap, open, principal, rate, breakRate, penalty, count, unit });
        expect(terms.size).toBe(seen.terms.length);
      }
      const last = tables.states.at(-1);
      const inflow = life.seen.at(-1);
      expect(last?.received).toBe(inflow?.books.claims);
    });

    it("has the contract's value and claim of every receipt after every block", () => {
      for (const seen of life.seen) {
        const where = `block ${seen.block}`;
        const rows = upTo(tables.receipts, seen.block, (row) => row.receiptId);
        const terms = upTo(tables.terms, seen.block, (row) => row.termId);
        const state = upTo(tables.states, seen.block, () => 0).get(0);
        const live = [...rows.values()].filter((row) => row.status === 1);
        expect(live.map((row) => row.receiptId).sort(), where).toEqual([...seen.receipts.keys()].sort());
        for (const row of live) {
          const of = seen.receipts.get(row.receiptId);
          const sold = terms.get(row.termId);
          if (!of || !sold || !state) throw new Error(`receipt ${row.receiptId} is not in ${where}`);
          const at = BigInt(seen.time);
          expect(
            {
              principal: row.principal,
              openedAt: BigInt(row.openedAt),
              maturity: BigInt(row.maturity),
              termId: BigInt(row.termId),
              status: seen.time >= row.maturity ? 2n : 1n,
              roll: BigInt(row.roll),
              rollTermId: BigInt(row.rollTermId),
            },
            where,
          ).toEqual(of.deposit);
          expect([row.owner, row.paid], where).toEqual([of.owner.toLowerCase(), of.paid]);
          const unit = timeUnits[sold.unit] ?? "day";
          expect(row.interest, where).toBe(interestAtMaturity(row.principal, { ...sold, unit }, BigInt(row.openedAt)));
          const figures = figuresOf(row, sold);
          expect(claimableOf(figures, accountsOf(state), at), where).toBe(of.claimable);
          expect(exitQuote(figures, at), where).toBe(of.quoteExit);
        }
      }
    });

    it("follows rollovers from one receipt to the next", () => {
      const last = upTo(tables.receipts, Number.MAX_SAFE_INTEGER, (row) => row.receiptId);
      const rolled = [...last.values()].filter((row) => row.status === 5);
      expect(rolled.length).toBeGreaterThan(2);
      for (const row of rolled) {
        const next = last.get(row.rolledTo ?? 0n);
        expect(next?.rolledFrom).toBe(row.receiptId);
        expect(row.paid + (tables.receipts.find((one) => one.receiptId === row.rolledTo)?.principal ?? 0n)).toBe(
          row.principal + row.interest,
        );
      }
      for (const row of [...last.values()].filter((one) => one.status === 6))
        expect(row.paid).toBe(row.principal + row.interest);
    });

    it("stores for each wallet a position that equals its receipts' cost and its payments", () => {
      for (const row of tables.positions) {
        expect(row.cost).toBe(row.totalIn - row.totalOut + row.interest);
        expect([row.shares, row.realised, row.pending]).toEqual([0n, 0n, 0n]);
        expect(row.since === null).toBe(row.receipts === 0);
      }
      for (const seen of life.seen) {
        const positions = upTo(tables.positions, seen.block, (row) => row.wallet);
        const live = [...upTo(tables.receipts, seen.block, (row) => row.receiptId).values()].filter(
          (row) => row.status === 1,
        );
        for (const [wallet, row] of positions) {
          const owned = live.filter(({ owner }) => owner === wallet);
          expect([row.receipts, row.cost]).toEqual([owned.length, owned.reduce((sum, { cost }) => sum + cost, 0n)]);
        }
      }
      const positions = upTo(tables.positions, Number.MAX_SAFE_INTEGER, (row) => row.wallet);
      expect(positions.size).toBe(life.before.size);
      for (const [wallet, { totalIn, totalOut }] of positions) {
        const mine = tables.movements.filter((row) => row.wallet === wallet);
        const sum = (kinds: readonly string[]) =>
          mine.filter(({ kind }) => kinds.includes(kind)).reduce((total, { assets }) => total + assets, 0n);
        const [paidIn, paidOut] = [sum(["deposit"]), sum(["mature", "withdraw", "rollover", "claim"])];
        expect((life.after.get(wallet) ?? 0n) - (life.before.get(wallet) ?? 0n)).toBe(paidOut - paidIn);
        expect([totalIn, totalOut]).toEqual([paidIn + sum(["transfer_in"]), paidOut + sum(["transfer_out"])]);
      }
      const last = tables.states.at(-1);
      const all = (kinds: readonly string[]) =>
        tables.movements.filter(({ kind }) => kinds.includes(kind)).reduce((total, { assets }) => total + assets, 0n);
      expect([last?.deposited, last?.paidOut]).toEqual([
        all(["deposit"]),
        all(["mature", "withdraw", "rollover", "claim"]),
      ]);
    });

    it("carries the cost of a receipt between wallets of one person, and otherwise uses its value at the transfer", () => {
      const [mine, second] = [deposits.wallet(0), deposits.wallet(deposits.second)].map((wallet) =>
        wallet.toLowerCase(),
      );
      const sent = tables.movements.filter((row) => row.kind === "transfer_out");
      expect(sent.filter((row) => row.wallet === mine).length).toBeGreaterThan(2);
      for (const row of sent) {
        const same = (other: { block: number; logIndex: number }) =>
          other.block === row.block && other.logIndex === row.logIndex;
        const came = tables.movements.find((other) => same(other) && other.kind === "transfer_in");
        const after = tables.receipts.find(same);
        const before = tables.receipts
          .filter(
            (other) =>
              other.receiptId === row.receiptId &&
              (other.block < row.block || (other.block === row.block && other.logIndex < row.logIndex)),
          )
          .at(-1);
        const sold = upTo(tables.terms, row.block, (one) => one.termId).get(before?.termId ?? -1);
        const state = tables.states
          .filter((other) => other.block < row.block || (other.block === row.block && other.logIndex < row.logIndex))
          .at(-1);
        if (!came || !after || !before || !sold || !state) throw new Error(`half a transfer in block ${row.block}`);
        expect([came.assets, after.cost, after.owner]).toEqual([row.assets, row.assets, came.wallet]);
        if ((row.wallet === mine && came.wallet === second) || (row.wallet === second && came.wallet === mine)) {
          expect([after.cost, after.costEstimated]).toEqual([before.cost, before.costEstimated]);
        } else {
          expect(after.costEstimated).toBe(true);
          expect(row.assets).toBe(receiptValue(figuresOf(before, sold), accountsOf(state), BigInt(row.time)));
        }
        expect(after.roll).toBe(0);
      }
    });

    it("records the penalty of an early exit, and none for anything else", () => {
      for (const row of tables.movements) {
        expect([row.shares, row.price]).toEqual([0n, null]);
        const versions = tables.receipts.filter((one) => one.receiptId === row.receiptId);
        const after = versions.findIndex((one) => one.block === row.block && one.logIndex === row.logIndex);
        const [before, now] = [versions[after - 1], versions[after]];
        const rest = now?.status === 1 ? now.principal : 0n;
        const sold = tables.terms.find((one) => one.termId === now?.termId);
        const wad = 10n ** 18n;
        const fee = (((before?.principal ?? 0n) - rest) * (sold?.penalty ?? 0n) + wad - 1n) / wad;
        expect(row.fee).toBe(row.kind === "withdraw" ? fee : 0n);
      }
    });

    it("has the same result when all blocks are read again in short ranges", async () => {
      const followed = await derivedTables(db);
      await indexer.stop();
      await reindex(world, db, { confirmations: 0, span: 7 });
      expect(await derivedTables(db)).toEqual(followed);
    });
  });
}
