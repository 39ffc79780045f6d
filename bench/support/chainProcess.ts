/** A node that serves a made-up chain over HTTP, in a process of its own: its memory and work are not the indexer's. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Call, makeHistory } from "../../apps/server/test/indexer/history.ts";

const history = makeHistory({ size: Number(process.argv[2]) });

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { id, ...call } = JSON.parse(body) as Call & { id: number };
  const result = history.answer(call);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  const { deployment, size, head } = history;
  process.send?.({ url: `http://127.0.0.1:${port}`, deployment, size, head });
});
process.on("disconnect", () => process.exit());
