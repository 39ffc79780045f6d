import { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { networksOf } from "../limits/network.ts";
import { createPlaces, type PlaceLimits, type Release } from "../limits/places.ts";

export interface ReceiverLimits {
  /** Milliseconds a connection may accept no byte of an answer before it is closed. */
  stalledMs: number;
  /** Bytes of answers that receivers have not accepted. */
  unsent: PlaceLimits & { total: number };
}

const MIB = 1024 * 1024;

/** Milliseconds for which a connection may accept none of the bytes that wait for it. */
export const STALLED_MS = 30_000;

/** A browser requests six responses at once and reads them. Few responses are larger than 4 MiB. */
const defaultLimits: ReceiverLimits = {
  stalledMs: STALLED_MS,
  unsent: { perNetwork: 24 * MIB, perSite: 48 * MIB, total: 128 * MIB },
};

/** Bytes buffered for a stream whose receiver does not read: in the stream, the compressor and the connection. */
const STREAM_BYTES = 128 * 1024;

interface Unsent {
  socket: Socket;
  network: string;
}

/**
 * Bounds the bytes of responses that receivers do not read, on every route of this scope and below. A connection that
 * accepts no byte for `stalledMs` is closed. A response beyond the limit of its network is rejected with 429. When the
 * total limit is exceeded, the network with the most bytes loses its oldest connection, so that receivers who do not
 * read never block those who do.
 */
export function registerReceiverLimits(app: FastifyInstance, limits: ReceiverLimits = defaultLimits): void {
  const { total, ...perCaller } = limits.unsent;
  const places = createPlaces(perCaller);
  /** Active responses, oldest first. */
  const answers = new Set<Unsent>();
  /**
   * Release functions of each connection's responses. A response behind another on the same connection gets no "close"
   * event.
   */
  const ends = new Map<Socket, Set<Release>>();
  /** Requests whose response was rejected. The rejection itself is small and always sent. */
  const refused = new WeakSet<FastifyRequest>();

  app.server.on("connection", (socket: Socket) => {
    ends.set(socket, new Set());
    socket.once("close", () => {
      for (const end of ends.get(socket) ?? []) end();
      ends.delete(socket);
    });
  });

  function closeOldestOfLargest(): void {
    let largest: Unsent | null = null;
    for (const answer of answers) {
      if (largest === null || places.of(answer.network) > places.of(largest.network)) largest = answer;
    }
    if (largest === null) return;
    for (const end of ends.get(largest.socket) ?? []) end();
    largest.socket.destroy();
  }

  app.addHook("onSend", (request, reply, payload, done) => {
    const { socket } = request.raw;
    const ofSocket = socket instanceof Socket ? ends.get(socket) : undefined;
    // A request injected by the server itself or by a test has no receiver of its own.
    if (ofSocket === undefined) return done();
    const size = sizeOf(payload);
    if (size === 0) return done();
    const networks = networksOf(request.ip);
    // A single response is sent regardless of its size, because otherwise the largest could never be sent.
    const isAlone = places.of(networks[0] ?? "") === 0;
    const release = isAlone || refused.has(request) ? places.force(networks, size) : places.take(networks, size);
    if (release === null) {
      refused.add(request);
      const message = "Too many answers to this address have not been read";
      return done(new ApiError("too_many_requests", message, { retryAfter: 1, limit: "unread" }));
    }
    const answer: Unsent = { socket, network: networks[0] ?? "" };
    answers.add(answer);
    const end = () => {
      release();
      answers.delete(answer);
      ofSocket.delete(end);
    };
    ofSocket.add(end);
    reply.raw.once("finish", end).once("close", end);
    // Node restarts this timeout with each accepted byte, and closes the connection because nothing listens for it.
    reply.raw.setTimeout(limits.stalledMs);
    while (places.total > total && answers.size > 1) closeOldestOfLargest();
    done();
  });
}

function sizeOf(payload: unknown): number {
  if (payload === null || payload === undefined) return 0;
  if (typeof payload === "string") return Buffer.byteLength(payload);
  return Buffer.isBuffer(payload) ? payload.length : STREAM_BYTES;
}
