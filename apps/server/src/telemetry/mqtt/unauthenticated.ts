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
  const connections = new Map<Socket, string>();

  function closeOldest(network: string | null): void {
    for (const [socket, of] of connections) {
      if (network !== null && of !== network) continue;
      connections.delete(socket);
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
      for (const of of connections.values()) if (of === network) ofNetwork += 1;
      if (ofNetwork >= limits.perNetwork) closeOldest(network);
      else if (connections.size >= limits.total) closeOldest(null);
      connections.set(socket, network);
      socket.once("close", () => connections.delete(socket));
    },
    /** Closes all of them, so that a shutdown does not wait for them. */
    close(): void {
      for (const socket of connections.keys()) socket.destroy();
    },
    /** Call when a connection presents its credentials. */
    delete(socket: Socket): void {
      connections.delete(socket);
    },
  };
}
