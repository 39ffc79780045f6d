import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { shareRead } from "./sharedRead.ts";

export type Encoding = "br" | "gzip";

/** An answer as bytes, made once for all who ask. */
export interface Answer {
  bytes: Buffer;
  etag: string;
  /** The same compressed, made when first asked for. */
  compressed(encoding: Encoding): Promise<Buffer>;
}

/** Someone who waits for an answer. */
export interface Waiter {
  isThere(): boolean;
}

/** How an answer is being made. */
export interface Making {
  /** Whether anyone still waits for it. */
  isAwaited(): boolean;
  /** Called with the version of each snapshot it is made from. */
  isFrom(version: string): void;
}

export interface Answers {
  /**
   * The answer for `key`, of a state of the tables no older than the call; `make` makes its text. A failure rejects all
   * who wait and is not stored.
   */
  answer(key: string, waiter: Waiter, make: (how: Making) => Promise<string>): Promise<Answer>;
  /** The same where it is stored or being made already, else null. */
  find(key: string): Promise<Answer | null>;
}

interface Flight {
  waiters: Set<Waiter>;
  answer: Promise<Answer>;
}

/** All answers of one version of the tables. */
interface Kept {
  version: string;
  answers: LRUCache<string, Answer>;
  flights: Map<string, Flight>;
}

const MIB = 1024 * 1024;

/**
 * Stores answers until the tables they come from change: equal results of `readVersion` mean equal answers. It is
 * asked for every request, in a query that began after the request came and that requests share, so an answer is never
 * older than what its caller may have seen, also where another process writes and after a reorganisation.
 * @param maxBytes bound of what is kept; what was used least recently goes first
 */
export function createAnswers(readVersion: () => Promise<string>, maxBytes = 32 * MIB): Answers {
  const version = shareRead(readVersion);
  const empty = (of: string): Kept => ({
    version: of,
    answers: new LRUCache({ maxSize: maxBytes }),
    flights: new Map(),
  });
  let current = empty("");

  function begin(kept: Kept, key: string, make: (how: Making) => Promise<string>): Flight {
    const waiters = new Set<Waiter>();
    let isOfVersion = true;
    const end = () => {
      if (kept.flights.get(key) === flight) kept.flights.delete(key);
    };
    const how: Making = {
      isAwaited() {
        for (const waiter of waiters) if (waiter.isThere()) return true;
        // It ends now: who comes later must not wait for it.
        end();
        return false;
      },
      isFrom(version) {
        isOfVersion &&= version === kept.version;
      },
    };
    // Begun when those who wait are known.
    const answer = Promise.resolve(how)
      .then(make)
      .then((json) => {
        const made = answerOf(json, (size) => {
          if (kept.answers.peek(key) === made) kept.answers.set(key, made, { size });
        });
        if (isOfVersion) kept.answers.set(key, made, { size: made.bytes.length });
        return made;
      });
    const flight = { waiters, answer };
    kept.flights.set(key, flight);
    // All who wait get the failure.
    answer.then(end, end);
    return flight;
  }

  async function currentNow(): Promise<Kept> {
    const now = await version();
    if (now !== current.version) current = empty(now);
    return current;
  }

  return {
    async answer(key, waiter, make) {
      const kept = await currentNow();
      const known = kept.answers.get(key);
      if (known) return known;
      const flight = kept.flights.get(key) ?? begin(kept, key, make);
      flight.waiters.add(waiter);
      return flight.answer;
    },
    async find(key) {
      const kept = await currentNow();
      return kept.answers.get(key) ?? kept.flights.get(key)?.answer ?? null;
    },
  };
}

const compress = {
  // As quick as it is small enough: each new block makes all answers anew.
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};

/** `grown` is called with the bytes it takes by now. */
function answerOf(text: string, grown: (bytes: number) => void): Answer {
  const bytes = Buffer.from(text);
  let size = bytes.length;
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    bytes,
    // Weak: the compressed forms share it.
    etag: `W/"${createHash("sha256").update(bytes).digest("base64url")}"`,
    compressed(encoding) {
      const known = made.get(encoding);
      if (known) return known;
      const packed = compress[encoding](bytes);
      made.set(encoding, packed);
      packed.then(
        ({ length }) => {
          size += length;
          grown(size);
        },
        // The callers get the error; the next one tries again.
        () => made.delete(encoding),
      );
      return packed;
    },
  };
}
