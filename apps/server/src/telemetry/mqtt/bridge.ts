import { DAY } from "@aqua/sdk/durations";
import { connect, type ErrorWithReasonCode, type IPublishPacket, type MqttClient, type Packet } from "mqtt";
import type { Logger } from "pino";
import type { Ingest } from "../ingest.ts";
import { allReadings, answersTopic, deviceOf, MAX_BYTES, takeMessage } from "./messages.ts";

export interface BridgeParts {
  ingest: Pick<Ingest, "take">;
  log: Pick<Logger, "info" | "warn">;
  /** mqtt://user:password@host:port, or mqtts:, ws:, wss:. */
  url: string;
  /** The same after a restart, another for each instance that shares the broker: what comes meanwhile is kept for it. */
  clientId: string;
}
export interface Bridge {
  connected(): boolean;
  stop(): Promise<void>;
}

/** How many messages the broker may send before the first of them is acknowledged. */
const IN_FLIGHT = 256;
/** Seconds the broker keeps what comes while we are away. */
const SESSION_SECONDS = 7 * DAY;
/** What brokers that speak MQTT 3.1.1 only say to MQTT 5. */
const UNKNOWN_PROTOCOL = new Set([1, 132]);

/**
 * Takes readings from a broker of the operator's (Mosquitto, EMQX, NATS, …), over MQTT 5 where it speaks that and 3.1.1
 * elsewhere. A message is acknowledged to the broker only once its readings are committed, and keeps what comes while
 * we are away, so nothing is lost between it and us. Each message gets an answer on its device's answers topic.
 */
export function startBridge({ ingest, log, url, clientId }: BridgeParts): Bridge {
  const stopping = new AbortController();
  /** Messages being taken in on this connection, by packet id; its acknowledgements wait for them. */
  let underWay = new Map<number, Promise<void>>();
  const client = connect(url, {
    protocolVersion: 5,
    clientId,
    clean: false,
    resubscribe: false,
    reconnectPeriod: 1_000,
    connectTimeout: 10_000,
    reconnectOnConnackError: true,
    properties: { sessionExpiryInterval: SESSION_SECONDS, receiveMaximum: IN_FLIGHT, maximumPacketSize: MAX_BYTES },
  });
  holdAcknowledgements(client, (messageId) => underWay.get(messageId));

  client.on("connect", () => {
    log.info("connected to the MQTT broker");
    client.subscribe(allReadings, { qos: 1 }, (error) => {
      if (error && client.connected) log.warn({ err: error }, "the MQTT broker refuses the subscription");
    });
  });
  client.on("close", () => {
    // The broker sends again what it has no acknowledgement of; late ones would now acknowledge other messages.
    underWay = new Map();
  });
  client.on("error", (error) => {
    if (UNKNOWN_PROTOCOL.has((error as ErrorWithReasonCode).code)) client.options.protocolVersion = 4;
    else log.warn({ err: error }, "the MQTT broker is away");
  });
  client.handleMessage = (packet, done) => {
    const { messageId } = packet as IPublishPacket;
    const work = take(packet as IPublishPacket);
    if (messageId !== undefined) underWay.set(messageId, work);
    work.catch((error: unknown) => {
      if (stopping.signal.aborted) return;
      log.warn({ err: error }, "readings could not be taken in");
      // A broker sends again what was not acknowledged when the line is new.
      client.stream.destroy();
    });
    done();
  };

  async function take({ topic, payload, properties }: IPublishPacket): Promise<void> {
    const device = deviceOf(topic);
    if (device === null) return;
    const answer = await takeMessage(ingest, device, Buffer.from(payload));
    // Nobody would wait for an answer on another line: the message comes again and gets one then.
    if (!client.connected || client.disconnecting) return;
    const correlationData = properties?.correlationData;
    client.publish(answersTopic(device), JSON.stringify(answer), {
      qos: 0,
      ...(correlationData === undefined ? {} : { properties: { correlationData } }),
    });
  }

  return {
    connected: () => client.connected,
    async stop() {
      stopping.abort();
      await client.endAsync(true);
    },
  };
}

interface Sends {
  _sendPacket(packet: Packet, done?: () => void, stored?: () => void): void;
}

/**
 * mqtt.js acknowledges a message before it reads the next, so that each would wait for a commit of its own. Here it reads on
 * at once and the acknowledgement goes out when the work is done, or never, when the work failed or the line is another.
 * It has no setting for this; its version is pinned, and a test would notice if its inside were another.
 */
function holdAcknowledgements(client: MqttClient, workOf: (messageId: number) => Promise<void> | undefined): void {
  const inside = client as unknown as Sends;
  const send = inside._sendPacket.bind(client);
  inside._sendPacket = (packet, done, stored) => {
    if (packet.cmd !== "puback") return send(packet, done, stored);
    const { messageId } = packet as { messageId: number };
    const work = workOf(messageId);
    work?.then(
      () => {
        if (workOf(messageId) === work) send(packet);
      },
      () => {},
    );
    done?.();
  };
}
