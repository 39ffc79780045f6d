import type { CodePurpose } from "@aqua/sdk/api/auth";
import type { LanguageCode } from "@aqua/sdk/languages";
import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { hex, millis } from "../db/columns.ts";

export const account = pgTable("account", {
  /** Random; never shown. */
  id: text("id").primaryKey(),
  /** Trimmed and lower case. */
  email: text("email").notNull().unique(),
  /** argon2id in PHC form. */
  passwordHash: text("password_hash").notNull(),
  /** ISO 3166-1 alpha-2. */
  country: text("country").notNull(),
  language: text("language").$type<LanguageCode>().notNull(),
  /** Who the account is on chain: 0x and 32 random hex digits, never derived from anything. */
  subject: hex("subject").notNull().unique(),
  createTime: millis("create_time").notNull(),
});

export const accountSession = pgTable(
  "account_session",
  {
    /** SHA-256 of the token, hex: the table holds nothing one could log in with. */
    tokenHash: text("token_hash").primaryKey(),
    /** How the account's owner names it when ending it. */
    id: text("id").notNull().unique(),
    accountId: text("account_id")
      .notNull()
      .references(() => account.id, { onDelete: "cascade" }),
    createTime: millis("create_time").notNull(),
    lastUse: millis("last_use").notNull(),
    expires: millis("expires").notNull(),
    userAgent: text("user_agent"),
  },
  (table) => [
    index("account_session_of_account").on(table.accountId),
    index("account_session_expires").on(table.expires),
  ],
);

/** The last code sent to an e-mail for a purpose. */
export const emailCode = pgTable(
  "email_code",
  {
    /** Keyed hash of the e-mail: who only asked for a code leaves no address behind. */
    emailHash: text("email_hash").notNull(),
    purpose: text("purpose").$type<CodePurpose>().notNull(),
    /** Keyed hash; six digits alone could be found by trying. */
    codeHash: text("code_hash").notNull(),
    createTime: millis("create_time").notNull(),
    expires: millis("expires").notNull(),
  },
  (table) => [primaryKey({ columns: [table.emailHash, table.purpose] })],
);

/** What a right code is exchanged for; used once. */
export const emailTicket = pgTable(
  "email_ticket",
  {
    ticketHash: text("ticket_hash").primaryKey(),
    emailHash: text("email_hash").notNull(),
    purpose: text("purpose").$type<CodePurpose>().notNull(),
    expires: millis("expires").notNull(),
  },
  (table) => [index("email_ticket_expires").on(table.expires)],
);
