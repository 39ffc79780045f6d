import { createHash } from "node:crypto";
import type { SignedReading } from "@aqua/sdk/api/telemetry";
import { eq } from "drizzle-orm";
import type { ErrorWithReasonCode, MqttClient } from "mqtt";
import type { Database } from "../../../src/db/database.ts";
import { answersTopic, readingsTopic } from "../../../src/telemetry/mqtt/messages.ts";
import { device } from "../../../src/telemetry/schema.ts";
import { enrol, newDevice, type TestDevice } from "../devices.ts";
import { connectDevice } from "./support.ts";

/** `again`: a reading that was sent before. `skewed`: one whose time is ahead of the server's clock or behind the last one's. */
interface Message {
  what: "reading" | "again" | "skewed";
  payload: string;
}

const DAY_MS = 86_400_000;
/** The reason code of a message of which nothing was stored. */
const REFUSED = 0x87;

/**
 * Everything a device sends, signed beforehand, with repetitions and wrong clocks among it.
 * @param clock how far its own clock is off, ms: with one that is ahead all it sends is refused
 */
export async function prepare(name: string, messages: number, clock: number) {
  const meter = newDevice({ name, start: Date.now() + clock - (messages + 60) * 1_000 });
  const readings: SignedReading[] = [];
  const script: Message[] = [];
  const ahead = clock > 0;
  const put = (what: Message["what"], reading: SignedReading) =>
    script.push({ what: ahead ? "skewed" : what, payload: JSON.stringify(reading) });
  for (let index = 0; index < messages; index += 1) {
    const before = readings.at(-4);
    if (index % 100 === 50) put("skewed", await meter.next({ time: Date.now() + DAY_MS }, false));
    else if (index % 100 === 99) put("skewed", await meter.next({ time: (readings[0]?.time ?? 0) - 1 }, false));
    else if (index % 40 === 20 && before !== undefined) put("again", before);
    else {
      const next = await meter.next();
      readings.push(next);
      put("reading", next);
    }
  }
  return new FloodDevice(meter, ahead ? [] : readings, script);
}

/** Makes them known to a server that starts on this database, with the passwords they connect with. */
export async function enrolFleet(db: Database, fleet: readonly FloodDevice[]): Promise<void> {
  for (const { device: one } of fleet) {
    await enrol(db, one);
    const secretHash = createHash("sha256").update(`secret of ${one.name}`).digest();
    await db.orm.update(device).set({ secretHash }).where(eq(device.name, one.name));
  }
}

/** A device that sends what is due, so much of it at once at most, and after each break goes on with what was not acknowledged. */
export class FloodDevice {
  /** By message: neither lost nor sent again once it is set. */
  readonly #settled: Uint8Array;
  settled = 0;
  /** Refusals of what should have been taken, and the other way round. */
  readonly surprises: string[] = [];
  /** Milliseconds from sending to the acknowledgement. */
  readonly waits: number[] = [];
  #client: MqttClient | null = null;
  #next = 0;
  #flying = 0;

  constructor(
    readonly device: TestDevice,
    /** Readings that must be found afterwards, in this order. */
    readonly readings: readonly SignedReading[],
    readonly script: readonly Message[],
  ) {
    this.#settled = new Uint8Array(script.length);
  }

  /** Whether the connection was cut by the other side. */
  get cutOff(): boolean {
    return this.#client !== null && !this.#client.connected;
  }

  async connect(port: number): Promise<void> {
    await this.leave();
    const client = await connectDevice(port, this.device.name);
    client.on("error", () => {});
    client.on("message", (_topic, payload) => this.#heard(String(payload)));
    await client.subscribeAsync(answersTopic(this.device.name));
    this.#client = client;
    this.#next = 0;
    this.#flying = 0;
  }

  async leave(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.endAsync(true);
  }

  /** @param due how many of its messages may have been sent by now */
  send(due: number, window: number): void {
    const client = this.#client;
    while (client?.connected && this.#next < due && this.#flying < window) {
      const index = this.#next;
      this.#next += 1;
      const message = this.script[index];
      if (message === undefined || this.#settled[index] === 1) continue;
      this.#flying += 1;
      const sent = performance.now();
      client.publish(readingsTopic(this.device.name), message.payload, { qos: 1 }, (error) => {
        const refused = (error as ErrorWithReasonCode | undefined)?.code === REFUSED;
        // The line broke: nothing is known of this one.
        if (error && !refused) return;
        this.#settle(index, refused, performance.now() - sent);
        if (this.#client !== client) return;
        this.#flying -= 1;
        this.send(due, window);
      });
    }
  }

  #settle(index: number, refused: boolean, wait: number): void {
    if (this.#settled[index] === 1) return;
    this.#settled[index] = 1;
    this.settled += 1;
    this.waits.push(wait);
    const what = this.script[index]?.what;
    if (refused !== (what === "skewed")) {
      this.surprises.push(`message ${index} (${what}) was ${refused ? "refused" : "taken"}`);
    }
  }

  #heard(answer: string): void {
    const { rejected } = JSON.parse(answer) as { rejected: { reason: string; message: string }[] };
    for (const { reason, message } of rejected) {
      // `replay`: after a break a reading behind the last one may have a number that was used meanwhile.
      if (!["future", "time_order", "replay"].includes(reason)) this.surprises.push(`${reason}: ${message}`);
    }
  }
}
