import { randomInt } from "node:crypto";
import { Agent, request as ask, createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer as createListener, type Socket } from "node:net";
import { pipeline } from "node:stream";

export interface ChainProxyOptions {
  /** Port at which programs on this machine reach the chain. */
  port: number;
  /** Address on which anvil listens. */
  target: ChainAddress;
  /** Origin of the web app. */
  appOrigin: string;
}

export interface ChainAddress {
  host: string;
  port: number;
}

export interface ChainProxy {
  url: string;
  stop(): Promise<void>;
}

const LOCAL_NAMES = new Set(["127.0.0.1", "localhost", "[::1]"]);
/** Origins of browser wallets: their requests come from the extension, not from a page. */
const EXTENSIONS = new Set(["chrome-extension:", "moz-extension:", "safari-web-extension:"]);

/**
 * Whether a request may reach the chain. Programs send no Origin. Whoever reaches the chain controls all its money and
 * blocks, so only the app's page may: other pages must not, neither from their own origin nor under a name that they
 * point here (DNS rebinding).
 */
export function mayReachChain({ host = "", origin }: IncomingHttpHeaders, appOrigin: string): boolean {
  const address = `http://${host}`;
  if (!URL.canParse(address) || !LOCAL_NAMES.has(new URL(address).hostname)) return false;
  if (origin === undefined || origin === appOrigin) return true;
  return URL.canParse(origin) && EXTENSIONS.has(new URL(origin).protocol);
}

/**
 * Returns an address to listen on that no page can find: on Linux one of the 16 million addresses of the loopback
 * network; elsewhere only a random port, because other systems have only 127.0.0.1.
 */
export async function hiddenAddress(): Promise<ChainAddress> {
  const part = () => randomInt(1, 255);
  const host = process.platform === "linux" ? `127.${part()}.${part()}.${part()}` : "127.0.0.1";
  const probe = createListener();
  await new Promise<void>((resolve, reject) => probe.once("error", reject).listen(0, host, resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return { host, port };
}

/** Forwards permitted requests to anvil, over HTTP and WebSocket, and refuses others with 403. */
export async function startChainProxy({ port, target, appOrigin }: ChainProxyOptions): Promise<ChainProxy> {
  const agent = new Agent({ keepAlive: true });
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    if (!mayReachChain(request.headers, appOrigin)) {
      const refusal = "The local chain answers programs of this machine, wallets in a browser, and the app alone.\n";
      response.writeHead(403, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(refusal);
      return;
    }
    const { method, url: path, headers } = request;
    const call = ask({ ...target, method, path, headers, agent });
    call.once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => {});
    });
    call.once("error", (error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { "content-type": "text/plain; charset=utf-8" }).end(`${error.message}\n`);
    });
    pipeline(request, call, () => {});
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (request, socket, head) => {
    if (!mayReachChain(request.headers, appOrigin)) {
      socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
      return;
    }
    const chain = connect(target.port, target.host);
    chain.write(headOf(request));
    chain.write(head);
    // When one side ends or fails, the other ends too.
    pipeline(socket, chain, () => socket.destroy());
    pipeline(chain, socket, () => chain.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      await closed;
    },
  };
}

/** Returns the head of a request as it was received. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let n = 0; n < rawHeaders.length; n += 2) lines.push(`${rawHeaders[n]}: ${rawHeaders[n + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}
