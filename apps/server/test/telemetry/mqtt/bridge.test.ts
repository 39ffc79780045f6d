import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { Aedes } from "aedes";
import type { MqttClient } from "mqtt";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bridge, startBridge } from "../../../src/telemetry/mqtt/bridge.ts";
import { answersTopic, readingsTopic } from "../../../src/telemetry/mqtt/messages.ts";
import { connectDevice, heldIngest, silent, taken } from "./support.ts";

describe("the bridge to a broker of the operator's", () => {
  let ingest: ReturnType<typeof heldIngest>;
  let broker: Aedes;
  let server: Server;
  let sockets: Set<Socket>;
  let bridge: Bridge | null;
  let device: MqttClient;
  /** Packet ids the bridge has acknowledged to the broker. */
  let acknowledged: unknown[];

  const port = () => (server.address() as AddressInfo).port;
  const start = () => startBridge({ ingest, log: silent, url: `mqtt://127.0.0.1:${port()}`, clientId: "aqua-bridge" });
  const until = async (holds: () => boolean) => {
    await expect.poll(holds, { interval: 10 }).toBe(true);
  };
  const send = (seq: number) => device.publishAsync(readingsTopic("meter-1"), JSON.stringify({ seq }), { qos: 1 });

  beforeEach(async () => {
    ingest = heldIngest();
    acknowledged = [];
    broker = await Aedes.createBroker();
    broker.on("clientError", () => {});
    broker.on("connectionError", () => {});
    broker.on("ack", (packet) => acknowledged.push(packet));
    sockets = new Set();
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      broker.handle(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    let subscribed = false;
    broker.on("subscribe", () => {
      subscribed = true;
    });
    bridge = start();
    await until(() => subscribed);
    device = await connectDevice(port(), "meter-1");
    device.on("error", () => {});
  });
  afterEach(async () => {
    await bridge?.stop();
    await device.endAsync(true);
    await new Promise<void>((resolve) => broker.close(resolve));
    await new Promise((resolve) => server.close(resolve));
  });

  it("acknowledges each message after its readings are stored, and reads further messages meanwhile", async () => {
    await Promise.all([1, 2, 3].map(send));
    const calls = [await ingest.next(), await ingest.next(), await ingest.next()];
    expect(calls.map(({ readings }) => readings)).toEqual([[{ seq: 1 }], [{ seq: 2 }], [{ seq: 3 }]]);
    expect(acknowledged).toHaveLength(0);
    calls[1]?.answer(taken(1));
    await until(() => acknowledged.length === 1);
    calls[0]?.answer(taken(1));
    calls[2]?.answer(taken(1));
    await until(() => acknowledged.length === 3);
  });

  it("answers on the device's topic with the device's correlation data", async () => {
    const heard = new Promise<{ body: string; mark: string }>((resolve) =>
      device.on("message", (_topic, payload, packet) =>
        resolve({ body: String(payload), mark: String(packet.properties?.correlationData) }),
      ),
    );
    await device.subscribeAsync(answersTopic("meter-1"));
    const properties = { responseTopic: answersTopic("meter-1"), correlationData: Buffer.from("mark 7") };
    await device.publishAsync(readingsTopic("meter-1"), '{"seq":1}', { qos: 1, properties });
    (await ingest.next()).answer(taken(1));
    const { body, mark } = await heard;
    expect(JSON.parse(body)).toMatchObject({ accepted: 1 });
    expect(mark).toBe("mark 7");
  });

  it("receives a message in transit again after the connection broke, and acknowledges it once", async () => {
    await send(1);
    const first = await ingest.next();
    for (const socket of sockets) if (socket.remotePort !== undefined) socket.destroy();
    // The reading is stored after all, but its connection is gone, so there is nothing to acknowledge.
    first.answer(taken(1));
    const again = await ingest.next();
    expect(again.readings).toEqual([{ seq: 1 }]);
    expect(acknowledged).toHaveLength(0);
    again.answer({ ...taken(0), duplicates: 1 });
    await until(() => acknowledged.length === 1);
  });

  it("receives a message again that could not be stored", async () => {
    await send(1);
    (await ingest.next()).fail(new Error("the database is away"));
    const again = await ingest.next();
    expect(acknowledged).toHaveLength(0);
    again.answer(taken(1));
    await until(() => acknowledged.length === 1);
  });

  it("receives after a restart the messages that arrived meanwhile", async () => {
    await bridge?.stop();
    bridge = null;
    await until(() => sockets.size === 1);
    await send(1);
    await send(2);
    expect(ingest.calls).toHaveLength(0);
    bridge = start();
    const calls = [await ingest.next(), await ingest.next()];
    expect(calls.map(({ readings }) => readings)).toEqual([[{ seq: 1 }], [{ seq: 2 }]]);
    for (const call of calls) call.answer(taken(1));
    await until(() => acknowledged.length === 2);
  });

  it("ignores messages of other topics", async () => {
    await device.publishAsync("aqua/readings/Not-A-Name", "{}", { qos: 1 });
    await device.publishAsync("aqua/readings/meter-1/more", "{}", { qos: 1 });
    await send(1);
    const call = await ingest.next();
    expect(call.readings).toEqual([{ seq: 1 }]);
    call.answer(taken(1));
  });
});
