import { createHash, timingSafeEqual } from "node:crypto";
import { MINUTE_MS } from "@aqua/sdk/durations";
import { ApiError } from "../errors.ts";
import type { Limits } from "./limits.ts";
import { networkOf } from "./network.ts";

const wrongTokens = { name: "operator.ip", most: 30, windowMs: 10 * MINUTE_MS };

interface Request {
  headers: { authorization?: string | undefined };
  ip: string;
}

/**
 * A hook that runs before every operator call and rejects requests without the operator's token. After 30 wrong tokens
 * a network receives 429. This does not limit guessing, since the correct token is always accepted: nobody who shares
 * the operator's network can lock the operator out. The token's length and randomness prevent guessing.
 */
export function operatorOnly(limits: Limits, token: string): (request: Request) => Promise<void> {
  // Hashes have equal lengths, which the comparison requires, and do not reveal the token's length.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(`Bearer ${token}`);
  return async ({ headers, ip }) => {
    if (timingSafeEqual(digest(headers.authorization ?? ""), expected)) return;
    await limits.spend([{ rule: wrongTokens, whom: networkOf(ip) }]);
    throw new ApiError("token_error", "This is not the operator's token");
  };
}
