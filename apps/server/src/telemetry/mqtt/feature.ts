import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { Feature } from "../../feature.ts";
import { createLeadership } from "../../leadership/leadership.ts";
import { type Bridge, startBridge } from "./bridge.ts";
import { type BrokerParts, startBroker } from "./broker.ts";
import { createMqttMetrics } from "./metrics.ts";

type MqttParts = Pick<BrokerParts, "ingest" | "checkSecret" | "log"> & { db: Database; leader?: string };

/**
 * The reception of readings over MQTT, as configured. From an external broker one of the servers that share the database
 * reads at a time, since the broker ends a connection when another one uses its client id. It connects once the server
 * listens. The next leader continues the same session, so messages that were not acknowledged arrive again in order.
 * @throws ConfigError if the port of the embedded broker is taken
 */
export async function startMqtt(
  mqtt: Config["mqtt"],
  { db, leader, ingest, checkSecret, log }: MqttParts,
): Promise<Feature> {
  if (mqtt === null) return {};
  const { counting, register } = createMqttMetrics();
  const counted = counting(ingest);
  if ("url" in mqtt) {
    let bridge: Bridge | null = null;
    const leadership = createLeadership({
      db,
      log,
      ...(leader === undefined ? {} : { leader }),
      work: "mqtt",
      begin() {
        bridge = startBridge({ ingest: counted, log, ...mqtt });
      },
      async end() {
        await bridge?.stop();
        bridge = null;
      },
    });
    const note = "The broker of MQTT_URL does not answer: it keeps what devices send until it does.";
    return {
      metrics: (registry) => register(registry, { isConnected: () => bridge?.connected() ?? false, devices: () => 0 }),
      troubles: () => (bridge?.connected() === false ? [{ part: "mqtt", reason: "unavailable", note }] : []),
      start: leadership.start,
      stop: leadership.stop,
    };
  }
  const broker = await startBroker({ ingest: counted, checkSecret, log, ...mqtt });
  return {
    metrics: (registry) => register(registry, { isConnected: () => true, devices: broker.connections }),
    stop: broker.stop,
  };
}
