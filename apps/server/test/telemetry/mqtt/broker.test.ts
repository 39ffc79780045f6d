import { once } from "node:events";
import { connect as dial, type Socket } from "node:net";
import type { ErrorWithReasonCode, MqttClient } from "mqtt";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Broker, type BrokerParts, startBroker } from "../../../src/telemetry/mqtt/broker.ts";
import { answersTopic, MAX_BYTES, readingsTopic } from "../../../src/telemetry/mqtt/messages.ts";
import { connectDevice, heldIngest, silent, taken } from "./support.ts";

const NOT_AUTHORIZED = 0x87;
/** Maximum bytes of messages in the broker. */
const MAX_HELD = 100_000;

/** `npm run test:long` attacks with as many connections as a broker admits. Otherwise the broker is small. */
const soak = process.env.AQUA_SOAK === "1";
const SILENT = soak ? 5_000 : 200;
const small = { devices: 100, unauthenticated: { perNetwork: 20, total: 40 } };
/** Resolves when the connection is established or has been cut. */
const connected = (socket: Socket) =>
  socket.connecting ? Promise.race([once(socket, "connect"), once(socket, "close")]) : null;

/** CONNECT of MQTT 3.1.1, section 3.1. */
function connectPacket(device: string, password: string): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);
  const head = Buffer.concat([text("MQTT"), Buffer.from([4, 0b1100_0010, 0, 60])]);
  const body = Buffer.concat([head, text(device), text(device), text(password)]);
  return Buffer.concat([Buffer.from([0x10, body.length]), body]);
}

