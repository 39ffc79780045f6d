/** A node whose answers are as large as an attacker can make them. Run by bench/attacks.ts, as a process of its own. */
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

interface Call {
  id: number;
  method: string;
}

const KIB = 1024;
const hex = (bytes: number) => "ab".repeat(bytes / 2);
const log = {
  address: `0x${"12".repeat(20)}`,
  topics: [`0x${"34".repeat(32)}`, `0x${"56".repeat(32)}`],
  data: `0x${"78".repeat(64)}`,
  blockNumber: "0x10",
  transactionHash: `0x${"9a".repeat(32)}`,
  transactionIndex: "0x0",
  blockHash: `0x${"bc".repeat(32)}`,
  logIndex: "0x0",
  removed: false,
};
const logs = (bytes: number) =>
  JSON.stringify(Array<typeof log>(Math.floor(bytes / (JSON.stringify(log).length + 1))).fill(log));

/** The rest of an answer after its id, by method. */
const answers: Record<string, Buffer> = {
  // An init code that reverts with all the memory its gas pays for.
  eth_call: Buffer.from(`"error":{"code":3,"message":"execution reverted","data":"0x${hex(1_900 * KIB)}"}`),
  eth_getLogs: Buffer.from(`"result":${logs(2_000 * KIB)}`),
  eth_getBlockByNumber: Buffer.from(`"result":"0x${hex(3_900 * KIB)}"`),
};

const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  const body = JSON.parse(text) as Call | Call[];
  const calls = Array.isArray(body) ? body : [body];
  // In pieces, so that a long answer takes this process no time of the two cores that the server needs.
  const pieces = calls.flatMap(({ id, method }, n) => [
    Buffer.from(`${n === 0 ? "" : ","}{"jsonrpc":"2.0","id":${id},`),
    answers[method] ?? Buffer.from('"result":"0x1"'),
    Buffer.from("}"),
  ]);
  const all = Array.isArray(body) ? [Buffer.from("["), ...pieces, Buffer.from("]")] : pieces;
  response.setHeader("content-type", "application/json");
  // The server hangs up on an answer that is too long.
  await pipeline(Readable.from(all), response).catch(() => {});
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => process.send?.("listening"));
process.on("disconnect", () => process.exit(0));
