import { resolve } from "node:path";
import { type OperatorScope, operatorScopes } from "@aqua/sdk/api/rules";
import { localChain } from "@aqua/sdk/chains";
import { DAY } from "@aqua/sdk/durations";
import { closest, distance } from "fastest-levenshtein";
import type { Hex } from "viem";
import { z } from "zod";
import { type AccountKey, accountOf, readKey } from "./accountKey.ts";
import { StartRefused } from "./errors.ts";
import { folders } from "./folders.ts";
import { withSecretFiles } from "./secretFiles.ts";

/** A setting is missing or invalid. The message is one line and names the variable. */
export class ConfigError extends StartRefused {
  override name = "ConfigError";
}

/** Given paths are relative to the working directory. */
const path = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) => resolve(value));
const wholeNumber = (fallback: number, min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.number(error).min(min, error).max(max, error))
    .default(fallback);
};
const flag = (fallback: "0" | "1") =>
  z
    .enum(["0", "1", "false", "true"], "must be 1 or 0")
    .default(fallback)
    .transform((value) => value === "1" || value === "true");
const httpUrl = z.url({ protocol: /^https?$/, error: "must be a URL that starts with http:// or https://" });
/** A contact as in RFC 9116. */
const contactUrl = z.url({ protocol: /^(mailto|https|tel)$/ });
const mqttUrl = z.url({
  protocol: /^(mqtts?|wss?)$/,
  error: "must be a URL that starts with mqtt://, mqtts://, ws:// or wss://",
});
const webSocketUrl = z.url({ protocol: /^wss?$/ });
/** Address of a bucket, with an access key and its secret: https://KEY:SECRET@host/bucket/prefix?region=eu-central-1 */
const bucketUrl = httpUrl.transform((value, context): StoreUrl => {
  const url = new URL(value);
  const [bucket = "", ...prefix] = url.pathname.split("/").slice(1);
  if (bucket === "" || url.username === "" || url.password === "") {
    context.addIssue("must be such as https://KEY:SECRET@host/bucket/prefix?region=eu-central-1");
    return z.NEVER;
  }
  return {
    endpoint: `${url.origin}/${bucket}`,
    prefix: prefix
      .filter((part) => part !== "")
      .map((part) => `${part}/`)
      .join(""),
    region: url.searchParams.get("region") ?? "auto",
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
});
const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  hostname: /.*/,
  error: "must be a URL that starts with postgresql://",
});
const portOrOff = z
  .string()
  .regex(/^(off|\d{1,5})$/, "must be off or a whole number from 0 to 65535")
  .default("1883")
  .transform((value) => (value === "off" ? null : Number(value)))
  .refine((port) => port === null || port <= 65_535, "must be off or a whole number from 0 to 65535");
const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, "must be 0x and 64 hex digits")
  .transform((value) => value as `0x${string}`);
const accountKey = z.string().transform((value, context) => {
  const key = readKey(value);
  if (key !== null) return key;
  context.addIssue("must be 0x and 64 hex digits, or the URL of a remote signer with # and the account's address");
  return z.NEVER;
});
/** One key or several keys separated by commas. The first one hashes and seals. */
export const secretKeys = z
  .string()
  .toLowerCase()
  .transform((value) => value.split(",").map((key) => key.trim()))
  .refine((keys) => keys.every((key) => /^[0-9a-f]{64}$/.test(key)), "must be 64 hex digits")
  .refine((keys) => new Set(keys).size === keys.length, "must not name a key twice")
  .transform((keys) => keys.map((key) => Buffer.from(key, "hex")));

/** One secret after Standard Webhooks, or several with commas between them while one replaces another. */
const webhookKeys = z
  .string()
  .transform((value) => value.split(",").map((secret) => /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim())?.[1]))
  .transform((keys) => keys.map((key) => Buffer.from(key ?? "", "base64")))
  .refine(
    (keys) => keys.every(({ length }) => length >= 24 && length <= 64),
    "must be whsec_ and 24 to 64 bytes in Base64, or several such secrets with commas between them",
  );

