import { requestTimeout } from "@aqua/sdk/api/calls";
import type { AddDeskPasskeyBody, AddedDeskPasskey, DeskLogIn, DeskLogInBody, DeskState } from "@aqua/sdk/api/desk";
import type { List } from "@aqua/sdk/api/envelope";
import type {
  ApproveBody,
  CaseListQuery,
  IdentityCaseDetail,
  IdentityCaseLine,
  OperatorStatus,
  RejectBody,
  RetriedJobs,
  RetryJobsBody,
  WaitingForSecond,
} from "@aqua/sdk/api/operator";
import type { PasskeyOptions } from "@aqua/sdk/api/security";
import { hasCode } from "../account/failure.ts";
import { deskToken, forgetDeskToken } from "./session.ts";

/** Null of `waiting`: the change was made. Otherwise a second operator has to make the same call. */
interface Change<Data> {
  data: Data | null;
  waiting: WaitingForSecond | null;
}

interface Options {
  body?: object;
  /** In place of the token of the log-in. */
  token?: string;
  signal?: AbortSignal | undefined;
}

/**
 * Makes a call of an operator. The depositor's connection is not used, because it sends the depositor's token and logs
 * the depositor out after a wrong one. A log-in that has ended is forgotten. Throws as the shared client does: the
 * response's body, or null if there was no response.
 */
async function send(path: string, { body, token, signal }: Options = {}): Promise<Response> {
  const own = deskToken();
  const sent = token ?? own;
  const timeout = AbortSignal.timeout(requestTimeout);
  const response = await fetch(`/api/v2/operator/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(sent === null ? {} : { authorization: `Bearer ${sent}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    cache: "no-store",
  }).catch(() => {
    throw null;
  });
  if (response.ok) return response;
  const refusal: unknown = await response.json().catch(() => null);
  // A late answer to a call of an earlier log-in must not end the current one.
  if (token === undefined && own === deskToken() && hasCode(refusal, "token_error")) forgetDeskToken(true);
  throw refusal ?? { message: response.statusText };
}

async function dataOf<Data>(response: Response): Promise<Data> {
  const body = (await response.json().catch(() => null)) as { data: Data } | null;
  if (body === null) throw null;
  return body.data;
}

const ask = async <Data>(path: string, options?: Options) => dataOf<Data>(await send(path, options));

async function change<Data>(path: string, body: object): Promise<Change<Data>> {
  const response = await send(path, { body });
  return response.status === 202
    ? { data: null, waiting: await dataOf<WaitingForSecond>(response) }
    : { data: await dataOf<Data>(response), waiting: null };
}

const caseOf = (id: string) => `identity/${encodeURIComponent(id)}`;

/** The operator's calls that the desk makes. */
export const desk = {
  state: (signal?: AbortSignal) => ask<DeskState>("desk", { signal }),
  logInOptions: () => ask<PasskeyOptions>("desk/login/options", { body: {} }),
  logIn: (body: DeskLogInBody) => ask<DeskLogIn>("desk/login", { body }),
  logOut: () => ask<unknown>("desk/logout", { body: {} }),
  /** `token` is the one that `aqua operator add` printed. */
  newPasskey: (token: string) => ask<PasskeyOptions>("desk/passkey/new", { body: {}, token }),
  addPasskey: (token: string, body: AddDeskPasskeyBody) => ask<AddedDeskPasskey>("desk/passkey", { body, token }),

  cases: ({ status = "pending", page = 1 }: Partial<CaseListQuery>, signal?: AbortSignal) =>
    ask<List<IdentityCaseLine>>(`identity?status=${status}&page=${page}`, { signal }),
  case: (id: string, signal?: AbortSignal) => ask<IdentityCaseDetail>(caseOf(id), { signal }),
  /** The submitted document. The public log records each call. */
  document: async (id: string): Promise<{ bytes: ArrayBuffer; type: string }> => {
    const response = await send(`${caseOf(id)}/document`);
    const bytes = await response.arrayBuffer().catch(() => {
      throw null;
    });
    return { bytes, type: response.headers.get("content-type")?.split(";")[0] ?? "" };
  },
  approve: (id: string, body: ApproveBody) => change<IdentityCaseDetail>(`${caseOf(id)}/approve`, body),
  reject: (id: string, body: RejectBody) => change<IdentityCaseDetail>(`${caseOf(id)}/reject`, body),

  status: (signal?: AbortSignal) => ask<OperatorStatus>("status", { signal }),
  retry: (body: RetryJobsBody) => change<RetriedJobs>("jobs/retry", body),
};
