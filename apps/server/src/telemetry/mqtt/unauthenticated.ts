import type { Socket } from "node:net";
import { networkOf } from "../../limits/network.ts";

export interface UnauthenticatedLimits {
  /** Of one network (an IPv4 address, a /64 of IPv6), and of all. */
  perNetwork: number;
  total: number;
}

/**
 * Bounds connections that have not shown whose they are. Beyond the bound the one that has waited longest is closed: a
 * device says who it is in its first packet, so what has waited longest is not a device. Refusing the newest instead
 * would let idle connections keep devices out.
 */
export function createUnauthenticated(limits: UnauthenticatedLimits) {
  /** In the order in which they came. */
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
    /** Call with each new connection, and again when what it has shown was wrong. */
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
    /** Call when a connection says whose it is. */
    delete(socket: Socket): void {
      waiting.delete(socket);
    },
  };
}
