import { connect } from "node:net";

export interface Load {
  url: string;
  /** Asked for in turns. */
  paths: readonly string[];
  connections: number;
  seconds: number;
  /** Requests a second over all connections; without it, each connection asks again as soon as it is answered. */
  rate?: number;
}

export interface Measured {
  perSecond: number;
  /** Milliseconds from when a request was due, which with a rate is not when it was sent. */
  p50: number;
  p95: number;
  p99: number;
  /** Answers with another status than 200, by status. */
  refused: Record<string, number>;
}

/** Asks over plain sockets that stay open: a client that costs little beside the server it shares the machine with. */
export async function load({ url, paths, connections, seconds, rate }: Load): Promise<Measured> {
  const { hostname, port } = new URL(url);
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`));
  const times: number[] = [];
  const refused: Record<string, number> = {};
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  let sent = 0;

  /** When the next request is due; null when there is none any more. */
  function nextDue(): number | null {
    const due = rate === undefined ? performance.now() : begin + (sent / rate) * 1_000;
    if (due >= end) return null;
    sent += 1;
    return due;
  }

  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let due = 0;
      /** State of the current response: the received part of its head, and the bytes of its body still to come. */
      let head = "";
      let left = -1;

      function ask(): void {
        const next = nextDue();
        if (next === null) {
          socket.destroy();
          return;
        }
        due = next;
        const request = requests[sent % requests.length] as Buffer;
        const wait = due - performance.now();
        if (wait <= 1) socket.write(request);
        else setTimeout(() => socket.write(request), wait);
      }
      function answered(): void {
        const status = head.slice(9, 12);
        if (status === "200") times.push(performance.now() - due);
        else refused[status] = (refused[status] ?? 0) + 1;
        head = "";
        left = -1;
        ask();
      }
      socket.setNoDelay(true);
      socket.once("connect", ask);
      socket.once("close", () => resolve());
      socket.once("error", (cause) =>
        reject(new Error(`${url} broke one of ${connections} connections off`, { cause })),
      );
      socket.on("data", (chunk) => {
        if (left >= 0) left -= chunk.length;
        else {
          head += chunk.toString("latin1");
          const body = head.indexOf("\r\n\r\n") + 4;
          if (body < 4) return;
          left = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (head.length - body);
        }
        if (left === 0) answered();
        else if (!(left > 0)) reject(new Error(`an answer that cannot be measured: ${head.slice(0, 200)}`));
      });
    });
  await Promise.all(Array.from({ length: connections }, connection));
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
  return { perSecond: times.length / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99), refused };
}
