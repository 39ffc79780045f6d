import type { Config } from "../../config.ts";
import { startBridge } from "./bridge.ts";
import { type BrokerParts, startBroker } from "./broker.ts";

type IntakeParts = Pick<BrokerParts, "ingest" | "checkSecret" | "log">;

export interface Intake {
  /** What `GET /health` has to say of it; nothing when all is well. */
  notes(): string[];
  stop(): Promise<void>;
}

/** Takes readings over MQTT, as the settings want it. @throws ConfigError when the embedded broker's port is taken */
export async function startIntake(mqtt: Config["mqtt"], { ingest, checkSecret, log }: IntakeParts): Promise<Intake> {
  if (mqtt === null) return { notes: () => [], stop: async () => {} };
  if ("url" in mqtt) {
    const bridge = startBridge({ ingest, log, ...mqtt });
    const away = "The broker of MQTT_URL does not answer: it keeps what devices send until it does.";
    return { notes: () => (bridge.connected() ? [] : [away]), stop: bridge.stop };
  }
  const broker = await startBroker({ ingest, checkSecret, log, ...mqtt });
  return { notes: () => [], stop: broker.stop };
}
