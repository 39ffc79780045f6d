import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { SignedReading, TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { Aedes } from "aedes";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Uplink } from "../src/fleet/live.ts";
import { mqttUplink } from "../src/fleet/uplinks.ts";

const readingOf = (device: string, seq: number): SignedReading => ({
  device,
  seq,
  time: seq,
  metric: "energy",
  value: String(seq),
  exponent: 0,
  prev: `0x${"0".repeat(64)}`,
  signature: `0x${"1".repeat(128)}`,
});
const taken = (answer: Partial<TelemetryAnswer> = {}): TelemetryAnswer => ({
  accepted: 0,
  duplicates: 0,
  rejected: [],
  server_time: 5,
  ...answer,
});

/** A message from a connection, and its possible answer, as in docs/operators/telemetry.md. */
interface Message {
  device: string;
  topic: string;
  readings: SignedReading[];
  answer(answer: TelemetryAnswer): void;
}

let broker: Aedes;
let server: Server;
let uplink: Uplink;
let messages: Message[];
/** The CONNECT packets of the connections. */
let lines: { id: string; name: string | undefined; password: string }[];
let answering: (message: Message) => void;

function connected(answerWithinMs?: number): Uplink {
  const { port } = server.address() as AddressInfo;
  return mqttUplink(`mqtt://127.0.0.1:${port}`, { one: "secret of one", two: "secret of two" }, answerWithinMs);
}

beforeEach(async () => {
  [messages, lines] = [[], []];
  answering = () => {};
  const sockets = new Set<Socket>();
  broker = await Aedes.createBroker({
    authenticate: (client, name, password, done) => {
      lines.push({ id: client.id, name, password: password?.toString() ?? "" });
      done(null, true);
    },
  });
  broker.on("publish", ({ topic, payload, properties }, client) => {
    if (client === null) return;
    const { responseTopic = "", correlationData } = properties ?? {};
    const { readings } = JSON.parse(payload.toString()) as { readings: SignedReading[] };
    const answer = (content: TelemetryAnswer) =>
      broker.publish(
        {
          cmd: "publish",
          topic: responseTopic,
          payload: Buffer.from(JSON.stringify(content)),
          qos: 1,
          dup: false,
          retain: false,
          properties: correlationData ? { correlationData } : {},
        },
        () => {},
      );
    const message = { device: client.id, topic, readings, answer };
    messages.push(message);
    answering(message);
  });
  server = createServer((socket) => {
    sockets.add(socket);
    broker.handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  uplink = connected();
});
afterEach(async () => {
  await uplink.close();
  await new Promise<void>((resolve) => broker.close(resolve));
  await new Promise((resolve) => server.close(resolve));
});

it("each device sends its readings over its own connection, with its name and password", async () => {
  answering = ({ readings, answer }) => answer(taken({ accepted: readings.length }));
  await uplink.send([readingOf("one", 1), readingOf("two", 1), readingOf("one", 2)]);
  await uplink.send([readingOf("one", 3)]);
  expect(lines.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    { id: "one", name: "one", password: "secret of one" },
    { id: "two", name: "two", password: "secret of two" },
  ]);
  const told = messages.map(({ topic, readings }) => [topic, readings.map(({ seq }) => seq)]);
  expect(told.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
    ["aqua/readings/one", [1, 2]],
    ["aqua/readings/one", [3]],
    ["aqua/readings/two", [1]],
  ]);
});

it("the answers for all devices are combined into one, each refusal with its index among all readings", async () => {
  answering = ({ device, answer }) => {
    const refused = { index: 1, reason: "gap" as const, message: "earlier ones are missing", head: null };
    answer(device === "one" ? taken({ accepted: 1, rejected: [refused] }) : taken({ duplicates: 1, server_time: 9 }));
  };
  const answer = await uplink.send([readingOf("one", 1), readingOf("two", 1), readingOf("one", 5)]);
  expect(answer).toEqual({
    accepted: 1,
    duplicates: 1,
    server_time: 9,
    rejected: [{ index: 2, reason: "gap", message: "earlier ones are missing", head: null }],
  });
});

it("an answer is matched to its message, even if a later message is answered first", async () => {
  const first = uplink.send([readingOf("one", 1)]);
  const second = uplink.send([readingOf("one", 2)]);
  await expect.poll(() => messages.length, { interval: 10 }).toBe(2);
  messages[1]?.answer(taken({ accepted: 2 }));
  messages[0]?.answer(taken({ accepted: 1 }));
  expect([(await first).accepted, (await second).accepted]).toEqual([1, 2]);
});

it("the result is unknown without an answer, and the error says so", async () => {
  await uplink.close();
  uplink = connected(500);
  await expect(uplink.send([readingOf("one", 1)])).rejects.toThrow("one: no answer over MQTT");
});
