import { Counter, Gauge, type Registry } from "prom-client";
import type { Ingest } from "../ingest.ts";

interface Reception {
  isConnected(): boolean;
  /** Connections of devices to the embedded broker. */
  devices(): number;
}

/** Creates the Prometheus metrics of the reception over MQTT. */
export function createMqttMetrics() {
  const messages = new Counter({
    name: "aqua_mqtt_messages_total",
    help: "Messages whose readings were checked",
    registers: [],
  });
  return {
    /** An ingest that counts the messages that it gets. */
    counting: ({ take }: Pick<Ingest, "take">): Pick<Ingest, "take"> => ({
      take(...delivery) {
        messages.inc();
        return take(...delivery);
      },
    }),
    register(registry: Registry, { isConnected, devices }: Reception): void {
      registry.registerMetric(messages as never);
      new Gauge({
        name: "aqua_mqtt_connected",
        help: "1 while this process takes readings from a broker: its own one, or that of MQTT_URL",
        registers: [registry],
        collect() {
          this.set(isConnected() ? 1 : 0);
        },
      });
      new Gauge({
        name: "aqua_mqtt_devices",
        help: "Connections of devices to the embedded broker",
        registers: [registry],
        collect() {
          this.set(devices());
        },
      });
    },
  };
}
