import { beforeAll, expect, it } from "vitest";
import { type Caller, codeGuesses, passwordTries } from "../../src/account/limits.ts";
import type { Database } from "../../src/db/database.ts";
import type { ApiError } from "../../src/errors.ts";
import { createKeys } from "../../src/keys.ts";
import { createLimits } from "../../src/limits/limits.ts";
import { withDatabase } from "../support/databases.ts";

const DAY_MS = 86_400_000;
const email = "anna@aqua.example";
const at = (ip: string): Caller => ({ ip, device: null, userAgent: undefined });

withDatabase("an address that tries all day as fast as it may", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });

  it.each([
    ["passwords", passwordTries, 16],
    ["codes", codeGuesses, 15],
  ] as const)("tries few %s and does not slow another address down", async (_what, usesOf, most) => {
    let time = 1_700_000_000_000;
    const limits = createLimits(db, createKeys(new Uint8Array(32)), () => time);
    let tries = 0;
    for (const end = time + DAY_MS; time < end; ) {
      await limits.spend(usesOf(at("192.0.2.1"), email)).then(
        () => {
          tries += 1;
        },
        ({ retryAfter = 0 }: ApiError) => {
          time += retryAfter * 1_000;
        },
      );
      expect(tries).toBeLessThanOrEqual(most);
    }
    await limits.spend(usesOf(at("192.0.2.2"), email));
  });
});
