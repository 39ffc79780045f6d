import { randomBytes, timingSafeEqual } from "node:crypto";
import { YEAR_MS } from "@aqua/sdk/durations";
import type { Keys } from "../keys.ts";

/**
 * Browsers that have logged in before. Each has a cookie that is signed for its e-mail. The cookie grants no rights.
 * Its tries are counted separately from those of unknown browsers, so that they cannot lock it out (OWASP's device
 * cookies).
 */
export interface KnownDevices {
  /** Returns the device of a `Cookie` header if it has logged in with this e-mail within a year, otherwise null. */
  recognise(cookie: string | undefined, email: string): string | null;
  /** Returns the `Set-Cookie` header that makes this device known for the e-mail. */
  remember(cookie: string | undefined, email: string): string;
  /** Returns the `Set-Cookie` header that removes the cookie. */
  forget(): string;
}

/**
 * @param publicUrl origin of the instance; over https the cookie is Secure, and its name makes browsers enforce that
 */
export function createKnownDevices(
  keys: Pick<Keys, "hash" | "hashes">,
  publicUrl: string,
  now: () => number = Date.now,
): KnownDevices {
  const signed = (email: string, issued: string, device: string) => `${issued} ${device} ${email}`;
  const secure = publicUrl.startsWith("https:");
  const name = secure ? "__Secure-aqua_device" : "aqua_device";
  const attributes = `Path=/api/v2/account; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
  // Contains the time of issue (Unix milliseconds), the device's random name, and the signature over both and the
  // e-mail.
  const pattern = new RegExp(`(?:^|;\\s*)${name}=(\\d{1,15})\\.([\\w-]{22})\\.([0-9a-f]{64})(?:;|$)`);

  function recognise(cookie: string | undefined, email: string): string | null {
    const [, issued = "", device = "", signature = ""] = pattern.exec(cookie ?? "") ?? [];
    if (signature === "" || Number(issued) <= now() - YEAR_MS) return null;
    const isRight = keys
      .hashes("device", signed(email, issued, device))
      .some((expected) => timingSafeEqual(Buffer.from(expected), Buffer.from(signature)));
    return isRight ? device : null;
  }

  return {
    recognise,
    remember(cookie, email) {
      // The device retains its name, because otherwise each log-in would allow new tries.
      const device = recognise(cookie, email) ?? randomBytes(16).toString("base64url");
      const issued = String(now());
      const value = `${issued}.${device}.${keys.hash("device", signed(email, issued, device))}`;
      return `${name}=${value}; Max-Age=${YEAR_MS / 1_000}; ${attributes}`;
    },
    forget: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