/** What a process does. All processes of an instance take the same settings but this one, PORT and HOST. */
export const roles = ["web", "indexer", "jobs", "mqtt"] as const;
export type Role = (typeof roles)[number];
const isRole = (name: string): name is Role => roles.some((role) => role === name);
const roleNames = z
  .string()
  .default(roles.join())
  .transform((value) => value.split(",").map((name) => name.trim()))
  .refine((names) => names.every(isRole), {
    error: ({ input }) =>
      `must be some of ${roles.join(", ")} with commas between them, not ${(input as string[]).find((name) => !isRole(name))}`,
  })
  .transform((names) => roles.filter((role) => names.includes(role)));

const settings = z.object({
  NODE_ENV: z
    .enum(["development", "production", "test"], "must be development, production or test")
    .default("development"),
  PORT: wholeNumber(8080, 0, 65_535),
  HOST: z.string().default("127.0.0.1"),
  ROLES: roleNames,
  PUBLIC_URL: httpUrl.optional(),
  ALLOWED_HOSTS: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9.-]+( *, *[a-z0-9.-]+)*$/, "must be host names with commas between them, without ports")
    .transform((value) => value.split(",").map((name) => name.trim()))
    .default([]),
  TRUST_PROXY: wholeNumber(0, 0, 10),
  DATA_DIR: path(folders.data),
  DATABASE_URL: postgresUrl.optional(),
  DELETIONS_URL: postgresUrl.optional(),
  DATABASE_PREPARED_STATEMENTS: flag("1"),
  ALLOW_EMBEDDED_DB: flag("0"),
  DEPLOYMENTS_DIR: path(folders.deployments),
  PRODUCTS_DIR: path(folders.products),
  LEGAL_DIR: z.string().optional(),
  WEB_DIR: path(folders.web),
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/i, "must be 32 hex digits")
    .optional(),
  NAME_SERVICE_URL: httpUrl.optional(),
  NAME_SERVICE_KEY: z.string().optional(),
  FAUCET_PRIVATE_KEY: privateKey.optional(),
  ATTESTER_PRIVATE_KEY: accountKey.optional(),
  ANCHORER_PRIVATE_KEY: accountKey.optional(),
  ANCHOR_EVERY: wholeNumber(600, 5, DAY),
  ANCHOR_MAX_READINGS: wholeNumber(8_192, 1, 65_536),
  BATCH_DIR: z
    .string()
    .transform((value) => resolve(value))
    .optional(),
  BATCH_STORE_URL: bucketUrl.optional(),
  REINDEX_CHAINS: z
    .string()
    .regex(/^\d{1,15}( *, *\d{1,15})*$/, "must be chain ids with commas between them")
    .transform((value) => value.split(",").map(Number))
    .default([]),
  DEMO_MODE: flag("0"),
  SWITCH_DELAY: wholeNumber(DAY, 1, 7 * DAY),
  SHUTDOWN_DELAY: wholeNumber(0, 0, 300),
  DEMO_ACCOUNT: z
    .string()
    .regex(/^[^\s=]+@[^\s=]+=0x[0-9a-f]{32}$/, "must be an e-mail address, = and a subject: 0x and 32 hex digits")
    .transform((value) => {
      const [email = "", subject = ""] = value.split("=");
      return { email: email.toLowerCase(), subject: subject as `0x${string}` };
    })
    .optional(),
  SECRET_KEY: secretKeys.optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /.*/, error: "must be a URL that starts with smtp:// or smtps://" })
    .optional(),
  MAIL_FROM: z
    .string()
    .max(200)
    .regex(/^[^\r\n]*@[^\r\n]+$/, "must be an address, such as Aqua <no-reply@aqua.example>")
    .optional(),
  OPERATOR_MAIL: z
    .string()
    .transform((value) => value.split(",").map((one) => one.trim()))
    .refine(
      (addresses) => addresses.length <= 10 && addresses.every((one) => /^[^\s@<>"]+@[^\s@<>"]+$/.test(one)),
      "must be one to ten e-mail addresses with commas between them, such as ops@aqua.example",
    )
    .default([]),
  IDENTITY_PROVIDER: z.enum(["manual", "sandbox", "webhook"], "must be manual, sandbox or webhook").default("manual"),
  IDENTITY_WEBHOOK_URL: httpUrl.optional(),
  IDENTITY_WEBHOOK_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  WEBHOOK_URL: httpUrl
    .refine(
      (url) => new URL(url).username === "",
      "must hold no user name and no password: the signature names the sender",
    )
    .optional(),
  WEBHOOK_SECRET: webhookKeys.optional(),
  OPERATOR_TOKEN: z.string().min(32, "must have at least 32 characters").optional(),
  OPERATOR_KEYS: z
    .string()
    .transform((value) => value.split(",").map((address) => address.trim().toLowerCase()))
    .refine(
      (addresses) => addresses.every((address) => /^0x[0-9a-f]{40}$/.test(address)),
      "must be the address of an operator's key, 0x and 40 hex digits, or several with commas between them",
    )
    .optional(),
  OPERATOR_FOUR_EYES: z
    .string()
    .transform((value) => value.split(",").map((scope) => scope.trim()))
    .pipe(z.array(z.enum(operatorScopes.filter((scope) => scope !== "read"))))
    .optional(),
  SECURITY_CONTACT: z
    .string()
    .transform((value) => value.split(",").map((contact) => contact.trim()))
    .refine(
      (contacts) => contacts.every((contact) => contactUrl.safeParse(contact).success && !/[\s<>"]/.test(contact)),
      "must be one or several addresses with commas between them, such as mailto:security@aqua.example",
    )
    .default([]),
  MQTT_URL: mqttUrl.optional(),
  MQTT_CLIENT_ID: z
    .string()
    .regex(/^[\w-]{1,23}$/, "must be 1 to 23 letters, digits, _ and -")
    .default("aqua"),
  MQTT_PORT: portOrOff,
  MQTT_HOST: z.string().optional(),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], "must be a level of pino, such as info")
    .default("info"),
  RATE_LIMIT_API: wholeNumber(600, 1, 1_000_000),
  RATE_LIMIT_RPC: wholeNumber(2_400, 1, 1_000_000),
  RATE_LIMIT_ACCOUNT: wholeNumber(100, 1, 5_000),
  RATE_LIMIT_TELEMETRY: wholeNumber(6_000, 1, 1_000_000),
  TELEMETRY_RETENTION_DAYS: wholeNumber(0, 0, 36_500),
  AUDIT_CORE_PERCENT: wholeNumber(5, 0, 100),
});

