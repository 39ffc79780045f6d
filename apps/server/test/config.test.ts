import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ConfigError, misspeltSettings, readConfig, settingNames } from "../src/config.ts";

const key = `0x${"11".repeat(32)}`;
const whsec = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;

it("readConfig has a default for everything that a first start needs", () => {
  expect(readConfig({})).toMatchObject({
    environment: "development",
    port: 8080,
    host: "127.0.0.1",
    publicUrl: "http://localhost:8080",
    databaseUrl: null,
    chains: [],
    faucetKey: null,
    attesterKey: null,
    demo: false,
    secrets: null,
    mail: { smtpUrl: null, from: "Aqua <no-reply@localhost>" },
    identity: { provider: "manual" },
    operatorToken: null,
    mqtt: { host: "127.0.0.1", port: 1883 },
    dataDir: expect.stringMatching(/[/\\]\.aqua$/),
    webDir: expect.stringMatching(/apps\/web\/dist\/production$/),
  });
});

it("readConfig accepts an operator's broker instead of its own, or HTTP only", () => {
  expect(readConfig({ MQTT_URL: "mqtts://broker.example", MQTT_PORT: "1884" }).mqtt).toEqual({
    url: "mqtts://broker.example",
    clientId: "aqua",
  });
  expect(readConfig({ MQTT_PORT: "0", MQTT_HOST: "0.0.0.0" }).mqtt).toEqual({ host: "0.0.0.0", port: 0 });
  expect(readConfig({ MQTT_PORT: "off" }).mqtt).toBeNull();
});

it("readConfig reads host names in any letter case", () => {
  expect(readConfig({ ALLOWED_HOSTS: "Aqua.internal, aqua-2" }).allowedHosts).toEqual(["aqua.internal", "aqua-2"]);
  expect(readConfig({}).allowedHosts).toEqual([]);
});

it("readConfig has all roles by default, and reads the ones that are named", () => {
  expect(readConfig({}).roles).toEqual(["web", "indexer", "jobs", "mqtt"]);
  expect(readConfig({ DATABASE_URL: "postgresql://x/y", ROLES: "mqtt, jobs" }).roles).toEqual(["jobs", "mqtt"]);
});

it("readConfig treats an empty variable as unset", () => {
  expect(readConfig({ PORT: "", DATABASE_URL: " ", RPC_URL_1: "" })).toMatchObject({
    port: 8080,
    databaseUrl: null,
    chains: [],
  });
});

it("readConfig reads several nodes per chain and the chain's confirmations", () => {
  const { chains } = readConfig({
    RPC_URL_1: "https://a.example, http://b.example:1",
    RPC_URL_31337: "http://127.0.0.1:8545",
    CONFIRMATIONS_1: "12",
    RPC_WS_URL_1: "wss://c.example/key",
  });
  expect(chains).toEqual([
    {
      chainId: 1,
      rpcUrls: ["https://a.example", "http://b.example:1"],
      headsUrl: "wss://c.example/key",
      confirmations: 12,
    },
    { chainId: 31337, rpcUrls: ["http://127.0.0.1:8545"], headsUrl: null, confirmations: null },
  ]);
});

it("readConfig reads the secrets that sign webhooks, of 24 to 64 bytes each", () => {
  const of = (secret: string) =>
    readConfig({ WEBHOOK_URL: "https://events.example/in", WEBHOOK_SECRET: secret }).webhook;
  expect(of(` ${whsec(24)}, ${whsec(64)}`)).toEqual({
    url: "https://events.example/in",
    keys: [Buffer.alloc(24, 7), Buffer.alloc(64, 7)],
  });
  expect(readConfig({}).webhook).toBeNull();
  for (const secret of [whsec(23), whsec(65), `${whsec(32)},`, "hush-hush", whsec(32).slice(6)])
    expect(() => of(secret)).toThrow(/^WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes in Base64(?!.*hush)/);
});

