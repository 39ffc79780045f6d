import { randomInt } from "node:crypto";
import type { Config } from "../../../server/src/config.ts";
import { clockFinding, type Finding, failed, ok, reasonIn, warning } from "./finding.ts";

const WAIT_MS = 10_000;
/** The server sends the beginning of an event stream at once. */
const STREAM_MS = 5_000;
/** Calls that one process at least has answered when several share an address in turn. */
const CALLS = 6;

/** What a visitor gets at PUBLIC_URL, through every proxy in front of the servers. */
export async function checkAddress({ publicUrl, environment }: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  const isHttps = publicUrl.startsWith("https:");
  if (isHttps) findings.push(ok("address", `${publicUrl} is https`));
  else {
    const says = `${publicUrl} is not https: passwords and sessions can be read on the way`;
    const finding = environment === "production" ? failed : warning;
    findings.push(finding("address", says, "set PUBLIC_URL to the https address, with a proxy that ends TLS"));
  }
  const asked = Date.now();
  let ready: Response;
  try {
    ready = await get(publicUrl, "/ready");
  } catch (error) {
    const why = reasonIn((error as Error).cause ?? error);
    const next = "start the server, or correct PUBLIC_URL, its name in the DNS, or the proxy's certificate";
    return [...findings, failed("ready", `${publicUrl} does not answer: ${why}`, next)];
  }
  findings.push(...readyFindings(ready, await ready.text()));
  const date = Date.parse(ready.headers.get("date") ?? "");
  if (!Number.isNaN(date)) {
    // The header has whole seconds.
    const within = (Date.now() - asked) / 1_000 + 1;
    findings.push(clockFinding("server clock", "the server", { seconds: (date - asked) / 1_000, within }));
  }
  for (const check of [
    checkHost,
    ...(isHttps ? [checkStrictTransport] : []),
    checkMetrics,
    checkStream,
    checkForwarded,
  ]) {
    try {
      findings.push(await check(publicUrl));
    } catch (error) {
      findings.push(
        failed("proxy", `${publicUrl} broke a request off: ${reasonIn(error)}`, "look into the proxy's log"),
      );
    }
  }
  return findings;
}

const get = (publicUrl: string, path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, publicUrl), { headers, redirect: "manual", signal: AbortSignal.timeout(WAIT_MS) });

function readyFindings({ status }: Response, text: string): Finding[] {
  type Part = { part: string; reason: string; note?: string };
  let body: { status?: string; reasons?: Part[]; degraded?: Part[] } = {};
  try {
    body = JSON.parse(text);
  } catch {
    // Another program answers; the finding below says so.
  }
  const { reasons = [], degraded = [] } = body;
  if (body.status === undefined) {
    return [
      failed(
        "ready",
        `/ready answers ${status}, and not as Aqua does`,
        "let the proxy pass every path on to the server",
      ),
    ];
  }
  const list = (parts: readonly Part[]) => parts.map(({ part, reason }) => `${part} (${reason})`).join(", ");
  const next = "docs/operators/settings.md, Operation, explains each reason; the log has more";
  const findings = [
    body.status === "ready" ? ok("ready", "the server is ready") : failed("ready", `it is not: ${list(reasons)}`, next),
  ];
  if (degraded.length > 0) findings.push(warning("degraded", list(degraded), next));
  return findings;
}

/** The server refuses a name that is not its own, so it sees the Host that visitors use if it answers. */
async function checkHost(publicUrl: string): Promise<Finding> {
  const { status } = await get(publicUrl, "/api/v2/network");
  if (status === 200) return ok("proxy host", "the server sees the host of PUBLIC_URL");
  return failed(
    "proxy host",
    `/api/v2/network answers ${status}`,
    "let the proxy keep Host and pass /api on, or set ALLOWED_HOSTS",
  );
}

async function checkStrictTransport(publicUrl: string): Promise<Finding> {
  const { headers } = await get(publicUrl, "/");
  const value = headers.get("strict-transport-security");
  if (value !== null) return ok("proxy https", `browsers are told to stay on https (${value})`);
  return failed(
    "proxy https",
    "there is no Strict-Transport-Security",
    "start the server with this PUBLIC_URL, and let the proxy keep the header",
  );
}

async function checkMetrics(publicUrl: string): Promise<Finding> {
  const response = await get(publicUrl, "/metrics");
  const text = await response.text();
  if (response.status !== 200 || !text.includes("aqua_"))
    return ok("proxy metrics", `/metrics is refused (${response.status})`);
  const says = "/metrics can be read at PUBLIC_URL";
  if (isOfThisMachine(publicUrl)) return warning("proxy metrics", says, "let the proxy refuse /metrics");
  return failed("proxy metrics", says, "let the proxy refuse /metrics: docs/operators/settings.md, Where it listens");
}

const isOfThisMachine = (url: string) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);

/** The server sends the beginning of the stream at once. A proxy that collects answers holds it back. */
async function checkStream(publicUrl: string): Promise<Finding> {
  const check = "proxy events";
  const next = "let the proxy pass /api/v2/events on unbuffered, and keep it open for more than 15 s";
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), STREAM_MS);
  try {
    const { status, body } = await fetch(new URL("/api/v2/events", publicUrl), { signal: controller.signal });
    if (status !== 200 || body === null) return failed(check, `/api/v2/events answers ${status}`, next);
    const { value } = await body.getReader().read();
    if (
      Buffer.from(value ?? [])
        .toString()
        .startsWith("retry:")
    )
      return ok(check, "an event stream arrives at once");
    return failed(check, "the event stream does not begin as the server's", next);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    return failed(check, `nothing of an event stream arrived within ${STREAM_MS / 1_000} s`, next);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

/**
 * Whether a visitor can choose the address under which calls count: a call with a made-up X-Forwarded-For would then find
 * nothing used up. With several servers in turn each has counted some of the calls before.
 */
async function checkForwarded(publicUrl: string): Promise<Finding> {
  const check = "proxy addresses";
  const remaining = async (headers: Record<string, string> = {}) => {
    const answer = await get(publicUrl, "/api/v2/network", headers);
    await answer.arrayBuffer();
    return Number(answer.headers.get("x-ratelimit-remaining") ?? Number.NaN);
  };
  const own: number[] = [];
  for (let call = 0; call < CALLS; call += 1) own.push(await remaining());
  const made = await remaining({ "x-forwarded-for": `198.51.100.${randomInt(1, 255)}` });
  if ([...own, made].some(Number.isNaN)) {
    return warning(check, "answers have no x-ratelimit-remaining", "let the proxy keep the server's headers");
  }
  if (made <= Math.max(...own)) return ok(check, "a made-up X-Forwarded-For does not count as an address");
  const next = "let the proxy replace X-Forwarded-For, and set TRUST_PROXY to the number of proxies";
  return failed(check, "a visitor can choose an address by X-Forwarded-For, and has no limits", next);
}
