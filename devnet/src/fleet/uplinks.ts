import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { SignedReading, TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { connect, type MqttClient } from "mqtt";
import type { Uplink } from "./live.ts";
import type { FleetCalls } from "./operatorCalls.ts";
import type { Passwords } from "./settle.ts";

/** Returns an uplink over HTTP, with one gateway for all devices. */
export function httpUplink(calls: FleetCalls): Uplink {
  return { send: (readings) => calls.send(readings), close: async () => {} };
}

const ANSWER_WITHIN_MS = 10_000;
const RECONNECT_MS = 2_000;

/**
 * Returns an uplink over MQTT, with one connection per device, as in docs/operators/telemetry.md. Each message is
 * answered.
 */
export function mqttUplink(url: string, passwords: Passwords, answerWithinMs = ANSWER_WITHIN_MS): Uplink {
  const lines = new Map<string, MqttUplink>();
  const lineOf = (device: string) => {
    const line = lines.get(device) ?? new MqttUplink(url, device, passwords[device] ?? "");
    lines.set(device, line);
    return line;
  };
  return {
    async send(readings) {
      const byDevice = new Map<string, { index: number; reading: SignedReading }[]>();
      readings.forEach((reading, index) => {
        const own = byDevice.get(reading.device);
        if (own === undefined) byDevice.set(reading.device, [{ index, reading }]);
        else own.push({ index, reading });
      });
      const answers = await Promise.all(
        [...byDevice].map(async ([device, own]) => {
          const answer = await lineOf(device).send(
            own.map(({ reading }) => reading),
            answerWithinMs,
          );
          const rejected = answer.rejected.map((one) => ({ ...one, index: own[one.index]?.index ?? -1 }));
          return { ...answer, rejected };
        }),
      );
      return {
        accepted: answers.reduce((all, { accepted }) => all + accepted, 0),
        duplicates: answers.reduce((all, { duplicates }) => all + duplicates, 0),
        rejected: answers.flatMap(({ rejected }) => rejected),
        server_time: Math.max(...answers.map(({ server_time }) => server_time)),
      };
    },
    async close() {
      await Promise.all([...lines.values()].map((line) => line.close()));
    },
  };
}

class MqttUplink {
  readonly #client: MqttClient;
  readonly #waiting = new Map<string, (answer: TelemetryAnswer) => void>();
  readonly #subscribed: Promise<unknown>;

  constructor(
    url: string,
    readonly device: string,
    password: string,
  ) {
    this.#client = connect(url, {
      protocolVersion: 5,
      clientId: device,
      username: device,
      password,
      reconnectPeriod: RECONNECT_MS,
      connectTimeout: ANSWER_WITHIN_MS,
    });
    // A failure shows as a missing answer.
    this.#client.on("error", () => {});
    this.#client.on("message", (_topic, payload, { properties }) => {
      this.#waiting.get(properties?.correlationData?.toString() ?? "")?.(JSON.parse(payload.toString()));
    });
    this.#subscribed = this.#client.subscribeAsync(this.#answers, { qos: 1 });
    this.#subscribed.catch(() => {});
  }

  get #answers(): string {
    return `aqua/answers/${this.device}`;
  }

  /** @throws when no answer arrives in time. The outcome is then unknown, and the same readings are sent again */
  async send(readings: readonly SignedReading[], withinMs: number): Promise<TelemetryAnswer> {
    const id = randomUUID();
    const ended = new AbortController();
    const late = sleep(withinMs, undefined, { signal: ended.signal }).then(() => {
      throw new Error(`${this.device}: no answer over MQTT`);
    });
    late.catch(() => {});
    try {
      const answered = new Promise<TelemetryAnswer>((resolve) => this.#waiting.set(id, resolve));
      const properties = { responseTopic: this.#answers, correlationData: Buffer.from(id) };
      const sent = this.#subscribed.then(() =>
        this.#client.publishAsync(`aqua/readings/${this.device}`, JSON.stringify({ readings }), { qos: 1, properties }),
      );
      // When all readings of a message are refused, its acknowledgement fails. The answer holds the same refusals in
      // full.
      sent.catch(() => {});
      return await Promise.race([answered, late]);
    } finally {
      ended.abort();
      this.#waiting.delete(id);
    }
  }

  async close(): Promise<void> {
    await this.#client.endAsync(true);
  }
}
