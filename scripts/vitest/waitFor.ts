import { vi } from "vitest";
import { limits } from "./limits.ts";

/** vitest has no setting for how long `vi.waitFor` waits, and its second is too short on a busy machine. */
const original = vi.waitFor;
if (original.name !== "waitForLong") {
  vi.waitFor = function waitForLong(callback, options) {
    const own = typeof options === "number" ? { timeout: options } : options;
    return original(callback, { timeout: limits.expect.poll.timeout, ...own });
  };
}