describe("the embedded MQTT broker", () => {
  let ingest: ReturnType<typeof heldIngest>;
  let parts: BrokerParts;
  let broker: Broker;
  let clients: MqttClient[];

  const connect = async (...args: Parameters<typeof connectDevice>) => {
    const client = await connectDevice(...args);
    // Without a listener an error of the connection would end the test's process.
    client.on("error", () => {});
    clients.push(client);
    return client;
  };
  /** A raw connection that detects when it is cut. */
  const dialed = () =>
    dial(broker.port, "127.0.0.1")
      .on("error", () => {})
      .resume();
  const send = (client: MqttClient, device: string, payload: string) =>
    client.publishAsync(readingsTopic(device), payload, { qos: 1 });

  beforeEach(async () => {
    clients = [];
    ingest = heldIngest();
    const checkSecret = async (device: string, secret: string) => secret === `secret of ${device}`;
    parts = { ingest, checkSecret, log: silent, host: "127.0.0.1", port: 0, mostHeld: MAX_HELD };
    broker = await startBroker(parts);
  });
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.endAsync(true)));
    await broker.stop();
  });

  it("acknowledges a message after its readings are stored, and not earlier", async () => {
    const client = await connect(broker.port, "meter-1");
    let acknowledged = false;
    const sending = send(client, "meter-1", '{"seq":1}').then(() => {
      acknowledged = true;
    });
    const call = await ingest.next();
    expect(call).toMatchObject({ device: "meter-1", readings: [{ seq: 1 }] });
    // After this round trip on the same connection, an acknowledgement would have arrived.
    await client.subscribeAsync(answersTopic("meter-1"));
    expect(acknowledged).toBe(false);
    call.answer(taken(1));
    await sending;
  });

  it("accepts messages in order while others are being stored", async () => {
    const client = await connect(broker.port, "meter-1");
    const sendings = [1, 2, 3].map((seq) => send(client, "meter-1", JSON.stringify({ seq })));
    const calls = [await ingest.next(), await ingest.next(), await ingest.next()];
    expect(calls.map(({ readings }) => readings)).toEqual([[{ seq: 1 }], [{ seq: 2 }], [{ seq: 3 }]]);
    for (const call of calls) call.answer(taken(1));
    await Promise.all(sendings);
  });

  it("reports why a message is rejected in its acknowledgement and on the device's answers topic", async () => {
    const client = await connect(broker.port, "meter-1");
    const heard = new Promise<string>((resolve) => client.on("message", (_topic, payload) => resolve(String(payload))));
    await client.subscribeAsync(answersTopic("meter-1"));
    const sending = send(client, "meter-1", '{"seq":9}');
    const rejected = { index: 0, reason: "gap" as const, message: "reading 3 is next" };
    (await ingest.next()).answer(taken(0, [rejected]));
    await expect(sending).rejects.toMatchObject({ code: NOT_AUTHORIZED });
    expect(JSON.parse(await heard)).toMatchObject({ accepted: 0, rejected: [rejected] });
  });

  it("answers a device that requests an answer, with its correlation data", async () => {
    const client = await connect(broker.port, "meter-1");
    const heard = new Promise<Buffer | undefined>((resolve) =>
      client.on("message", (_topic, _payload, packet) => resolve(packet.properties?.correlationData)),
    );
    await client.subscribeAsync(answersTopic("meter-1"));
    const properties = { responseTopic: answersTopic("meter-1"), correlationData: Buffer.from("mark 7") };
    const sending = client.publishAsync(readingsTopic("meter-1"), '{"seq":1}', { qos: 1, properties });
    (await ingest.next()).answer(taken(1));
    await sending;
    expect(String(await heard)).toBe("mark 7");
  });

  it("accepts MQTT 3.1.1 too, and reports a rejection to it only in the answer", async () => {
    const client = await connect(broker.port, "meter-1", { protocolVersion: 4 });
    const heard = new Promise<string>((resolve) => client.on("message", (_topic, payload) => resolve(String(payload))));
    await client.subscribeAsync(answersTopic("meter-1"));
    const sending = send(client, "meter-1", "no JSON");
    const call = await ingest.next();
    expect(call.readings).toEqual(["no JSON"]);
    call.answer(taken(0, [{ index: 0, reason: "malformed", message: "not JSON" }]));
    await sending;
    expect(JSON.parse(await heard).rejected).toHaveLength(1);
  });

  it("disconnects a sender while it is full, and accepts the message when there is room", async () => {
    const first = await connect(broker.port, "meter-1");
    const second = await connect(broker.port, "meter-2");
    const closed = new Promise((resolve) => second.on("close", () => resolve(null)));
    const sending = send(first, "meter-1", JSON.stringify({ filler: "x".repeat(MAX_HELD - 500) }));
    const call = await ingest.next();
    send(second, "meter-2", JSON.stringify({ filler: "x".repeat(500) })).catch(() => {});
    await closed;
    expect(ingest.calls).toHaveLength(0);
    call.answer(taken(1));
    await sending;
    const again = send(await connect(broker.port, "meter-2"), "meter-2", '{"seq":1}');
    (await ingest.next()).answer(taken(1));
    await again;
  });

  it("rejects QoS 2, whose messages it would have to store itself", async () => {
    const client = await connect(broker.port, "meter-1");
    const sending = client.publishAsync(readingsTopic("meter-1"), '{"seq":1}', { qos: 2 });
    await expect(sending).rejects.toThrow(/QoS 1|authorized|135/i);
    const old = await connect(broker.port, "meter-2", { protocolVersion: 4 });
    const closed = new Promise((resolve) => old.on("close", () => resolve(null)));
    old.publishAsync(readingsTopic("meter-2"), '{"seq":1}', { qos: 2 }).catch(() => {});
    await closed;
    expect(ingest.calls).toHaveLength(0);
  });

  it("acknowledges nothing and disconnects the device if storing fails, and the device sends again", async () => {
    const client = await connect(broker.port, "meter-1");
    const closed = new Promise((resolve) => client.on("close", () => resolve(null)));
    const sending = send(client, "meter-1", '{"seq":1}').then(
      () => "acknowledged",
      () => "not",
    );
    (await ingest.next()).fail(new Error("the database is away"));
    await closed;
    await client.endAsync(true);
    expect(await Promise.race([sending, Promise.resolve("not")])).toBe("not");
  });

  it.each([
    ["a wrong password", "meter-1", { password: "guess" }],
    ["no password", "meter-1", { username: "meter-1", password: undefined }],
    ["another client id than the device's name", "meter-1", { clientId: "meter-2" }],
  ])("rejects a connection with %s", async (_what, device, options) => {
    await expect(connectDevice(broker.port, device, options as object)).rejects.toThrow(/Bad|denied|authorized/i);
    expect(broker.connections()).toBe(0);
  });

  it("accepts messages of a device only on its own topic", async () => {
    const client = await connect(broker.port, "meter-1");
    for (const topic of [readingsTopic("meter-2"), answersTopic("meter-1"), "anything", "$SYS/x"]) {
      await expect(client.publishAsync(topic, '{"seq":1}', { qos: 1 })).rejects.toMatchObject({ code: NOT_AUTHORIZED });
    }
    expect(ingest.calls).toHaveLength(0);
  });

  it("lets a device receive only its own answers", async () => {
    const client = await connect(broker.port, "meter-1");
    for (const topic of [
      "#",
      "aqua/#",
      "aqua/readings/+",
      readingsTopic("meter-2"),
      answersTopic("meter-2"),
      "$SYS/#",
    ]) {
      await expect(client.subscribeAsync(topic)).rejects.toSatisfy(
        (error: ErrorWithReasonCode) => error.code >= 0x80 || /authorized|128|135/i.test(error.message),
      );
    }
  });

  it("disconnects a client that sends a message beyond the limit", async () => {
    const client = await connect(broker.port, "meter-1", { properties: {} });
    const closed = new Promise((resolve) => client.on("close", () => resolve(null)));
    // Written to the socket directly, because the client knows the limit and would not send it.
    client.stream.write(Buffer.concat([Buffer.from([0x32, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(MAX_BYTES)]));
    await closed;
    expect(ingest.calls).toHaveLength(0);
  });

  it(`admits devices beside ${SILENT} silent connections`, async () => {
    await broker.stop();
    broker = await startBroker({ ...parts, ...(soak ? {} : { limits: small }) });
    const early = await connect(broker.port, "meter-1");
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (let n = 0; n < SILENT; n += 1) {
      sockets.push(dialed());
      // The system accepts a few hundred connections at a time.
      if (n % 100 === 99) await Promise.all(sockets.slice(-100).map(connected));
    }
    const late = await connect(broker.port, "meter-2");
    for (const [client, device] of [
      [early, "meter-1"],
      [late, "meter-2"],
    ] as const) {
      const sending = send(client, device, '{"seq":1}');
      (await ingest.next()).answer(taken(1));
      await sending;
    }
    expect(broker.connections()).toBe(2);
    const open = () => sockets.filter((socket) => !socket.closed).length;
    await expect.poll(open).toBeLessThanOrEqual(soak ? 1_000 : 20);
  });

  it("does not let a connection occupy a place with wrong passwords", async () => {
    await broker.stop();
    broker = await startBroker({ ...parts, limits: small });
    const sockets = Array.from({ length: 60 }, (_, n) => dialed().end(connectPacket(`meter-${n}`, "guess")));
    await Promise.all(sockets.map(connected));
    const client = await connect(broker.port, "meter-1");
    expect(client.connected).toBe(true);
    await expect.poll(() => sockets.filter((socket) => !socket.closed).length).toBe(0);
    expect(broker.connections()).toBe(1);
  });

  it("survives input that is not MQTT", async () => {
    for (const noise of ["GET / HTTP/1.1\r\n\r\n", "\u0000\u0000\u0000", "\u0010\u00ff\u00ff\u00ff\u00ff\u00ff"]) {
      await new Promise((resolve) => {
        const socket = dial(broker.port, "127.0.0.1", () => socket.end(noise, "latin1"));
        socket.on("close", resolve).on("error", () => {});
      });
    }
    const client = await connect(broker.port, "meter-1");
    expect(client.connected).toBe(true);
  });
});
