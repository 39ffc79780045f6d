import type { TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";

export const silent = { info() {}, warn() {} };

export const taken = (accepted: number, rejected: TelemetryAnswer["rejected"] = []): TelemetryAnswer => ({
  accepted,
  duplicates: 0,
  rejected,
  server_time: 0,
});

export interface Call {
  readings: readonly unknown[];
  device: string | undefined;
  answer(answer: TelemetryAnswer): void;
  fail(error: Error): void;
}

/** An ingest whose commits the test controls. */
export function heldIngest() {
  const calls: Call[] = [];
  const waiting: ((call: Call) => void)[] = [];
  return {
    calls,
    /** The next received message that the test has not read. */
    next: async (): Promise<Call> => calls.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    take: (readings: readonly unknown[], { device }: { device?: string }) =>
      new Promise<TelemetryAnswer>((answer, fail) => {
        const call = { readings, device, answer, fail };
        const waiter = waiting.shift();
        if (waiter === undefined) calls.push(call);
        else waiter(call);
      }),
  };
}

/** A device's own connection, by default over MQTT 5. */
export function connectDevice(
  port: number,
  device: string,
  options: Partial<IClientOptions> = {},
): Promise<MqttClient> {
  return connectAsync(`mqtt://127.0.0.1:${port}`, {
    protocolVersion: 5,
    clientId: device,
    username: device,
    password: `secret of ${device}`,
    reconnectPeriod: 0,
    connectTimeout: 30_000,
    ...options,
  });
}
