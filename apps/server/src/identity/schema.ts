import type { DocumentKind } from "@aqua/sdk/api/identity";
import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { account } from "../account/schema.ts";
import { bytes, millis } from "../db/columns.ts";

/** One submission of an account. Name and date of birth are sealed, like the document. */
export const identityCase = pgTable(
  "identity_case",
  {
    /** A random id, by which an external provider knows the case. */
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => account.id, { onDelete: "cascade" }),
    provider: text("provider").$type<"manual" | "sandbox" | "webhook">().notNull(),
    status: text("status").$type<"pending" | "verified" | "rejected" | "expired">().notNull(),
    /** Sealed JSON with name and birth_date. */
    person: bytes("person").notNull(),
    country: text("country").notNull(),
    documentKind: text("document_kind").$type<DocumentKind>().notNull(),
    submitTime: millis("submit_time").notNull(),
    decideTime: millis("decide_time"),
    validUntil: millis("valid_until"),
    reason: text("reason"),
  },
  (table) => [
    index("identity_case_of_account").on(table.accountId, table.submitTime),
    index("identity_case_status").on(table.status),
  ],
);

export const identityDocument = pgTable("identity_document", {
  caseId: text("case_id")
    .primaryKey()
    .references(() => identityCase.id, { onDelete: "cascade" }),
  type: text("type").notNull(),
  size: integer("size").notNull(),
  /** Encrypted with AES-256-GCM under a key that is not in the database. */
  content: bytes("content").notNull(),
});

/** Processed callbacks of an external provider, so that none counts twice. */
export const identityCallback = pgTable(
  "identity_callback",
  {
    id: text("id").primaryKey(),
    expires: millis("expires").notNull(),
  },
  (table) => [index("identity_callback_expires").on(table.expires)],
);
