import { isIPv6 } from "node:net";
import { networkOf } from "../limits/network.ts";

/**
 * The network of an address: the owner can recognise it, and it identifies no single person.
 * @example placeOf("203.0.113.7") // "203.0.113.x"
 */
export function placeOf(ip: string): string {
  const network = networkOf(ip);
  if (isIPv6(ip) && !ip.startsWith("::ffff:")) return `${network.split(":").slice(0, 3).join(":")}:x`;
  return network.replace(/\.\d+$/, ".x");
}
