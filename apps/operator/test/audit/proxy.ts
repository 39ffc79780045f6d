import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Changes an answer's `data`. It may change the value in place. Undefined: answers HTTP 500. */
export type Lie = (data: never) => unknown;

export interface LyingSite {
  url: string;
  /** Answers of calls that begin with a key, such as `product/list`, are changed from now on. */
  tell(lies: Record<string, Lie>): void;
  /** Serves the log of another site in place of its own. */
  takeLogOf(url: string): void;
  /** Breaks off every call from the next call of this path on, until the next lies are told. */
  vanishAt(call: string): void;
  /** The paths of the calls, in their order, since the last lies were told. */
  readonly asked: readonly string[];
  close(): void;
}

/** Forwards the calls of a site's API and changes some of the answers. */
export async function openLyingSite(honest: string): Promise<LyingSite> {
  let lies: Record<string, Lie> = {};
  let logUrl = honest;
  let [asked, lastCall, isGone]: [string[], string | null, boolean] = [[], null, false];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").replace("/api/v2/", "");
    isGone ||= lastCall !== null && isOf(path, lastCall);
    if (isGone) {
      response.destroy();
      return;
    }
    asked.push(path);
    const answer = await fetch((path.startsWith("log/") ? logUrl : honest) + request.url);
    if (!answer.headers.get("content-type")?.startsWith("application/json")) {
      response.statusCode = answer.status;
      response.end(new Uint8Array(await answer.arrayBuffer()));
      return;
    }
    const body = (await answer.json()) as { data: never };
    const [, lie] = Object.entries(lies).find(([call]) => isOf(path, call)) ?? [];
    response.setHeader("content-type", "application/json");
    if (lie === undefined || answer.status !== 200) {
      response.statusCode = answer.status;
      response.end(JSON.stringify(body));
      return;
    }
    const data = lie(body.data);
    if (data === undefined) response.statusCode = 500;
    response.end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell(next) {
      [lies, asked, lastCall, isGone] = [next, [], null, false];
    },
    takeLogOf(url) {
      logUrl = url;
    },
    vanishAt(call) {
      lastCall = call;
    },
    get asked() {
      return asked;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isOf(path: string, call: string): boolean {
  return path.split("?")[0] === call;
}
