import { randomUUID } from "node:crypto";
import { codePoints, passwordLength } from "@aqua/sdk/api/rules";
import { hash, type Options, parseOptions, verify } from "@node-rs/argon2";
import { dictionary } from "@zxcvbn-ts/language-common";
import pLimit from "p-limit";
import { ApiError } from "../errors.ts";

/** argon2id, the library's default variant, with the minimum that OWASP recommends: 19 MiB a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;

/** Hashes computed at once. A wave of log-ins leaves a core and memory for other work. */
const MAX_CONCURRENT = 2;
/** Hashes that may wait. Behind more than these a person would not wait. */
const MAX_WAITING = 100;
const RETRY_SECONDS = 3;

const common = new Set(dictionary["passwords-common"].map(String));

export interface Passwords {
  /** @throws ApiError validation_error naming the field, when the password is too short, too long, common or the e-mail */
  check(password: string, email: string): void;
  /**
   * Returns a PHC string. Do not call it inside a transaction, because it takes tens of milliseconds.
   * @throws ApiError too_many_requests
   */
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches the hash. Without a hash it takes as long and returns false, so that the time does not
   * reveal whether an account exists.
   * @throws ApiError too_many_requests when too many calls wait
   */
  verify(hashed: string | null, password: string): Promise<boolean>;
  /** Returns whether the hash was made with a cost other than that of new hashes. */
  isOutdated(hashed: string): boolean;
}

/** @param worked called for every hash that is computed */
export function createPasswords(worked: () => void = () => {}): Passwords {
  const limit = pLimit(MAX_CONCURRENT);
  async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= MAX_WAITING) {
      const message = "The server is busy; try again in a moment";
      throw new ApiError("too_many_requests", message, { retryAfter: RETRY_SECONDS, limit: "passwords" });
    }
    return limit(() => {
      worked();
      return work();
    });
  }
  // Hash of a password that nobody knows.
  const dummyHash = hash(randomUUID(), cost);
  dummyHash.catch(() => {});

  return {
    check(password, email) {
      const refuse = (message: string) =>
        new ApiError("validation_error", message, { details: [{ path: "password", message }] });
      const length = codePoints(normal(password));
      if (length < passwordLength.min) throw refuse(`A password has at least ${passwordLength.min} characters`);
      if (length > passwordLength.max) throw refuse(`A password has at most ${passwordLength.max} characters`);
      const lower = normal(password).toLowerCase();
      if (common.has(lower)) throw refuse("This password is one of those tried first; choose another");
      if (lower === email || lower === email.split("@", 1)[0]) throw refuse("The e-mail is no password");
    },
    hash: (password) => limited(() => hash(normal(password), cost)),
    verify: (hashed, password) =>
      limited(async () => {
        const right = await verify(hashed ?? (await dummyHash), normal(password));
        return right && hashed !== null;
      }),
    isOutdated(hashed) {
      const { memoryCost, timeCost, parallelism } = parseOptions(hashed);
      return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism;
    },
  };
}

/** Keyboards differ: é is one character on some and two on others. */
function normal(password: string): string {
  return password.normalize("NFC");
}
