/**
 * Measures the cost of attacks on /rpc for everybody else: the memory of the server while nobody reads its answers, and
 * the latency of `GET network` beside callers who repeatedly request the largest answers. Run: npm run bench -- attacks
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { startServer } from "../apps/server/test/support/startServer.ts";
import { freePort } from "../devnet/test/support/port.ts";
import { type Figure, printGoals } from "./support/goals.ts";
import { load, type Measured } from "./support/load.ts";
import { medianOfEach } from "./support/median.ts";

const UNREAD = 100;
const UNREAD_SECONDS = 15;
const ABUSIVE = 4;
const SECONDS = 4;
const ROUNDS = 5;
/** Requests a second for `GET network`, as some visitors make them. */
const RATE = 40;

const call = (method: string, params: unknown[]) => ({ jsonrpc: "2.0", id: 1, method, params });
const range = { fromBlock: "0x0", toBlock: "0x270f" };
const revert = call("eth_call", [{ data: "0x60" }, "latest"]);
const attacks = {
  "50 reverts of 1.9 MB": Array<object>(50).fill(revert),
  "a revert of 1.9 MB": revert,
  "logs of 2 MB": call("eth_getLogs", [range]),
  "a block of 3.9 MB": call("eth_getBlockByNumber", ["0x1", true]),
};

const folder = mkdtempSync(join(tmpdir(), "aqua-bench-"));
const postgres = await startPostgres([]);
const nodePort = await freePort();
const node = fork(join(import.meta.dirname, "support", "largeNode.ts"), [String(nodePort)]);
const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true }), postgres.stop];
stops.push(() => node.kill());

await once(node, "message");

async function openServer() {
  const { child, listening } = startServer({
    DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    RPC_URL_31337: `http://127.0.0.1:${nodePort}`,
    DEPLOYMENTS_DIR: folder,
    // The attackers of the second part have many addresses; here the limits of one must not end it.
    RATE_LIMIT_API: "1000000",
    RATE_LIMIT_RPC: "1000000",
  });
  stops.push(() => child.kill());
  const { url } = await listening;
  return { url, port: Number(new URL(url).port), pid: child.pid ?? 0 };
}

/** Memory of a process in MB, now and at its most. */
function memoryOf(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
  return { now: of("VmRSS"), most: of("VmHWM") };
}

/** Posts to /rpc and reads the answer; null where the connection broke. */
function post(
  port: number,
  body: object,
  from: string,
  agent: Agent,
): Promise<{ status: number; bytes: number } | null> {
  return new Promise((resolve) => {
    const options = { port, path: "/rpc/31337", host: "127.0.0.1", localAddress: from, method: "POST", agent };
    const headers = { "content-type": "application/json" };
    const asked = request({ ...options, headers }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once("end", () => resolve({ status: response.statusCode ?? 0, bytes }));
      response.once("error", () => resolve(null));
    });
    asked.once("error", () => resolve(null)).end(JSON.stringify(body));
  });
}

/** Connections that ask for what is largest, again when they are closed, and never read. */
function leaveUnread(port: number, body: object): () => void {
  const text = JSON.stringify(body);
  const head = ["POST /rpc/31337 HTTP/1.1", "host: localhost", "content-type: application/json"];
  const asking = `${head.join("\r\n")}\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
  const sockets = new Set<Socket>();
  let ended = false;
  function open(n: number): void {
    if (ended) return;
    // Ten networks, so that no bound of one alone ends it.
    const socket = connect({ port, host: "127.0.0.1", localAddress: `127.0.1.${10 + (n % 10)}` });
    sockets.add(socket.pause().on("error", () => {}));
    socket.once("connect", () => socket.write(asking));
    socket.once("close", () => {
      sockets.delete(socket);
      setTimeout(() => open(n), 100);
    });
  }
  for (let n = 0; n < UNREAD; n += 1) open(n);
  return () => {
    ended = true;
    for (const socket of sockets) socket.destroy();
  };
}

async function measureUnread(name: string, body: object): Promise<Figure[]> {
  const server = await openServer();
  const before = memoryOf(server.pid).now;
  const close = leaveUnread(server.port, body);
  const agent = new Agent({ keepAlive: true });
  const statuses: Record<string, number> = {};
  const end = performance.now() + UNREAD_SECONDS * 1_000;
  while (performance.now() < end) {
    const [rpc, network] = await Promise.all([
      post(server.port, call("eth_chainId", []), "127.0.2.1", agent),
      fetch(`${server.url}/api/v2/network`).then(({ status }) => status),
    ]);
    for (const status of [`/rpc ${rpc?.status}`, `network ${network}`]) statuses[status] = (statuses[status] ?? 0) + 1;
    await sleep(100);
  }
  const { most } = memoryOf(server.pid);
  close();
  agent.destroy();
  console.log(
    `${UNREAD} connections leave ${name} unread: ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`,
  );
  console.log(`  others: ${JSON.stringify(statuses)}`);
  const answered = (statuses["/rpc 200"] ?? 0) + (statuses["network 200"] ?? 0);
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return [
    { what: "memory of the server, MB", where: name, measured: most, goal: 600, unit: "" },
    {
      what: "part of others' requests answered",
      where: name,
      measured: answered / all,
      goal: 1,
      unit: "",
      least: true,
    },
  ];
}

/** Medians of rounds in which nobody else asks and rounds beside the attack, in turns: the machine may be busy too. */
async function measureLatency(server: { url: string; port: number }, name: string, body: object): Promise<Figure> {
  const asked = { url: server.url, paths: ["/api/v2/network"], connections: 4, seconds: SECONDS, rate: RATE };
  const quiet: Measured[] = [];
  const busy: Measured[] = [];
  let answers = 0;
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await load(asked));
    const agents = Array.from({ length: ABUSIVE }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    let ended = false;
    const abuse = agents.map(async (agent, n) => {
      while (!ended) {
        const answer = await post(server.port, body, `127.0.3.${n + 1}`, agent);
        answers += 1;
        bytes += answer?.bytes ?? 0;
      }
    });
    await sleep(500);
    busy.push(await load(asked));
    ended = true;
    await Promise.all(abuse);
    for (const agent of agents) agent.destroy();
  }
  const rate = `${answers} answers, ${(bytes / 1e6).toFixed(0)} MB`;
  console.log(`${ABUSIVE} connections ask for ${name} (${rate}): GET network`);
  const medians = { quiet: middleOf(quiet), busy: middleOf(busy) };
  for (const [when, { p50, p95, p99 }] of Object.entries(medians)) {
    console.log(`  ${when.padEnd(6)} p50 ${p50.toFixed(1)}  p95 ${p95.toFixed(1)}  p99 ${p99.toFixed(1)} ms`);
  }
  const measured = medians.busy.p95 / medians.quiet.p95;
  return { what: "p95 of GET network, times its quiet value", where: name, measured, goal: 5, unit: "" };
}

const middleOf = (rounds: readonly Measured[]) => medianOfEach(rounds.map(({ p50, p95, p99 }) => ({ p50, p95, p99 })));

try {
  const figures: Figure[] = [];
  const latency = await openServer();
  // Once for each to get warm.
  await load({ url: latency.url, paths: ["/api/v2/network"], connections: 4, seconds: 2 });
  for (const [name, body] of Object.entries(attacks)) figures.push(await measureLatency(latency, name, body));
  figures.push(...(await measureUnread("a block of 3.9 MB", attacks["a block of 3.9 MB"])));
  printGoals(figures);
} finally {
  for (const stop of stops.reverse()) await stop();
}
