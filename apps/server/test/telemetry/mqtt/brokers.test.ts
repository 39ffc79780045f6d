import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MqttClient } from "mqtt";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../../../devnet/test/support/port.ts";
import { type Bridge, startBridge } from "../../../src/telemetry/mqtt/bridge.ts";
import { answersTopic, readingsTopic } from "../../../src/telemetry/mqtt/messages.ts";
import { findProgram } from "../../support/debianPrograms.ts";
import { type BrokerName, brokers, type RunningBroker, runBroker } from "./brokers.ts";
import { connectDevice, heldIngest, silent, taken } from "./support.ts";

/** More messages than the bridge accepts unacknowledged. */
const MANY = 400;

for (const name of Object.keys(brokers) as BrokerName[]) {
  describe(`the bridge to ${name}`, () => {
    let folder: string;
    let port: number;
    let broker: RunningBroker;
    let ingest: ReturnType<typeof heldIngest>;
    let bridge: Bridge;
    let device: MqttClient;

    const start = async () => {
      bridge = startBridge({ ingest, log: silent, url: `mqtt://127.0.0.1:${port}`, clientId: "aqua-bridge" });
      await expect.poll(bridge.connected).toBe(true);
    };
    const connect = async () => {
      device = await connectDevice(port, "meter-1", { protocolVersion: 4 });
      device.on("error", () => {});
    };
    const send = (seq: number) => device.publishAsync(readingsTopic("meter-1"), JSON.stringify({ seq }), { qos: 1 });
    const seqOf = ({ readings }: { readings: readonly unknown[] }) => (readings[0] as { seq: number }).seq;

    // The program may have to be fetched first.
    beforeAll(() => void findProgram(name), 300_000);
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "aqua-broker-"));
      port = await freePort();
      ingest = heldIngest();
      broker = await runBroker(name, folder, port);
      await start();
      await connect();
      // The bridge has subscribed once a first message arrives.
      const probing = setInterval(() => void send(0).catch(() => {}), 200);
      (await ingest.next()).answer(taken(1));
      clearInterval(probing);
      await expect
        .poll(() => {
          for (const call of ingest.calls.splice(0)) call.answer(taken(1));
          return ingest.calls.length;
        })
        .toBe(0);
    });
    afterEach(async () => {
      await bridge.stop();
      await device.endAsync(true);
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    });
    /** Returns the next call that is not a probe. */
    const next = async () => {
      for (;;) {
        const call = await ingest.next();
        if (seqOf(call) > 0) return call;
        call.answer(taken(1));
      }
    };

    it("accepts a device's messages in order and answers the device", async () => {
      const heard = new Promise<string>((resolve) => device.on("message", (_topic, payload) => resolve(`${payload}`)));
      await device.subscribeAsync(answersTopic("meter-1"));
      await Promise.all([1, 2, 3].map(send));
      for (const seq of [1, 2, 3]) {
        const call = await next();
        expect(call).toMatchObject({ device: "meter-1", readings: [{ seq }] });
        call.answer(taken(1));
      }
      expect(JSON.parse(await heard)).toMatchObject({ accepted: 1 });
    });

    it(`receives all messages that arrived while it was stopped${name === "nats-server" ? "" : ", in their order"}`, async () => {
      await bridge.stop();
      await Promise.all(Array.from({ length: MANY }, (_, index) => send(index + 1)));
      await start();
      const numbers = new Set<number>();
      while (numbers.size < MANY) {
        const call = await next();
        numbers.add(seqOf(call));
        call.answer(taken(1));
      }
      const sent = Array.from({ length: MANY }, (_, index) => index + 1);
      // NATS sends the first messages to the connection that has just closed, and resends them after `ack_wait`.
      const received = name === "nats-server" ? [...numbers].sort((a, b) => a - b) : [...numbers];
      expect(received).toEqual(sent);
    });

    // NATS 2.9 writes to the disk after it acknowledges, so this holds of Mosquitto alone.
    if (name === "mosquitto")
      it("receives what the broker wrote to the disk, right after it acknowledged it, before it was killed", async () => {
        await bridge.stop();
        await Promise.all([1, 2, 3, 4, 5].map(send));
        const written = () => readFile(join(folder, "mosquitto.db"), "latin1");
        for (const seq of [1, 2, 3, 4, 5]) await expect.poll(written).toContain(JSON.stringify({ seq }));
        await broker.kill();
        await device.endAsync(true);
        broker = await runBroker(name, folder, port);
        await start();
        for (const seq of [1, 2, 3, 4, 5]) {
          const call = await next();
          expect(seqOf(call)).toBe(seq);
          call.answer(taken(1));
        }
        await connect();
      });

    it("receives unacknowledged messages again after the broker was restarted", async () => {
      await send(1);
      await send(2);
      const [first, second] = [await next(), await next()];
      expect([seqOf(first), seqOf(second)]).toEqual([1, 2]);
      await broker.stop();
      await device.endAsync(true);
      // The reading is stored after all. When it is sent again, it is a harmless duplicate.
      first.answer(taken(1));
      broker = await runBroker(name, folder, port);
      await connect();
      const again = [await next(), await next()];
      const numbers = again.map(seqOf);
      // NATS counts `ack_wait` for each message. If the connection breaks again after the first message, the second may
      // arrive before it. The ingest then rejects it as a gap until it is sent again.
      expect(name === "nats-server" ? numbers.sort() : numbers).toEqual([1, 2]);
      for (const call of again) call.answer(taken(1));
      await send(3);
      expect(seqOf(await next())).toBe(3);
    });
  });
}
