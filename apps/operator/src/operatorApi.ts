import { randomBytes } from "node:crypto";
import type { ErrorBody } from "@aqua/sdk/api/envelope";
import { actHeaders, publicReason, type WaitingForSecond } from "@aqua/sdk/api/operator";
import { actCommitment, operatorAct } from "@aqua/sdk/proofs/log/entry";
import { toHex } from "@aqua/sdk/proofs/reading";
import type { LocalAccount } from "viem";
import { CommandError, serverUrl, WaitsForSecond } from "./api.ts";
import type { KeyTerminal } from "./keystore.ts";
import { operatorAccount } from "./operatorKey.ts";

export interface OperatorApi {
  json<Data>(path: string, body?: object): Promise<Data>;
  /** Sends one file of lines of JSON. */
  ndjson<Data>(path: string, file: Uint8Array): Promise<Data>;
  file(path: string): Promise<{ content: Uint8Array; type: string }>;
}

/** The option of `withReason`. */
export interface Reasoned {
  reason?: string | undefined;
}

const ANSWER_WITHIN_MS = 60_000;
const API_PATH = "/api/v2/";

/** An operator's key, and the log in which the acts are recorded. */
interface Signer {
  account: LocalAccount;
  site: string;
}

/**
 * Returns the operator's calls. Each POST is signed if the operator has a key, and says `why` in the public log.
 * @throws CommandError for a missing or wrong setting, and with the server's message when it refuses
 */
export function operatorApi(terminal: KeyTerminal, why?: string): OperatorApi {
  const url = serverUrl(terminal.environment);
  const reason = why === undefined ? undefined : reasonOf(why);
  const token = terminal.environment.OPERATOR_TOKEN?.trim() ?? "";
  if (token === "") throw new CommandError("OPERATOR_TOKEN must be set to the token the server was started with");
  let signer: Promise<Signer | null> | undefined;

  async function request(target: URL, init: RequestInit): Promise<Response> {
    try {
      return await fetch(target, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    } catch {
      throw new CommandError(`${url} does not answer; set AQUA_URL to where the server is`);
    }
  }

  async function findSigner(): Promise<Signer | null> {
    const account = await operatorAccount(terminal);
    if (account === null) return null;
    const response = await request(new URL(`${API_PATH}log/checkpoint`, url), {});
    const [site = ""] = response.ok ? (await response.text()).split("\n") : [];
    if (site === "") throw new CommandError(`${url} has no log in which an act could be recorded`);
    return { account, site };
  }

  async function call(path: string, body?: string | Uint8Array<ArrayBuffer>): Promise<Response> {
    const target = new URL(`${API_PATH}operator/${path}`, url);
    const authorization = `Bearer ${token}`;
    if (body === undefined) {
      const response = await request(target, { headers: { authorization } });
      if (response.ok) return response;
      throw await refusalOf(response, path, true);
    }
    signer ??= findSigner();
    const signing = await signer;
    const response = await request(target, {
      method: "POST",
      headers: {
        authorization,
        "content-type": typeof body === "string" ? "application/json" : "application/x-ndjson",
        ...(reason !== undefined && { [actHeaders.reason]: encodeURIComponent(reason) }),
        ...(signing !== null && (await signatureHeaders(signing, { target, body, reason }))),
      },
      body,
    });
    if (response.status === 202) throw waiting(((await response.json()) as { data: WaitingForSecond }).data);
    if (response.ok) return response;
    throw await refusalOf(response, path, signing !== null);
  }

  return {
    async json<Data>(path: string, body?: object) {
      const response = await call(path, body === undefined ? undefined : JSON.stringify(body));
      return ((await response.json()) as { data: Data }).data;
    },
    async ndjson<Data>(path: string, file: Uint8Array) {
      return ((await (await call(path, Uint8Array.from(file))).json()) as { data: Data }).data;
    },
    async file(path) {
      const response = await call(path);
      const type = response.headers.get("content-type") ?? "application/octet-stream";
      return { content: new Uint8Array(await response.arrayBuffer()), type };
    },
  };
}

/** Returns the reason as the server reads it, because the signature covers these characters. */
function reasonOf(why: string): string {
  const parsed = publicReason.safeParse(why);
  if (!parsed.success) throw new CommandError(`--reason: ${parsed.error.issues[0]?.message}`);
  return parsed.data;
}

/** The headers that make a call an act of this operator. */
async function signatureHeaders(
  { account, site }: Signer,
  { target, body, reason }: { target: URL; body: string | Uint8Array; reason: string | undefined },
): Promise<Record<string, string>> {
  const time = Date.now();
  const nonce = toHex(randomBytes(32));
  const { pathname, search } = target;
  const call = `POST ${pathname.slice(API_PATH.length)}${search}`;
  const signature = await account.signTypedData(
    operatorAct({ site, call, commitment: actCommitment(nonce, body), time, reason }),
  );
  return { [actHeaders.time]: String(time), [actHeaders.nonce]: nonce, [actHeaders.signature]: signature };
}

function waiting({ first, until }: WaitingForSecond): WaitsForSecond {
  const latest = `${new Date(until).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return new WaitsForSecond(
    `Recorded, and nothing is changed yet: ${first} was first. Another operator must run the same command until ${latest}.`,
  );
}

async function refusalOf(response: Response, path: string, isSigned: boolean): Promise<CommandError> {
  const { status } = response;
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  if (body?.error_code === "token_error") {
    return new CommandError("OPERATOR_TOKEN is neither the server's own token nor that of an operator");
  }
  // A server without a token has none of these routes.
  if (status === 404 && (path.startsWith("identity?") || path === "status")) {
    return new CommandError("the server was started without OPERATOR_TOKEN");
  }
  const message = body?.message ?? `the server answered ${status}`;
  if (body?.error_code === "signature_invalid" && !isSigned) {
    return new CommandError(`${message}; set OPERATOR_KEYSTORE or OPERATOR_KEY to the key of an operator`);
  }
  const [, command] = status === 404 ? (/^(identity|device)/.exec(path) ?? []) : [];
  const known = command === undefined ? "" : `; \`aqua ${command} list\` lists the existing ones`;
  return new CommandError(`${message}${known}`);
}
