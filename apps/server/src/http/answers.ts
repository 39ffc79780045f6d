import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { shareRead } from "./sharedRead.ts";

export type Encoding = "br" | "gzip";

/** A response as bytes. It is built once for all callers. */
export interface Answer {
  bytes: Buffer;
  etag: string;
  /** Returns the compressed response. It is compressed at the first request. */
  compressed(encoding: Encoding): Promise<Buffer>;
}

/** A caller that waits for a response. */
export interface Waiter {
  isThere(): boolean;
}

/** State of a response that is being built. */
export interface Making {
  /** Returns whether any caller still waits for it. */
  isAwaited(): boolean;
  /** Called with the version of each snapshot that the response is built from. */
  isFrom(version: string): void;
}

export interface Answers {
  /**
   * Returns the response for `key`, from a state of the tables no older than the call. `make` builds its text. A
   * failure rejects all waiting callers and is not cached.
   */
  answer(key: string, waiter: Waiter, make: (how: Making) => Promise<string>): Promise<Answer>;
  /** Returns the response if it is cached or being built already, otherwise null. */
  find(key: string): Promise<Answer | null>;
}

interface Flight {
  waiters: Set<Waiter>;
  answer: Promise<Answer>;
}

/** All responses for one version of the tables. */
interface AnswerCache {
  version: string;
  answers: LRUCache<string, Answer>;
  flights: Map<string, Flight>;
}

const MIB = 1024 * 1024;
/** Most cached responses. A small one takes a kilobyte beside its bytes. */
const RESPONSES = 5_000;

/**
 * Caches responses until their tables change. Equal results of `readVersion` mean equal responses. Each request reads
 * the version from the database, in a query that starts after the request arrived; concurrent requests share one
 * query. A response is therefore never older than what its caller may have seen, even if another process writes, and
 * after a reorg.
 * @param maxBytes maximum size of the cache; the least recently used response is evicted first
 */
export function createAnswers(readVersion: () => Promise<string>, maxBytes = 32 * MIB): Answers {
  const version = shareRead(readVersion);
  const empty = (of: string): AnswerCache => ({
    version: of,
    answers: new LRUCache({ max: RESPONSES, maxSize: maxBytes }),
    flights: new Map(),
  });
  let current = empty("");

  function begin(cache: AnswerCache, key: string, make: (how: Making) => Promise<string>): Flight {
    const waiters = new Set<Waiter>();
    let isOfVersion = true;
    const end = () => {
      if (cache.flights.get(key) === flight) cache.flights.delete(key);
    };
    const how: Making = {
      isAwaited() {
        for (const waiter of waiters) if (waiter.isThere()) return true;
        // The work ends now, so that later callers do not wait for it.
        end();
        return false;
      },
      isFrom(version) {
        isOfVersion &&= version === cache.version;
      },
    };
    // Starts after the waiting callers are registered.
    const answer = Promise.resolve(how)
      .then(make)
      .then((json) => {
        const built = answerOf(json, (size) => {
          if (cache.answers.peek(key) === built) cache.answers.set(key, built, { size });
        });
        if (isOfVersion) cache.answers.set(key, built, { size: built.bytes.length });
        return built;
      });
    const flight = { waiters, answer };
    cache.flights.set(key, flight);
    // All waiting callers get the failure.
    answer.then(end, end);
    return flight;
  }

  async function currentNow(): Promise<AnswerCache> {
    const now = await version();
    if (now !== current.version) current = empty(now);
    return current;
  }

  return {
    async answer(key, waiter, make) {
      const cache = await currentNow();
      const known = cache.answers.get(key);
      if (known) return known;
      const flight = cache.flights.get(key) ?? begin(cache, key, make);
      flight.waiters.add(waiter);
      return flight.answer;
    },
    async find(key) {
      const cache = await currentNow();
      return cache.answers.get(key) ?? cache.flights.get(key)?.answer ?? null;
    },
  };
}

const compress = {
  // Uses a fast quality level, because each new block builds all responses again.
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};

/** @param grown called with the total bytes after each new encoding */
function answerOf(text: string, grown: (bytes: number) => void): Answer {
  const bytes = Buffer.from(text);
  let size = bytes.length;
  const encodings = new Map<Encoding, Promise<Buffer>>();
  return {
    bytes,
    // The tag is weak, because the compressed forms share it.
    etag: `W/"${createHash("sha256").update(bytes).digest("base64url")}"`,
    compressed(encoding) {
      const known = encodings.get(encoding);
      if (known) return known;
      const packed = compress[encoding](bytes);
      encodings.set(encoding, packed);
      packed.then(
        ({ length }) => {
          size += length;
          grown(size);
        },
        // The callers get the error; the next one tries again.
        () => encodings.delete(encoding),
      );
      return packed;
    },
  };
}
