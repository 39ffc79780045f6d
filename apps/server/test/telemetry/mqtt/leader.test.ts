import { type AddressInfo, createServer } from "node:net";
import { Aedes } from "aedes";
import pino from "pino";
import { afterEach, expect, it } from "vitest";
import type { Feature } from "../../../src/feature.ts";
import { startMqtt } from "../../../src/telemetry/mqtt/feature.ts";
import { readingsTopic } from "../../../src/telemetry/mqtt/messages.ts";
import { withDatabase } from "../../support/databases.ts";
import { connectDevice, heldIngest, taken } from "./support.ts";

withDatabase("two servers on one broker and one database", (open) => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it("have one reader, and the next one receives unacknowledged messages again and in order", async () => {
    const db = await open();
    const broker = await Aedes.createBroker();
    const connected: string[] = [];
    broker.on("client", ({ id }) => connected.push(id));
    let subscribed = false;
    broker.on("subscribe", () => {
      subscribed = true;
    });
    const server = createServer(broker.handle);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    closers.push(() => new Promise((resolve) => server.close(resolve)));
    closers.push(() => new Promise<void>((resolve) => broker.close(resolve)));

    const aServer = async () => {
      const ingest = heldIngest();
      const parts = { db, ingest, checkSecret: async () => null, log: pino({ level: "silent" }) };
      const url = { url: `mqtt://127.0.0.1:${port}`, clientId: "aqua" };
      const feature: Feature = await startMqtt(url, parts as never);
      return { feature, ingest };
    };
    const [first, second] = [await aServer(), await aServer()];
    // Nothing is read before the server listens, which is when features start.
    expect(connected).toEqual([]);
    await first.feature.start?.();
    await expect.poll(() => subscribed).toBe(true);
    await second.feature.start?.();
    const device = await connectDevice(port, "meter-1");
    closers.push(() => device.endAsync(true));
    for (const seq of [1, 2, 3])
      await device.publishAsync(readingsTopic("meter-1"), JSON.stringify({ seq }), { qos: 1 });
    const lost = [await first.ingest.next(), await first.ingest.next(), await first.ingest.next()];
    expect(lost.map(({ readings }) => readings)).toEqual([[{ seq: 1 }], [{ seq: 2 }], [{ seq: 3 }]]);
    expect(second.ingest.calls).toEqual([]);
    await first.feature.stop?.();
    const again = [await second.ingest.next(), await second.ingest.next(), await second.ingest.next()];
    expect(again.map(({ readings }) => readings)).toEqual([[{ seq: 1 }], [{ seq: 2 }], [{ seq: 3 }]]);
    for (const call of again) call.answer(taken(1));
    expect(connected).toEqual(["aqua", "meter-1", "aqua"]);
    expect(second.feature.troubles?.()).toEqual([]);
    await second.feature.stop?.();
  });
});
