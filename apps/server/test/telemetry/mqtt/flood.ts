import { createHash } from "node:crypto";
import type { SignedReading } from "@aqua/sdk/api/telemetry";
import { eq } from "drizzle-orm";
import type { ErrorWithReasonCode, MqttClient } from "mqtt";
import type { Database } from "../../../src/db/database.ts";
import { answersTopic, readingsTopic } from "../../../src/telemetry/mqtt/messages.ts";
import { device } from "../../../src/telemetry/schema.ts";
import { enrol, newDevice, type TestDevice } from "../devices.ts";
import { connectDevice } from "./support.ts";

/** `again`: a repeated reading. `skewed`: its time is ahead of the server's clock or before the previous reading. */
interface Message {
  what: "reading" | "again" | "skewed";
  payload: string;
}

const DAY_MS = 86_400_000;
/** The reason code of a message without any stored reading. */
const REFUSED = 0x87;

/**
 * All messages of a device, signed beforehand, including repetitions and wrong times.
 * @param clock offset of the device's clock, ms. If it is ahead, all messages are rejected
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

/** Enrols the devices in this database, with their passwords. */
export async function enrolFleet(db: Database, fleet: readonly FloodDevice[]): Promise<void> {
  for (const { device: one } of fleet) {
    await enrol(db, one);
    const secretHash = createHash("sha256").update(`secret of ${one.name}`).digest();
    await db.orm.update(device).set({ secretHash }).where(eq(device.name, one.name));
  }
}

/** A device that sends its due messages in a limited window, and resends the unacknowledged ones after a break. */
export class FloodDevice {
  /** By message: once set, the message may neither be lost nor sent again. */
  readonly #settled: Uint8Array;
  settled = 0;
  /** Unexpected rejections and unexpected acceptances. */
  readonly surprises: string[] = [];
  /** Milliseconds from sending to the acknowledgement. */
  readonly waits: number[] = [];
  #client: MqttClient | null = null;
  #next = 0;
  #flying = 0;

  constructor(
    readonly device: TestDevice,
    /** Readings that must be stored afterwards, in this order. */
    readonly readings: readonly SignedReading[],
    readonly script: readonly Message[],
  ) {
    this.#settled = new Uint8Array(script.length);
  }

  /** True if the other side has cut the connection. */
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

  /** @param due number of messages that may have been sent by now */
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
        // The connection broke, so the outcome of this message is unknown.
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
      // `replay`: after a break, a skewed reading may have a number that was used meanwhile.
      if (!["future", "time_order", "replay"].includes(reason)) this.surprises.push(`${reason}: ${message}`);
    }
  }
}