it("readConfig refuses a list of deleted accounts in the database that it must outlast", () => {
  const main = { DATABASE_URL: "postgresql://aqua:x@db.example/aqua" };
  const same = { ...main, DELETIONS_URL: "postgresql://other:y@db.example/aqua?sslmode=require" };
  expect(() => readConfig(same)).toThrow("DELETIONS_URL must be another database than DATABASE_URL");
  expect(readConfig(main).deletionsUrl).toBeNull();
  const { deletionsUrl } = readConfig({ ...main, DELETIONS_URL: "postgresql://other:y@db.example/deletions" });
  expect(deletionsUrl).toBe("postgresql://other:y@db.example/deletions");
});

it.each([
  [{ PORT: "http" }, "PORT must be a whole number from 0 to 65535"],
  [{ PORT: "65536" }, "PORT must be a whole number from 0 to 65535"],
  [
    { ALLOWED_HOSTS: "https://aqua.example" },
    "ALLOWED_HOSTS must be host names with commas between them, without ports",
  ],
  [{ PUBLIC_URL: "aqua.example" }, "PUBLIC_URL must be a URL that starts with http:// or https://"],
  [
    { PUBLIC_URL: "https://aqua.example/app" },
    "PUBLIC_URL must be an origin without a path, such as https://aqua.example",
  ],
  [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL must be a URL that starts with postgresql://"],
  [{ RPC_URL_1: "ftp://x" }, "RPC_URL_1 must be one or several http(s) URLs with commas between them"],
  [{ RPC_URL_main: "http://x" }, "RPC_URL_main must end with a chain id, such as RPC_URL_1"],
  [{ RPC_URL_1: "http://x", RPC_WS_URL_1: "https://x" }, "RPC_WS_URL_1 must be a ws(s) URL"],
  [{ RPC_URL_1: "http://x", CONFIRMATIONS_1: "-1" }, "CONFIRMATIONS_1 must be a whole number from 0 to 9999"],
  [{ ROLES: "web, workers" }, "ROLES must be some of web, indexer, jobs, mqtt with commas between them, not workers"],
  [{ ROLES: "web" }, "ROLES needs DATABASE_URL: no other process can use the embedded database for the other roles"],
  [
    { ROLES: "web,jobs", DATABASE_URL: "postgresql://x/y", REINDEX_CHAINS: "1" },
    "REINDEX_CHAINS is only for a process whose ROLES include indexer",
  ],
  [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be a level of pino, such as info"],
  [{ NODE_ENV: "prod" }, "NODE_ENV must be development, production or test"],
  [{ WALLETCONNECT_PROJECT_ID: "x" }, "WALLETCONNECT_PROJECT_ID must be 32 hex digits"],
  [{ FAUCET_PRIVATE_KEY: "0x1" }, "FAUCET_PRIVATE_KEY must be 0x and 64 hex digits"],
  [
    { FAUCET_PRIVATE_KEY: key, RPC_URL_1: "http://x" },
    "FAUCET_PRIVATE_KEY is only for the local chain: set RPC_URL_31337 too, or take it away",
  ],
  [
    { DEMO_ACCOUNT: `demo@aqua.example=0x${"1".repeat(32)}` },
    "DEMO_ACCOUNT is only for the local chain: set RPC_URL_31337 too, or take it away",
  ],
  [{ DEMO_MODE: "1" }, "DEMO_MODE is only for the local chain: set RPC_URL_31337 too, or take it away"],
  [
    { ATTESTER_PRIVATE_KEY: "https://signer.example/#0x12" },
    "ATTESTER_PRIVATE_KEY must be 0x and 64 hex digits, or the URL of a remote signer with # and the account's address",
  ],
  [
    {
      ATTESTER_PRIVATE_KEY: `0x${"ab".repeat(32)}`,
      ANCHORER_PRIVATE_KEY: "https://signer.example/#0xe239cdc5fbe977a8a141b72194d3cf8c41bc5bc6",
    },
    "ANCHORER_PRIVATE_KEY must be another key than ATTESTER_PRIVATE_KEY: two who send from one account collide",
  ],
  [
    { ATTESTER_PRIVATE_KEY: `0x${"ab".repeat(32)}`, ANCHORER_PRIVATE_KEY: `0x${"AB".repeat(32)}` },
    "ANCHORER_PRIVATE_KEY must be another key than ATTESTER_PRIVATE_KEY: two who send from one account collide",
  ],
  [{ SECRET_KEY: "ab" }, "SECRET_KEY must be 64 hex digits"],
  [{ SECRET_KEY: `${"ab".repeat(32)},ab` }, "SECRET_KEY must be 64 hex digits"],
  [{ SECRET_KEY: `${"ab".repeat(32)}, ${"AB".repeat(32)}` }, "SECRET_KEY must not name a key twice"],
  [{ SMTP_URL: "http://x" }, "SMTP_URL must be a URL that starts with smtp:// or smtps://"],
  [{ MAIL_FROM: "Aqua" }, "MAIL_FROM must be an address, such as Aqua <no-reply@aqua.example>"],
  [{ MQTT_PORT: "none" }, "MQTT_PORT must be off or a whole number from 0 to 65535"],
  [{ MQTT_URL: "http://broker" }, "MQTT_URL must be a URL that starts with mqtt://, mqtts://, ws:// or wss://"],
  [{ MQTT_CLIENT_ID: "aqua bridge" }, "MQTT_CLIENT_ID must be 1 to 23 letters, digits, _ and -"],
  [{ OPERATOR_TOKEN: "short" }, "OPERATOR_TOKEN must have at least 32 characters"],
  [{ WEBHOOK_URL: "https://x" }, "WEBHOOK_URL and WEBHOOK_SECRET must be set together"],
  [{ WEBHOOK_SECRET: whsec(32) }, "WEBHOOK_URL and WEBHOOK_SECRET must be set together"],
  [
    { WEBHOOK_URL: "https://me:pass@x", WEBHOOK_SECRET: whsec(32) },
    "WEBHOOK_URL must hold no user name and no password: the signature names the sender",
  ],
  [{ IDENTITY_PROVIDER: "me" }, "IDENTITY_PROVIDER must be manual, sandbox or webhook"],
  [{ IDENTITY_PROVIDER: "sandbox" }, "IDENTITY_PROVIDER sandbox verifies anyone: it needs DEMO_MODE=1"],
  [
    { IDENTITY_PROVIDER: "webhook", IDENTITY_WEBHOOK_URL: "https://x" },
    "IDENTITY_WEBHOOK_SECRET must be set for IDENTITY_PROVIDER webhook",
  ],
  [
    { NODE_ENV: "production", ALLOW_EMBEDDED_DB: "1" },
    "SMTP_URL must be set in production: people register with a code sent by e-mail",
  ],
  [
    { NODE_ENV: "production", DATABASE_URL: "postgresql://x/y", SMTP_URL: "smtp://x" },
    "SECRET_KEY must be set beside DATABASE_URL in production: all processes share it",
  ],
  [
    { NODE_ENV: "production" },
    "DATABASE_URL must be set in production; the embedded database needs ALLOW_EMBEDDED_DB=1",
  ],
])("readConfig rejects %o in one line that names the variable", (environment, message) => {
  expect(() => readConfig(environment)).toThrow(new ConfigError(message));
});

it("readConfig never repeats a secret in its error", () => {
  for (const name of ["FAUCET_PRIVATE_KEY", "DATABASE_URL", "RPC_URL_1", "SECRET_KEY", "SMTP_URL", "OPERATOR_TOKEN"]) {
    expect(() => readConfig({ [name]: "hush-hush" })).toThrow(/^(?!.*hush)/);
  }
});

it("readConfig accepts PostgreSQL in production, over TCP or a socket, and the embedded database if it is allowed", () => {
  const production = { NODE_ENV: "production", SMTP_URL: "smtp://mail.example", SECRET_KEY: "ab".repeat(32) };
  for (const url of [
    "postgresql://aqua:x@db.example/aqua",
    "postgres://localhost/aqua",
    "postgresql:///aqua?host=/run/postgresql",
  ]) {
    expect(readConfig({ ...production, DATABASE_URL: url }).databaseUrl).toBe(url);
  }
  expect(readConfig({ ...production, ALLOW_EMBEDDED_DB: "1" }).databaseUrl).toBeNull();
});

it("readConfig reads each secret from the file that its variable with _FILE names", () => {
  const folder = mkdtempSync(join(tmpdir(), "aqua-secrets-"));
  const fileOf = (content: string) => {
    const file = join(folder, `${Math.random()}`);
    writeFileSync(file, content);
    return file;
  };
  try {
    const config = readConfig({
      DATABASE_URL_FILE: fileOf("postgresql://aqua:x@db.example/aqua\n"),
      SECRET_KEY_FILE: fileOf(`  ${"ab".repeat(32)}\n`),
      OPERATOR_TOKEN_FILE: fileOf("t".repeat(32)),
      RPC_URL_1_FILE: fileOf("https://node.example/key"),
      SMTP_URL_FILE: "",
    });
    expect(config).toMatchObject({
      databaseUrl: "postgresql://aqua:x@db.example/aqua",
      secrets: [Buffer.from("ab".repeat(32), "hex")],
      operatorToken: "t".repeat(32),
      chains: [{ chainId: 1, rpcUrls: ["https://node.example/key"] }],
      mail: { smtpUrl: null },
    });
    const empty = fileOf("\n");
    expect(() => readConfig({ SMTP_URL_FILE: empty })).toThrow(`SMTP_URL_FILE names an empty file: ${empty}`);
    expect(() => readConfig({ SMTP_URL_FILE: join(folder, "none") })).toThrow(
      /^SMTP_URL_FILE names a file that cannot be read: ENOENT/,
    );
    expect(() => readConfig({ SMTP_URL_FILE: empty, SMTP_URL: "smtp://x" })).toThrow(
      "SMTP_URL and SMTP_URL_FILE must not both be set",
    );
    expect(() => readConfig({ SECRET_KEY_FILE: fileOf("hush-hush") })).toThrow(/^SECRET_KEY must (?!.*hush)/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("misspeltSettings names variables that are almost a setting, and no other", () => {
  const environment = {
    DATABSE_URL: "x",
    SMPT_URL: "x",
    ANCHOR_EVRY: "x",
    PORT: "8080",
    HOSTNAME: "x",
    LOGNAME: "x",
    PATH: "x",
    SECRET_KEY: "x",
    DATABASE_HOST: "x",
  };
  expect(misspeltSettings(environment)).toEqual([
    { variable: "DATABSE_URL", setting: "DATABASE_URL" },
    { variable: "SMPT_URL", setting: "SMTP_URL" },
    { variable: "ANCHOR_EVRY", setting: "ANCHOR_EVERY" },
  ]);
});

it("docs/operators/settings.md documents every setting", () => {
  const text = readFileSync(new URL("../../../docs/operators/settings.md", import.meta.url), "utf8");
  for (const name of [...settingNames, "RPC_URL_<chainId>", "RPC_WS_URL_<chainId>", "CONFIRMATIONS_<chainId>"])
    expect(text).toContain(`\`${name}\``);
});

it("readConfig rejects the former name of a setting and names the new one", () => {
  expect(() => readConfig({ ANCHOR_MOST: "100" })).toThrow(
    new ConfigError("ANCHOR_MOST was renamed to ANCHOR_MAX_READINGS"),
  );
});
