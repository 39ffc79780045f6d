import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** A connection that was just made may have its first request on the way. */
const GRACE_MS = 300;

/**
 * Lets `app.close()` end. Requests in progress are answered, for `patienceMs` at most, and idle connections are cut.
 * Node itself waits without limit for connections that have not sent anything yet, which browsers open in advance.
 */
export function registerDrain(app: FastifyInstance, patienceMs: number): void {
  const underWay = new Map<Socket, number>();
  let closing = false;

  app.server.on("connection", (socket: Socket) => {
    underWay.set(socket, 0);
    socket.once("close", () => underWay.delete(socket));
  });
  app.server.on("request", ({ socket }, response) => {
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (underWay.get(socket) ?? 1) - 1;
      if (socket.destroyed) return;
      underWay.set(socket, left);
      if (closing && left === 0) socket.end();
    });
  });
  app.addHook("preClose", async () => {
    closing = true;
    setTimeout(() => {
      for (const [socket, requests] of underWay) if (requests === 0) socket.destroy();
    }, GRACE_MS).unref();
    setTimeout(() => {
      for (const socket of underWay.keys()) socket.destroy();
    }, patienceMs).unref();
  });
}
