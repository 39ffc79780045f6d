import type { Config } from "../../config.ts";
import type { Feature } from "../../feature.ts";
import { startBridge } from "./bridge.ts";
import { type BrokerParts, startBroker } from "./broker.ts";

type MqttParts = Pick<BrokerParts, "ingest" | "checkSecret" | "log">;

/**
 * Starts the reception of readings over MQTT, as configured.
 * @throws ConfigError if the port of the embedded broker is taken
 */
export async function startMqtt(mqtt: Config["mqtt"], { ingest, checkSecret, log }: MqttParts): Promise<Feature> {
  if (mqtt === null) return {};
  if ("url" in mqtt) {
    const bridge = startBridge({ ingest, log, ...mqtt });
    const note = "The broker of MQTT_URL does not answer: it keeps what devices send until it does.";
    const away = { part: "mqtt", reason: "unavailable", note };
    return { troubles: () => (bridge.connected() ? [] : [away]), stop: bridge.stop };
  }
  const broker = await startBroker({ ingest, checkSecret, log, ...mqtt });
  return { stop: broker.stop };
}
