import { expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { createLog } from "../src/log.ts";
import { withRequestId } from "../src/requestId.ts";

it("the log contains no key, password or access token of the settings, at any position in a line", () => {
  const faucet = `0x${"ab".repeat(32)}`;
  const attester = `0x${"cd".repeat(32)}`;
  const anchorer = `0x${"12".repeat(32)}`;
  const config = readConfig({
    DATABASE_URL: "postgresql://aqua:s3cret%2Fword@db.example/aqua",
    RPC_URL_1: "https://node.example/v3/0123456789abcdef0123456789abcdef,https://other.example/?apikey=TOKEN-123",
    RPC_WS_URL_1: "wss://node.example/ws/socket-key-of-the-node",
    RPC_URL_31337: "http://127.0.0.1:8545",
    FAUCET_PRIVATE_KEY: faucet,
    ATTESTER_PRIVATE_KEY: attester,
    ANCHORER_PRIVATE_KEY: anchorer,
    MQTT_URL: "mqtts://aqua:broker-password@mqtt.example",
    NAME_SERVICE_URL: "https://names.example",
    NAME_SERVICE_KEY: "name-service-key",
    SECRET_KEY: `${"ef".repeat(32)},${"1C".repeat(32)}`,
    SMTP_URL: "smtp://aqua:mailbox-password@mail.example",
    OPERATOR_TOKEN: "operator-token-of-forty-characters-or-so",
    IDENTITY_PROVIDER: "webhook",
    IDENTITY_WEBHOOK_URL: "https://identity.example/aqua",
    IDENTITY_WEBHOOK_SECRET: "webhook-secret-of-forty-characters-or-so",
    WEBHOOK_URL: "https://events.example/in/token-of-the-path?key=token-of-the-query",
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString("base64")},whsec_${Buffer.alloc(24, 2).toString("base64")}`,
  });
  const lines: string[] = [];
  const log = createLog(config, (line) => lines.push(line));
  const words = [
    "s3cret%2Fword",
    "s3cret/word",
    "0123456789ABCDEF0123456789abcdef",
    "token-123",
    "socket-key-of-the-node",
    faucet,
    attester.slice(2),
    anchorer.slice(2),
    "broker-password",
    "name-service-key",
    "ef".repeat(32),
    "1C".repeat(32),
    "mailbox-password",
    "operator-token-of-forty-characters-or-so",
    "webhook-secret-of-forty-characters-or-so",
    "token-of-the-path",
    "token-of-the-query",
    Buffer.alloc(32, 1).toString("base64"),
    Buffer.alloc(24, 2).toString("base64"),
  ];
  for (const word of words) {
    log.error({ err: new Error(`URL: https://x/${word}`, { cause: new Error(word) }), [word]: word }, `failed ${word}`);
  }
  expect(lines).toHaveLength(words.length);
  for (const word of words) expect(lines.join("").toLowerCase()).not.toContain(word.toLowerCase());
});

it("the log removes a password with a % that begins no percent code", () => {
  const config = readConfig({
    RPC_URL_1: "https://aqua:100%off-word@node.example,https://node.example/?apikey=%25off-token",
    DATABASE_URL: "postgresql://aqua:s3cret%2Fw%25rd@db.example/aqua",
  });
  const lines: string[] = [];
  const log = createLog(config, (line) => lines.push(line));
  for (const word of ["100%off-word", "%off-token", "%25off-token", "s3cret%2Fw%25rd", "s3cret/w%rd"]) {
    log.error({ err: new Error(`URL: https://x/${word}`) }, `failed ${word}`);
    expect(lines.pop()).not.toContain(word);
  }
});

it("the log shortens errors, with their causes and without the parameters of queries", () => {
  const lines: string[] = [];
  const log = createLog(readConfig({}), (line) => lines.push(line));
  log.error({ err: new Error("Failed query: select 1\nparams: 0xwallet") }, "query");
  expect(lines.pop()).not.toContain("0xwallet");
  log.warn({ err: new Error("x".repeat(10_000), { cause: new Error("the reason") }) }, "long");
  const { err } = JSON.parse(lines[0] ?? "");
  expect(err.message).toHaveLength(500);
  expect(err.cause.message).toBe("the reason");
  expect(err.stack).toMatch(/^\s+at /);
});

it("the log writes foreign texts as JSON on one line, with control characters and direction marks escaped", () => {
  const lines: string[] = [];
  const log = createLog(readConfig({}), (line) => lines.push(line));
  const message = 'x"}\n{"level":60,"msg":"forged"}\u001b[2J\u007f\u009b31m\u202e\u2028\u{e0041} é 🌊';
  log.warn({ client: { message } }, "the web app reported an error in a browser");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}]+\n$/u);
  expect(lines[0]).toContain("é 🌊");
  expect(JSON.parse(lines[0] ?? "").client.message).toBe(message);
});

it("a line about the work of a request has the request's id, once", () => {
  const lines: string[] = [];
  const log = createLog(readConfig({}), (line) => lines.push(line));
  log.info("before");
  withRequestId("r1", () => {
    log.info({ n: 1 }, "within");
    log.child({ request_id: "r1" }).info("by the request's logger");
  });
  expect(lines.map((line) => line.match(/request_id":"r1"/g)?.length ?? 0)).toEqual([0, 1, 1]);
});
