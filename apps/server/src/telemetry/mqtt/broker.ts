import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { HOUR } from "@aqua/sdk/durations";
import { Aedes, type AuthenticateError, type Client, type PublishPacket } from "aedes";
import type { Logger } from "pino";
import { ConfigError } from "../../config.ts";
import { Busy, type Ingest } from "../ingest.ts";
import { answersTopic, deviceOf, MAX_BYTES, refusalOf, takeMessage } from "./messages.ts";
import { createUnauthenticated, type UnauthenticatedLimits } from "./unauthenticated.ts";

export interface BrokerParts {
  ingest: Pick<Ingest, "take">;
  checkSecret: (device: string, secret: string) => Promise<boolean>;
  log: Pick<Logger, "info" | "warn">;
  host: string;
  /** 0 selects any free port. */
  port: number;
  /** Maximum total size in bytes of the messages in progress. */
  mostHeld?: number;
  /** Maximum number of device connections, and limits for connections that have not authenticated yet. */
  limits?: { devices: number; unauthenticated: UnauthenticatedLimits };
}
export interface Broker {
  port: number;
  connections(): number;
  stop(): Promise<void>;
}

/**
 * A fleet behind one address reconnects all at once after a restart, so one network may briefly have many
 * connections.
 */
const defaultLimits = { devices: 5_000, unauthenticated: { perNetwork: 1_000, total: 2_000 } };
/**
 * A waiting connection is read no further than a chunk of 64 KiB, or one larger message. Readings of two thousand
 * connections fit into this limit. More must not fill the memory, so the latest connection is closed, and its device
 * sends again later.
 */
const MAX_HELD = 128 * 1024 * 1024;
/** Minimum time before a wrong password is answered. */
const WRONG_PASSWORD_PAUSE_MS = 500;
const BAD_USERNAME_OR_PASSWORD = 4;

/**
 * Starts the embedded MQTT broker (3.1.1 and 5). It passes no message from one client to another. A device may
 * publish to its own topic and receive its own answers. A message is acknowledged (PUBACK) after its readings are
 * committed. In MQTT 5, the acknowledgement's reason states a rejection. In every version, an answer states it.
 * @throws ConfigError if the port is taken
 */
export async function startBroker({
  ingest,
  checkSecret,
  log,
  host,
  port,
  mostHeld = MAX_HELD,
  limits = defaultLimits,
}: BrokerParts): Promise<Broker> {
  const stopping = new AbortController();
  const unauthenticated = createUnauthenticated(limits.unauthenticated);
  let held = 0;
  const broker = await Aedes.createBroker({
    concurrency: 1_000,
    connectTimeout: 10_000,
    drainTimeout: 30_000,
    keepaliveLimit: 1_200,
    maximumPacketSize: MAX_BYTES,
    receiveMaximum: 256,
    maxClientsIdLength: 31,
    maxTopicLevels: 4,
    sessionExpiryIntervalLimit: HOUR,
    pendingSessionsLimit: limits.devices,
    authenticate(client, username, password, done) {
      admit(client, username, password).then(
        (known) => done(known ? null : refused(), known),
        (error: unknown) => done(refused(error), false),
      );
    },
    authorizePublish(client, packet, done) {
      // The server's own answers have no client.
      if (client === null) return done(null);
      take(client, packet).then(
        (refusal) => done(refusal === null ? null : new Error(refusal)),
        // The message is not stored and therefore not acknowledged. The device sends it again after it reconnects.
        (error: unknown) => {
          if (!stopping.signal.aborted) log.warn({ err: error, device: client.id }, "readings could not be stored");
          client.close();
        },
      );
    },
    authorizeSubscribe(client, subscription, done) {
      done(null, subscription.topic === answersTopic(client.id) ? subscription : null);
    },
  });
  // Errors of a client (a lost connection, a rejected message) are not errors of the server.
  broker.on("clientError", () => {});
  broker.on("connectionError", () => {});

  async function admit(client: Client, username?: string, password?: Buffer): Promise<boolean> {
    // Each device has one connection, under its own name. Nobody can take over another device's connection.
    const fits = username !== undefined && password !== undefined && client.id === username;
    const socket = client.conn as Socket;
    unauthenticated.delete(socket);
    if (fits && (await checkSecret(username, password.toString("utf8")))) return true;
    unauthenticated.add(socket);
    await sleep(WRONG_PASSWORD_PAUSE_MS, undefined, { signal: stopping.signal });
    return false;
  }

  /** Returns null if any part of the message was stored, otherwise the reason. */
  async function take(client: Client, packet: PublishPacket): Promise<string | null> {
    // Retained messages are disabled.
    packet.retain = false;
    if (deviceOf(packet.topic) !== client.id) return "not your topic";
    // The broker holds such messages in memory until the device releases them, which it may never do.
    if (packet.qos === 2) return "send with QoS 1";
    const bytes = packet.payload.length;
    if (held + bytes > mostHeld) throw new Busy("too many messages wait");
    held += bytes;
    const answer = await takeMessage(ingest, client.id, Buffer.from(packet.payload)).finally(() => {
      held -= bytes;
    });
    const { responseTopic, correlationData } = packet.properties ?? {};
    if (answer.rejected.length > 0 || responseTopic === answersTopic(client.id)) {
      const properties = correlationData === undefined ? {} : { properties: { correlationData } };
      const body = { topic: answersTopic(client.id), payload: JSON.stringify(answer), qos: 0, retain: false } as const;
      client.publish({ cmd: "publish", dup: false, ...body, ...properties } as PublishPacket, () => {});
    }
    // MQTT 3 can only reject by closing the connection. For such a client, only the answer states the rejection.
    return (client as Client & { version: number }).version === 5 ? refusalOf(answer) : null;
  }

  const server = createServer((socket) => {
    unauthenticated.add(socket);
    broker.handle(socket);
  });
  server.maxConnections = limits.devices + limits.unauthenticated.total;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new ConfigError(`MQTT_PORT ${port} on ${host} is taken`) : error);
    });
    server.listen(port, host, resolve);
  }).catch(async (error) => {
    await new Promise<void>((resolve) => broker.close(resolve));
    throw error;
  });
  const bound = (server.address() as { port: number }).port;
  log.info({ host, port: bound }, "MQTT broker is listening");
  return {
    port: bound,
    connections: () => broker.connectedClients,
    async stop() {
      stopping.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      unauthenticated.close();
      await new Promise<void>((resolve) => broker.close(resolve));
      await closed;
    },
  };
}

function refused(cause?: unknown): AuthenticateError {
  return Object.assign(new Error("wrong name or password", { cause }), { returnCode: BAD_USERNAME_OR_PASSWORD });
}
