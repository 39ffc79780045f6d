/**
 * A node that serves a made-up chain over HTTP, in a process of its own: its memory and work are not the indexer's. The
 * parent may move its head, which the node publishes over WebSocket.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { type Call, makeHistory } from "../../apps/server/test/indexer/history.ts";

export interface Move {
  head: number;
  /** The blocks above this one are replaced. */
  fork?: number;
}

/** The head at `at`, Unix milliseconds. */
export interface Moved {
  head: number;
  at: number;
}

const history = makeHistory({ size: Number(process.argv[2]) });
let head = history.head;
const forks: number[] = [];

/** Replaces the hashes of each block above a fork. */
function onBranch(answer: string): string {
  if (forks.length === 0) return answer;
  return answer.replace(/0xb10c([0-9a-f]{60})/g, (_, number: string) => {
    const generation = forks.filter((fork) => fork < Number.parseInt(number, 16)).length;
    return `0x${(0xb10c + generation).toString(16)}${number}`;
  });
}

function answerTo({ method, params }: Call): string {
  const [first, ...rest] = (params ?? []) as unknown[];
  const named = first === "latest" ? { method, params: [`0x${head.toString(16)}`, ...rest] } : { method, params };
  return onBranch(JSON.stringify(history.answer(named)));
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { id, ...call } = JSON.parse(body) as Call & { id: number };
  response.setHeader("content-type", "application/json");
  response.end(`{"jsonrpc":"2.0","id":${id},"result":${answerTo(call)}}`);
});
const sockets = new WebSocketServer({ server });
sockets.on("connection", (socket) =>
  socket.on("message", (text) => {
    const { id } = JSON.parse(String(text)) as { id: number };
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }));
  }),
);
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  const { deployment, size } = history;
  process.send?.({ url: `http://127.0.0.1:${port}`, deployment, size, head });
});
process.on("message", (move: Move) => {
  head = move.head;
  if (move.fork !== undefined) forks.push(move.fork);
  const moved: Moved = { head, at: performance.timeOrigin + performance.now() };
  const block = answerTo({ method: "eth_getBlockByNumber", params: ["latest"] });
  const params = `{"subscription":"0x1","result":${block}}`;
  for (const socket of sockets.clients) socket.send(`{"jsonrpc":"2.0","method":"eth_subscription","params":${params}}`);
  process.send?.(moved);
});
process.on("disconnect", () => process.exit());
