import { isIPv6 } from "node:net";

/** The network of an address: an IPv4 address, or a /64 of IPv6, which one customer's connection has as a whole. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith("::ffff:")) return ip.replace(/^::ffff:/, "");
  return groupsOf(ip).slice(0, 4).join(":");
}

/**
 * The keys under which an address is counted in `createPlaces`: its network and, for IPv6, its site. A site is the /48
 * that one customer can have; it contains 65,536 networks.
 */
export function networksOf(ip: string): readonly string[] {
  const network = networkOf(ip);
  return isIPv6(ip) && network.includes(":") ? [network, `${groupsOf(ip).slice(0, 3).join(":")}::/48`] : [network];
}

/** The eight groups of an IPv6 address, in hex without leading zeros. */
function groupsOf(ip: string): string[] {
  const [head = "", tail] = ip.split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array<string>(8 - groups.length - after.length).fill("0");
  return [...groups, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16));
}
