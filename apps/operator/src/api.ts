import type { ErrorBody } from "@aqua/sdk/api/envelope";

/** An error that the operator can correct; printed as one line, without a stack. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** A command line that is not understood; the exit code is 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

export interface OperatorApi {
  json<Data>(path: string, body?: object): Promise<Data>;
  /** Sends one file of lines of JSON. */
  ndjson<Data>(path: string, file: Uint8Array): Promise<Data>;
  file(path: string): Promise<{ content: Uint8Array; type: string }>;
}

const ANSWER_WITHIN_MS = 60_000;

/**
 * Returns the server's address.
 * @throws CommandError
 */
export function serverUrl(environment: Record<string, string | undefined>): string {
  const url = environment.AQUA_URL?.trim() || "http://localhost:8080";
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new CommandError("AQUA_URL must be a URL that starts with http:// or https://");
}

/**
 * Returns the operator's calls.
 * @throws CommandError for a missing or wrong setting, and with the server's message when it refuses
 */
export function operatorApi(environment: Record<string, string | undefined>): OperatorApi {
  const url = serverUrl(environment);
  const token = environment.OPERATOR_TOKEN?.trim() ?? "";
  if (token === "") throw new CommandError("OPERATOR_TOKEN must be set to the token the server was started with");

  async function call(path: string, body?: object | Uint8Array<ArrayBuffer>): Promise<Response> {
    const isFile = body instanceof Uint8Array;
    let response: Response;
    try {
      response = await fetch(new URL(`/api/v2/operator/${path}`, url), {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": isFile ? "application/x-ndjson" : "application/json" }),
        },
        ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
    } catch {
      throw new CommandError(`${url} does not answer; set AQUA_URL to where the server is`);
    }
    if (response.ok) return response;
    throw new CommandError(
      refusalOf(response.status, path, (await response.json().catch(() => null)) as ErrorBody | null),
    );
  }

  return {
    async json<Data>(path: string, body?: object) {
      return ((await (await call(path, body)).json()) as { data: Data }).data;
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

function refusalOf(status: number, path: string, body: ErrorBody | null): string {
  if (body?.error_code === "token_error") return "OPERATOR_TOKEN is not the token the server was started with";
  // A server without a token has none of these routes.
  if (status === 404 && (path.startsWith("identity?") || path === "status"))
    return "the server was started without OPERATOR_TOKEN";
  const [, command] = status === 404 ? (/^(identity|device)/.exec(path) ?? []) : [];
  const known = command === undefined ? "" : `; \`aqua ${command} list\` lists the existing ones`;
  return `${body?.message ?? `the server answered ${status}`}${known}`;
}
