import { DAY } from "@aqua/sdk/durations";
import {
  connect,
  type ErrorWithReasonCode,
  type IPublishPacket,
  type MqttClient,
  type Packet,
  ReasonCodes,
} from "mqtt";
import type { Logger } from "pino";
import type { Ingest } from "../ingest.ts";
import { allReadings, answersTopic, deviceOf, MAX_BYTES, takeMessage } from "./messages.ts";

export interface BridgeParts {
  ingest: Pick<Ingest, "take">;
  log: Pick<Logger, "info" | "warn">;
  /** mqtt://user:password@host:port, or mqtts:, ws:, wss:. */
  url: string;
  /**
   * The same on all servers of an instance, of which one is connected at a time. The broker stores messages for this id
   * while none is.
   */
  clientId: string;
}
export interface Bridge {
  connected(): boolean;
  stop(): Promise<void>;
}

/** Maximum number of messages that the broker may send before the first of them is acknowledged. */
const IN_FLIGHT = 256;
/** Seconds for which the broker stores messages while this client is away. */
const SESSION_SECONDS = 7 * DAY;
/** Error codes that a broker with only MQTT 3.1.1 returns to an MQTT 5 client. */
const UNKNOWN_PROTOCOL = new Set([1, 132]);

/**
 * Reads readings from a broker of the operator (Mosquitto, EMQX, NATS, …). It uses MQTT 5 if the broker supports it,
 * and 3.1.1 otherwise. A message is acknowledged only after its readings are committed, and the broker stores
 * messages while this client is away, so no message is lost. Each message gets an answer on the answers topic of its
 * device.
 */
export function startBridge({ ingest, log, url, clientId }: BridgeParts): Bridge {
  const stopping = new AbortController();
  let isConnected = false;
  /** Messages that are being processed on this connection, by packet id. Their acknowledgements wait for them. */
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
    isConnected = true;
    log.info("connected to the MQTT broker");
    client.subscribe(allReadings, { qos: 1 }, (error) => {
      if (error && client.connected) log.warn({ err: error }, "the MQTT broker rejected the subscription");
    });
  });
  client.on("disconnect", ({ reasonCode }) => {
    const reason = ReasonCodes[reasonCode as keyof typeof ReasonCodes];
    log.warn({ reason_code: reasonCode, reason }, "the MQTT broker ended the connection");
  });
  client.on("close", () => {
    if (isConnected && !stopping.signal.aborted)
      log.warn("the connection to the MQTT broker is lost; it is made again");
    isConnected = false;
    // The broker resends every message without an acknowledgement. Late acknowledgements would now refer to other
    // messages.
    underWay = new Map();
  });
  client.on("error", (error) => {
    if (UNKNOWN_PROTOCOL.has((error as ErrorWithReasonCode).code)) client.options.protocolVersion = 4;
    else log.warn({ err: error }, "the MQTT broker is unreachable; connecting is retried");
  });
  client.handleMessage = (packet, done) => {
    const { messageId } = packet as IPublishPacket;
    const work = take(packet as IPublishPacket);
    if (messageId !== undefined) underWay.set(messageId, work);
    work.catch((error: unknown) => {
      if (stopping.signal.aborted) return;
      log.warn({ err: error }, "readings could not be stored");
      // A broker resends unacknowledged messages on a new connection.
      client.stream.destroy();
    });
    done();
  };

  async function take({ topic, payload, properties }: IPublishPacket): Promise<void> {
    const device = deviceOf(topic);
    if (device === null) return;
    const answer = await takeMessage(ingest, device, Buffer.from(payload));
    // Nobody waits for an answer on another connection. The message arrives again and is answered then.
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
 * mqtt.js acknowledges a message before it reads the next one, so each message would wait for its own commit. This
 * function lets it read on at once. The acknowledgement is sent when the work is done. It is not sent if the work
 * failed or the connection was replaced. mqtt.js has no setting for this. Its version is pinned, and a test detects a
 * change of its internals.
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
