import { createServer } from "node:net";

/** Below the system's ephemeral ports, so that no connection can occupy a chosen port before it is used. */
const [from, below] = [20_000, 30_000];

/** Returns a port on which nothing listens now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = from + Math.floor(Math.random() * (below - from));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
