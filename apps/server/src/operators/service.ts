import { randomBytes } from "node:crypto";
import type { AddedOperator, NamedOperator, operatorBody } from "@aqua/sdk/api/operator";
import type { OperatorScope } from "@aqua/sdk/api/rules";
import { DAY_MS } from "@aqua/sdk/durations";
import { and, asc, eq, inArray, lt, ne } from "drizzle-orm";
import type { z } from "zod";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import type { Act, Approval, LogWriter } from "../publicLog/writer.ts";
import { operator, operatorApproval, operatorPasskey, operatorSession } from "./schema.ts";

/** An operator whose token was accepted. */
export interface KnownOperator {
  name: string;
  scopes: readonly string[];
  address: string | null;
}

export interface Operators {
  list(): Promise<NamedOperator[]>;
  /** Adds an operator and returns the token, which is not stored. @throws ApiError conflict if the name is in use */
  add(body: z.output<typeof operatorBody>, act: Act): Promise<AddedOperator>;
  /** Ends the operator's token, log-ins and approvals for good. @throws ApiError not_found */
  revoke(name: string, act: Act): Promise<NamedOperator>;
  /**
   * Returns the operator whose token this is, or null if it is of none, was revoked or has expired.
   * @throws ApiError record_differs
   */
  find(token: string): Promise<KnownOperator | null>;
  /** Returns the operator of this name, or null like `find`. @throws ApiError record_differs */
  byName(name: string): Promise<KnownOperator | null>;
  /**
   * Returns the approval of another operator who has made the same call within the last day. If there is none, notes this
   * call, and returns who was first and until when the second may come.
   */
  approve(of: {
    call: string;
    bodyHash: string;
    name: string;
    act: Act;
  }): Promise<{ approval: Approval } | { first: string; until: number }>;
  deleteExpired(): Promise<void>;
}

const TOKEN = /^aqua_[\w-]{43}$/;
/** How long the first of two operators' calls waits for the second. */
export const APPROVAL_MS = DAY_MS;

type Row = typeof operator.$inferSelect;

/** @param now returns Unix milliseconds */
export function createOperators(
  { db, keys, writer }: { db: Pick<Database, "orm" | "transaction">; keys: Keys; writer: LogWriter },
  now: () => number = Date.now,
): Operators {
  return {
    async list() {
      return (await db.orm.select().from(operator).orderBy(asc(operator.name))).map(toNamed);
    },

    add({ name, scopes, address, valid_days }, act) {
      const token = `aqua_${randomBytes(32).toString("base64url")}`;
      const row: Row = {
        name,
        tokenHash: keys.hash("operator", token),
        scopes: [...new Set<OperatorScope>(scopes)].sort().join(),
        address: address as Row["address"],
        createTime: now(),
        expireTime: valid_days === null ? null : now() + valid_days * DAY_MS,
        revokeTime: null,
      };
      return db.transaction(async (tx) => {
        await writer.requireRow(tx, "operator", name);
        const [before] = await tx.select().from(operator).where(eq(operator.name, name));
        // A name in the log always means one person, so it is never used again.
        if (before !== undefined)
          throw new ApiError(
            "conflict",
            `An operator of this name exists${before.revokeTime ? ", and was revoked" : ""}`,
          );
        await tx.insert(operator).values(row);
        await writer.row(tx, "operator", { subject: name, act });
        return { ...toNamed(row), token };
      });
    },

    revoke: (name, act) =>
      db.transaction(async (tx) => {
        const row = await lock(tx, name);
        if (row.revokeTime !== null) return toNamed(row);
        await writer.requireRow(tx, "operator", name);
        const revokeTime = now();
        await tx.update(operator).set({ revokeTime }).where(eq(operator.name, name));
        await tx.delete(operatorPasskey).where(eq(operatorPasskey.operator, name));
        await tx.delete(operatorSession).where(eq(operatorSession.operator, name));
        await tx.delete(operatorApproval).where(eq(operatorApproval.operator, name));
        await writer.row(tx, "operator", { subject: name, act });
        return toNamed({ ...row, revokeTime });
      }),

    async find(token) {
      if (!TOKEN.test(token)) return null;
      const [row] = await db.orm
        .select()
        .from(operator)
        .where(inArray(operator.tokenHash, keys.hashes("operator", token)));
      return known(row);
    },

    async byName(name) {
      const [row] = await db.orm.select().from(operator).where(eq(operator.name, name));
      return known(row);
    },

    approve: ({ call, bodyHash, name, act }) =>
      db.transaction(async (tx) => {
        const same = and(eq(operatorApproval.call, call), eq(operatorApproval.bodyHash, bodyHash));
        const time = now();
        await tx.delete(operatorApproval).where(and(same, lt(operatorApproval.time, time - APPROVAL_MS)));
        const [first] = await tx
          .select()
          .from(operatorApproval)
          .where(and(same, ne(operatorApproval.operator, name)));
        if (first !== undefined) return { approval: approvalOf(first) };
        await writer.act(tx, call, act);
        await tx.insert(operatorApproval).values({ call, bodyHash, operator: name, time }).onConflictDoNothing();
        const [row] = await tx.select().from(operatorApproval).where(same);
        return { first: row?.operator ?? name, until: (row?.time ?? time) + APPROVAL_MS };
      }),

    async deleteExpired() {
      await db.orm.delete(operatorApproval).where(lt(operatorApproval.time, now() - APPROVAL_MS));
    },
  };

  function approvalOf({ call, bodyHash, operator, time }: typeof operatorApproval.$inferSelect): Approval {
    const stored = and(
      eq(operatorApproval.call, call),
      eq(operatorApproval.bodyHash, bodyHash),
      eq(operatorApproval.operator, operator),
      eq(operatorApproval.time, time),
    );
    // A transaction that runs again is another one here.
    const users = new WeakSet<Orm>();
    return {
      async use(tx) {
        if (users.has(tx)) return;
        const used = await tx.delete(operatorApproval).where(stored).returning({ call: operatorApproval.call });
        if (used.length === 0) throw new ApiError("conflict", "Another call has used the first operator's approval");
        users.add(tx);
      },
      async end() {
        await db.orm.delete(operatorApproval).where(stored);
      },
    };
  }

  async function known(row: Row | undefined): Promise<KnownOperator | null> {
    if (row === undefined || row.revokeTime !== null || (row.expireTime ?? Number.POSITIVE_INFINITY) <= now())
      return null;
    await db.transaction((tx) => writer.requireRow(tx, "operator", row.name));
    return { name: row.name, scopes: row.scopes.split(","), address: row.address };
  }

  async function lock(tx: Orm, name: string): Promise<Row> {
    const [row] = await tx.select().from(operator).where(eq(operator.name, name)).for("update");
    if (row === undefined) throw new ApiError("not_found", "No operator has this name");
    return row;
  }
}

function toNamed({ name, scopes, address, createTime, expireTime, revokeTime }: Row): NamedOperator {
  return {
    name,
    scopes: scopes.split(","),
    address,
    created_at: createTime,
    expires_at: expireTime,
    revoked_at: revokeTime,
  };
}