/** Names of the settings that are not per chain. */
export const settingNames = Object.keys(settings.shape);

/** Shorter names are too often within two characters of a setting by chance. */
const SHORTEST_MISSPELT = 6;

/** Variables that are no settings, but differ from the name of one in at most two characters. */
export function misspeltSettings(
  environment: Readonly<Record<string, string | undefined>>,
): { variable: string; setting: string }[] {
  return Object.keys(environment).flatMap((variable) => {
    if (variable.length < SHORTEST_MISSPELT || settingNames.includes(variable)) return [];
    const setting = closest(variable, settingNames);
    return distance(variable, setting) <= 2 ? [{ variable, setting }] : [];
  });
}

/** An S3-compatible store: the address of its bucket, and the beginning of every name in it. */
export interface StoreUrl {
  endpoint: string;
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface ChainConfig {
  chainId: number;
  /** Nodes in order of preference. Their URLs may contain access keys: never log or return them. */
  rpcUrls: string[];
  /** WebSocket of a node that publishes its blocks; may contain an access key too. Null: the nodes are polled. */
  headsUrl: string | null;
  /** Overrides the chain's default number of blocks until finality. */
  confirmations: number | null;
}

export interface Config {
  environment: "development" | "production" | "test";
  port: number;
  host: string;
  /** The work of this process. Other processes on the same database do the rest. */
  roles: readonly Role[];
  /** Origin at which people reach this instance, without a trailing slash. */
  publicUrl: string;
  /** Additional host names at which the server answers, besides that of `publicUrl`. Lower case. */
  allowedHosts: string[];
  /** Number of reverse proxies in front of the server whose X-Forwarded-For is trusted. */
  trustedProxies: number;
  dataDir: string;
  databaseUrl: string | null;
  /** Database of the list of deleted accounts. Null: the list is a file in `dataDir`. */
  deletionsUrl: string | null;
  /** False behind a pooler that moves each transaction to another session of the database. */
  preparedStatements: boolean;
  deploymentsDir: string;
  productsDir: string;
  /** Folder of the operator's terms, privacy text, imprint and contact. Null if there are none. */
  legalDir: string | null;
  webDir: string;
  chains: ChainConfig[];
  walletConnectProjectId: string | null;
  /** Service that resolves names of wallets. Null: names come from mainnet if its node is configured. */
  nameService: { url: string; key: string } | null;
  /** Key of the local chain's faucet. Null if there is none. */
  faucetKey: `0x${string}` | null;
  /** Key that writes wallets' records on every chain with contracts. Null: wallets are only linked here. */
  attesterKey: AccountKey | null;
  /**
   * Anchoring of batches of readings. Without a key this instance anchors nothing. `everyMs`: milliseconds between two
   * batches. `most`: maximum readings in a batch.
   */
  anchoring: { key: AccountKey | null; everyMs: number; most: number };
  /** Where batch files are kept besides the database: a folder, or an S3-compatible store. */
  batchArchive: { dir: string | null; store: StoreUrl | null };
  /** Chains whose tables are emptied at this start and read again. */
  reindex: readonly number[];
  /** Everything runs on one machine for testing: mails are readable, and a sandbox decides identity checks. */
  demo: boolean;
  /** Milliseconds for which a switch of the wallet can be stopped before it is recorded on chain. */
  switchDelayMs: number;
  /** Milliseconds from a stop's request, from which on `/ready` answers 503, until the server takes no new connection. */
  shutdownDelayMs: number;
  /** The one account whose subject a seeded chain knows before the account is registered. Null if there is none. */
  demoAccount: { email: string; subject: `0x${string}` } | null;
  /** Keys of 32 bytes each; the first one hashes and seals. Null if the data folder stores them. */
  secrets: readonly Uint8Array[] | null;
  /** `smtpUrl` is null if mails go to the outbox table. */
  mail: { smtpUrl: string | null; from: string };
  /** Addresses that are told of findings of the audit. May be empty. */
  operatorMail: string[];
  identity: { provider: "manual" | "sandbox" } | { provider: "webhook"; url: string; secret: string };
  /** Where events for the operator's system are sent, and the keys that sign them. Null: nothing is sent. */
  webhook: { url: string; keys: readonly Buffer[] } | null;
  /** Contacts for vulnerability reports: mailto:, https: or tel: addresses, the preferred one first. May be empty. */
  securityContacts: string[];
  /** Bearer token of the operator's calls. Null: these calls do not exist. */
  operatorToken: string | null;
  /** Lower-case addresses of the keys that sign what operators change. With none, the token alone allows it. */
  operatorKeys: readonly Hex[];
  /** Scopes of operators whose changes need two of them. */
  fourEyes: readonly OperatorScope[];
  /** Source of devices' messages: a broker of the operator, our own broker, or null for HTTP only. */
  mqtt: { url: string; clientId: string } | { host: string; port: number } | null;
  logLevel: string;
  /**
   * Calls per minute from one address; for JSON-RPC their cost (`costOf`). `account`: log-ins, registrations and codes
   * of one address in 15 minutes.
   */
  rateLimits: { api: number; rpc: number; account: number; telemetry: number };
  /** Days after which whole months of anchored readings are deleted. 0: never. */
  retentionDays: number;
  /** The part of a core's time that the audit may take, from 0 (no audit) to 1. */
  auditShare: number;
}

/** Former names of settings. Ignoring one would silently change the behaviour of an instance. */
const renamed = { ANCHOR_MOST: "ANCHOR_MAX_READINGS" };

/**
 * Reads every setting of the server; docs/operators/settings.md describes each. A secret may be in a file. Empty variables count as unset, so a
 * blank line in a settings file does no harm.
 * @throws ConfigError
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const present = Object.entries(withSecretFiles(environment)).filter(([, value]) => value?.trim());
  const variables = Object.fromEntries(present);
  for (const [former, name] of Object.entries(renamed)) {
    if (former in variables) throw new ConfigError(`${former} was renamed to ${name}`);
  }
  const parsed = settings.safeParse(variables);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigError(`${issue?.path.join(".")} ${issue?.message}`);
  }
  const value = parsed.data;
  const chains = readChains(variables as Record<string, string>);
  const publicUrl = readOrigin(value.PUBLIC_URL ?? `http://localhost:${value.PORT}`);
  requireLocalChain(value, chains);
  if (value.SWITCH_DELAY < DAY && !value.DEMO_MODE) {
    throw new ConfigError("SWITCH_DELAY must be at least 86400, a day; less needs DEMO_MODE=1");
  }
  const { ATTESTER_PRIVATE_KEY: attester, ANCHORER_PRIVATE_KEY: anchorer } = value;
  if (attester !== undefined && anchorer !== undefined && accountOf(attester).address === accountOf(anchorer).address) {
    const why = "two who send from one account collide";
    throw new ConfigError(`ANCHORER_PRIVATE_KEY must be another key than ATTESTER_PRIVATE_KEY: ${why}`);
  }
  if (value.BATCH_DIR !== undefined && value.BATCH_STORE_URL !== undefined) {
    throw new ConfigError("BATCH_DIR and BATCH_STORE_URL must not both be set: batch files are kept in one place");
  }
  const identity = readIdentity(value);
  if (value.ROLES.length < roles.length && value.DATABASE_URL === undefined) {
    throw new ConfigError(
      "ROLES needs DATABASE_URL: no other process can use the embedded database for the other roles",
    );
  }
  if (value.REINDEX_CHAINS.length > 0 && !value.ROLES.includes("indexer")) {
    throw new ConfigError("REINDEX_CHAINS is only for a process whose ROLES include indexer");
  }
  if (value.NODE_ENV === "production" && value.DATABASE_URL === undefined && !value.ALLOW_EMBEDDED_DB) {
    throw new ConfigError("DATABASE_URL must be set in production; the embedded database needs ALLOW_EMBEDDED_DB=1");
  }
  if (value.NODE_ENV === "production" && value.SMTP_URL === undefined) {
    throw new ConfigError("SMTP_URL must be set in production: people register with a code sent by e-mail");
  }
  if (value.NODE_ENV === "production" && value.DATABASE_URL !== undefined && value.SECRET_KEY === undefined) {
    throw new ConfigError("SECRET_KEY must be set beside DATABASE_URL in production: all processes share it");
  }
  return {
    environment: value.NODE_ENV,
    port: value.PORT,
    host: value.HOST,
    roles: value.ROLES,
    publicUrl,
    allowedHosts: value.ALLOWED_HOSTS,
    trustedProxies: value.TRUST_PROXY,
    dataDir: value.DATA_DIR,
    databaseUrl: value.DATABASE_URL ?? null,
    deletionsUrl: readDeletionsUrl(value),
    preparedStatements: value.DATABASE_PREPARED_STATEMENTS,
    deploymentsDir: value.DEPLOYMENTS_DIR,
    productsDir: value.PRODUCTS_DIR,
    legalDir: readLegalDir(value),
    webDir: value.WEB_DIR,
    chains,
    walletConnectProjectId: value.WALLETCONNECT_PROJECT_ID ?? null,
    nameService: readNameService(value),
    faucetKey: value.FAUCET_PRIVATE_KEY ?? null,
    attesterKey: value.ATTESTER_PRIVATE_KEY ?? null,
    anchoring: {
      key: value.ANCHORER_PRIVATE_KEY ?? null,
      everyMs: value.ANCHOR_EVERY * 1_000,
      most: value.ANCHOR_MAX_READINGS,
    },
    batchArchive: { dir: value.BATCH_DIR ?? null, store: value.BATCH_STORE_URL ?? null },
    reindex: value.REINDEX_CHAINS,
    demo: value.DEMO_MODE,
    switchDelayMs: value.SWITCH_DELAY * 1_000,
    shutdownDelayMs: value.SHUTDOWN_DELAY * 1_000,
    demoAccount: value.DEMO_ACCOUNT ?? null,
    secrets: value.SECRET_KEY ?? null,
    mail: {
      smtpUrl: value.SMTP_URL ?? null,
      from: value.MAIL_FROM ?? `Aqua <no-reply@${new URL(publicUrl).hostname}>`,
    },
    operatorMail: value.OPERATOR_MAIL,
    identity,
    webhook: readWebhook(value),
    securityContacts: value.SECURITY_CONTACT,
    operatorToken: value.OPERATOR_TOKEN ?? null,
    operatorKeys: (value.OPERATOR_KEYS ?? []) as Hex[],
    fourEyes: value.OPERATOR_FOUR_EYES ?? [],
    mqtt: readMqtt(value),
    logLevel: value.LOG_LEVEL,
    retentionDays: value.TELEMETRY_RETENTION_DAYS,
    auditShare: value.AUDIT_CORE_PERCENT / 100,
    rateLimits: {
      api: value.RATE_LIMIT_API,
      rpc: value.RATE_LIMIT_RPC,
      account: value.RATE_LIMIT_ACCOUNT,
      telemetry: value.RATE_LIMIT_TELEMETRY,
    },
  };
}

function readChains(environment: Record<string, string>): ChainConfig[] {
  const chains: ChainConfig[] = [];
  for (const name of Object.keys(environment).sort()) {
    if (!name.startsWith("RPC_URL_")) continue;
    const suffix = name.slice("RPC_URL_".length);
    if (!/^[1-9]\d{0,14}$/.test(suffix)) throw new ConfigError(`${name} must end with a chain id, such as RPC_URL_1`);
    const rpcUrls = (environment[name] ?? "").split(",").map((url) => url.trim());
    if (!rpcUrls.every((url) => httpUrl.safeParse(url).success)) {
      throw new ConfigError(`${name} must be one or several http(s) URLs with commas between them`);
    }
    const headsUrl = readHeadsUrl(environment, suffix);
    chains.push({ chainId: Number(suffix), rpcUrls, headsUrl, confirmations: readConfirmations(environment, suffix) });
  }
  return chains;
}

function readHeadsUrl(environment: Record<string, string>, chainId: string): string | null {
  const name = `RPC_WS_URL_${chainId}`;
  const url = environment[name] ?? null;
  if (url !== null && !webSocketUrl.safeParse(url).success) throw new ConfigError(`${name} must be a ws(s) URL`);
  return url;
}

function readConfirmations(environment: Record<string, string>, chainId: string): number | null {
  const name = `CONFIRMATIONS_${chainId}`;
  const text = environment[name];
  if (text === undefined) return null;
  if (!/^\d{1,4}$/.test(text)) throw new ConfigError(`${name} must be a whole number from 0 to 9999`);
  return Number(text);
}

function readOrigin(text: string): string {
  const url = new URL(text);
  if (url.pathname !== "/" || url.search || url.hash || url.username) {
    throw new ConfigError("PUBLIC_URL must be an origin without a path, such as https://aqua.example");
  }
  return url.origin;
}

/** A list in the database that is restored would be restored with it. */
function readDeletionsUrl({ DELETIONS_URL: url, DATABASE_URL: main }: z.infer<typeof settings>): string | null {
  if (url === undefined) return null;
  const placeOf = (text: string) => {
    const { host, pathname, searchParams } = new URL(text);
    return [host, pathname, searchParams.get("host")].join();
  };
  if (main !== undefined && placeOf(url) === placeOf(main)) {
    throw new ConfigError("DELETIONS_URL must be another database than DATABASE_URL: it must outlast a restore");
  }
  return url;
}

function readNameService({ NAME_SERVICE_URL: url, NAME_SERVICE_KEY: key }: z.infer<typeof settings>) {
  if (url === undefined && key === undefined) return null;
  if (url === undefined || key === undefined) {
    throw new ConfigError("NAME_SERVICE_URL and NAME_SERVICE_KEY must be set together");
  }
  return { url: url.replace(/\/+$/, ""), key };
}

function readWebhook({ WEBHOOK_URL: url, WEBHOOK_SECRET: keys }: z.infer<typeof settings>): Config["webhook"] {
  if (url === undefined && keys === undefined) return null;
  if (url === undefined || keys === undefined)
    throw new ConfigError("WEBHOOK_URL and WEBHOOK_SECRET must be set together");
  return { url, keys };
}

function readMqtt(value: z.infer<typeof settings>): Config["mqtt"] {
  if (value.MQTT_URL !== undefined) return { url: value.MQTT_URL, clientId: value.MQTT_CLIENT_ID };
  return value.MQTT_PORT === null ? null : { host: value.MQTT_HOST ?? value.HOST, port: value.MQTT_PORT };
}

/** The demo's own texts say that its money is worthless, so only a demo shows them. */
function readLegalDir({ LEGAL_DIR: folder, DEMO_MODE: demo }: z.infer<typeof settings>): string | null {
  if (folder !== undefined) return resolve(folder);
  return demo ? folders.demoLegal : null;
}

/** Rejects settings that only make sense where nothing has a value, if the local chain is missing. */
function requireLocalChain(value: z.infer<typeof settings>, chains: ChainConfig[]): void {
  if (chains.some(({ chainId }) => chainId === localChain.id)) return;
  const only = `is only for the local chain: set RPC_URL_${localChain.id} too, or take it away`;
  if (value.FAUCET_PRIVATE_KEY !== undefined) throw new ConfigError(`FAUCET_PRIVATE_KEY ${only}`);
  if (value.DEMO_MODE) throw new ConfigError(`DEMO_MODE ${only}`);
  if (value.DEMO_ACCOUNT !== undefined) throw new ConfigError(`DEMO_ACCOUNT ${only}`);
}

function readIdentity(value: z.infer<typeof settings>): Config["identity"] {
  const { IDENTITY_PROVIDER: provider, IDENTITY_WEBHOOK_URL: url, IDENTITY_WEBHOOK_SECRET: secret } = value;
  if (provider === "sandbox" && !value.DEMO_MODE) {
    throw new ConfigError("IDENTITY_PROVIDER sandbox verifies anyone: it needs DEMO_MODE=1");
  }
  if (provider !== "webhook") return { provider };
  if (url === undefined) throw new ConfigError("IDENTITY_WEBHOOK_URL must be set for IDENTITY_PROVIDER webhook");
  if (secret === undefined) throw new ConfigError("IDENTITY_WEBHOOK_SECRET must be set for IDENTITY_PROVIDER webhook");
  return { provider, url, secret };
}
