import type { Socket } from "node:net";
import { networkOf } from "../../limits/network.ts";

export interface UnauthenticatedLimits {
  /** Limits for one network (an IPv4 address, a /64 of IPv6), and for all. */
  perNetwork: number;
  total: number;
}

/**
 * Limits connections that have not authenticated. Above the limit, the connection that has waited longest is closed.
 * A device authenticates in its first packet, so the longest wait is unlikely to be a device. Rejecting the newest
 * connection instead would let idle connections block devices.
 */
export function createUnauthenticated(limits: UnauthenticatedLimits) {
  /** In order of arrival. */
  const waiting = new Map<Socket, string>();

  function closeOldest(network: string | null): void {
    for (const [socket, of] of waiting) {
      if (network !== null && of !== network) continue;
      waiting.delete(socket);
      socket.destroy();
      return;
    }
  }

  return {
    /** Call for each new connection, and again if its credentials were wrong. */
    add(socket: Socket): void {
      if (socket.destroyed) return;
      const network = networkOf(socket.remoteAddress ?? "");
      let ofNetwork = 0;
      for (const of of waiting.values()) if (of === network) ofNetwork += 1;
      if (ofNetwork >= limits.perNetwork) closeOldest(network);
      else if (waiting.size >= limits.total) closeOldest(null);
      waiting.set(socket, network);
      socket.once("close", () => waiting.delete(socket));
    },
    /** Closes all of them, so that a shutdown does not wait for them. */
    close(): void {
      for (const socket of waiting.keys()) socket.destroy();
    },
    /** Call when a connection presents its credentials. */
    delete(socket: Socket): void {
      waiting.delete(socket);
    },
  };
}
