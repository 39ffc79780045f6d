import type { CodePurpose } from "@aqua/sdk/api/auth";
import type { SecurityEventKind } from "@aqua/sdk/api/security";
import type { LanguageCode } from "@aqua/sdk/languages";
import { bigint, index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, hex, millis } from "../db/columns.ts";

/** How the holder of a session proved to be the owner of the account. */
export type Proof = "password" | "mail" | "factor";

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
  /** The account's identifier on chain: 0x and 32 random hex digits, never derived from other data. */
  subject: hex("subject").notNull().unique(),
  createTime: millis("create_time").notNull(),
});

export const accountSession = pgTable(
  "account_session",
  {
    /** SHA-256 of the token, hex: the table holds nothing one could log in with. */
    tokenHash: text("token_hash").primaryKey(),
    /** Identifies the session when the account's owner ends it. */
    id: text("id").notNull().unique(),
    accountId: text("account_id")
      .notNull()
      .references(() => account.id, { onDelete: "cascade" }),
    createTime: millis("create_time").notNull(),
    lastUse: millis("last_use").notNull(),
    expires: millis("expires").notNull(),
    userAgent: text("user_agent"),
    /** The network the log-in came from (`placeOf`). */
    place: text("place"),
    /** Time at which the holder last proved to be the owner; 0: none in this session. */
    confirmedTime: millis("confirmed_time").notNull().default(0),
    /** Kind of that proof; null: none in this session. */
    confirmedBy: text("confirmed_by").$type<Proof>(),
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
    /** Keyed hash of the e-mail, so that someone who only requested a code leaves no address behind. */
    emailHash: text("email_hash").notNull(),
    purpose: text("purpose").$type<CodePurpose>().notNull(),
    /** Keyed hash: an unkeyed hash of six digits could be reversed by trying. */
    codeHash: text("code_hash").notNull(),
    createTime: millis("create_time").notNull(),
    expires: millis("expires").notNull(),
  },
  (table) => [primaryKey({ columns: [table.emailHash, table.purpose] })],
);

/** A ticket that a right code is exchanged for. It can be used once. */
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

/** Security events of an account. The owner can read them for a year. */
export const accountEvent = pgTable(
  "account_event",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => account.id, { onDelete: "cascade" }),
    time: millis("time").notNull(),
    kind: text("kind").$type<SecurityEventKind>().notNull(),
    /** Browser and system in two words; null when no browser was involved. */
    userAgent: text("user_agent"),
    place: text("place"),
    /** The subject of the event: the address of a wallet, the name of a passkey. */
    detail: text("detail"),
  },
  (table) => [
    index("account_event_of_account").on(table.accountId, table.time),
    index("account_event_time").on(table.time),
  ],
);

/** An authenticator app. */
export const accountTotp = pgTable("account_totp", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => account.id, { onDelete: "cascade" }),
  /** Sealed, because codes can be generated from it. */
  secret: bytes("secret").notNull(),
  name: text("name").notNull(),
  createTime: millis("create_time").notNull(),
  /** 0 until the first right code. Until then it protects nothing. */
  activeTime: millis("active_time").notNull().default(0),
  lastUse: millis("last_use"),
  /** The period of the last accepted code. Each code is accepted once. */
  lastPeriod: bigint("last_period", { mode: "number" }).notNull().default(0),
});

export const accountPasskey = pgTable(
  "account_passkey",
  {
    /** The credential's id, base64url. */
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => account.id, { onDelete: "cascade" }),
    publicKey: bytes("public_key").notNull(),
    /** Number of signatures, as the authenticator counts them; 0 when it does not count. */
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: jsonb("transports").$type<string[]>().notNull(),
    name: text("name").notNull(),
    createTime: millis("create_time").notNull(),
    lastUse: millis("last_use"),
  },
  (table) => [index("account_passkey_of_account").on(table.accountId)],
);

/** Codes for an owner who has lost the authenticator. Each can be used once. */
export const recoveryCode = pgTable(
  "recovery_code",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => account.id, { onDelete: "cascade" }),
    /** Keyed hash. */
    codeHash: text("code_hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.codeHash] })],
);

/** A challenge sent to a browser for a passkey. It can be used once. */
export const passkeyChallenge = pgTable(
  "passkey_challenge",
  {
    challenge: text("challenge").primaryKey(),
    use: text("use").$type<"register" | "use" | "operator register" | "operator use">().notNull(),
    /** The account, or the name of the operator, that makes a passkey. Null when the passkey identifies its owner. */
    owner: text("account_id"),
    expires: millis("expires").notNull(),
  },
  (table) => [index("passkey_challenge_expires").on(table.expires)],
);
