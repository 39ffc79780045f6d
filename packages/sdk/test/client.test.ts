import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiConnectionError, ApiResponseError, createClient } from "../src/api/client.ts";

function clientAnswering(answer: () => Response | Promise<Response>) {
  const requests: Request[] = [];
  const client = createClient({
    baseUrl: "https://aqua.test/api/v2",
    getToken: () => "secret",
    fetch: async (url, init) => {
      requests.push(new Request(url as string, init));
      return answer();
    },
  });
  return { client, requests };
}

/** A server that never answers. */
const silent: typeof fetch = (_, init) =>
  new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the API client", () => {
  it("unwraps data and sends the session's token", async () => {
    const { client, requests } = clientAnswering(() => Response.json({ data: true }));
    expect(await client.checkAddress("0xabc")).toBe(true);
    expect(requests[0]?.url).toBe("https://aqua.test/api/v2/account/checkAddress/0xabc");
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer secret");
  });

  it("rejects with the server's response and its error code", async () => {
    const details = [{ path: "q", message: "Too long" }];
    const body = { error_code: "pool_not_found", message: "No such product", details, request_id: "r" };
    const { client } = clientAnswering(() => Response.json(body, { status: 404 }));
    const error = await client.product("nowhere").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiResponseError);
    expect(error).toMatchObject({
      status: 404,
      code: "pool_not_found",
      message: body.message,
      details,
      requestId: "r",
    });
    expect((error as ApiResponseError).body).toEqual(body);
  });

  it("rejects without a code when something other than our server answered", async () => {
    const { client } = clientAnswering(() => new Response("<h1>Bad gateway</h1>", { status: 502 }));
    const error = await client.network().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      status: 502,
      code: null,
      details: [],
      requestId: null,
      body: "<h1>Bad gateway</h1>",
    });
    expect((error as Error).message).toBe("The server answered 502");
  });

  it("rejects with a connection error when there is no response", async () => {
    const cause = new TypeError("network gone");
    const { client } = clientAnswering(() => Promise.reject(cause));
    const error = await client.network().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiConnectionError);
    expect(error).toMatchObject({ reason: "network", cause });
  });

  it("rejects with a connection error when the response breaks off", async () => {
    const broken = () => new Response('{ "data": { "chains', { headers: { "content-type": "application/json" } });
    await expect(clientAnswering(broken).client.network()).rejects.toMatchObject({ reason: "incomplete" });
  });

  it("makes every call of the specification by its method and path", async () => {
    const { client, requests } = clientAnswering(() => Response.json({ data: {} }));
    const email = "ada@aqua.example";
    const proof = { email, password: "moon over the tide", ticket: "t" };
    await client.totalHoldValue("0xabc");
    await client.hold("0xabc", { type: "time_deposit" });
    await client.transactions("0xabc", { kind: "deposit" });
    await client.totalProfit("0xabc", { range: "30d" });
    await client.login({ email, password: "moon over the tide" });
    await client.sendVerificationCode({ email, purpose: "register" });
    await client.verifyEmail({ email, code: "123456", purpose: "register" });
    await client.register({ ...proof, country: "FR" });
    await client.forgetPassword({ email });
    await client.resetPassword(proof);
    await client.logout();
    await client.accountInfo();
    await client.authenticate({ message: "m", signature: "0x00" });
    await client.checkAddress("0xabc");
    await client.getSignMessage({ address: "0xabc", chain_id: 1 });
    await client.addPendingTransaction({
      hash: "0x1",
      chain_id: 1,
      address: "0xabc",
      kind: "deposit",
      description: "d",
    });
    await client.pendingTransactions({ address: "0xabc" });
    const base = "https://aqua.test/api/v2/";
    expect(requests.map(({ method, url }) => `${method} ${url.replace(base, "")}`)).toEqual([
      "GET account/totalHoldValue/0xabc",
      "GET account/hold/0xabc?type=time_deposit",
      "GET account/transaction/0xabc?kind=deposit",
      "GET account/totalProfit/0xabc?range=30d",
      "POST account/login",
      "POST account/send-verification-code",
      "POST account/verify-email",
      "POST account/register",
      "POST account/forget-password",
      "POST account/reset-password",
      "POST account/logout",
      "GET account/info",
      "POST account/authenticate",
      "GET account/checkAddress/0xabc",
      "POST account/getSignMessage",
      "POST account/addPendingTransaction",
      "GET account/getPendingTransaction?address=0xabc",
    ]);
    expect(requests.every(({ headers }) => headers.get("authorization") === "Bearer secret")).toBe(true);
  });

  it("sends bodies as JSON and forms as multipart", async () => {
    const { client, requests } = clientAnswering(() => Response.json({ data: {} }));
    await client.login({ email: "ada@aqua.example", password: "p" });
    const form = new FormData();
    form.set("full_name", "Ada");
    await client.submitIdentity(form);
    const [json, multipart] = requests;
    expect(json?.headers.get("content-type")).toBe("application/json");
    expect(await json?.json()).toEqual({ email: "ada@aqua.example", password: "p" });
    expect(multipart?.headers.get("content-type")).toMatch(/^multipart\/form-data; boundary=/);
    expect((await multipart?.formData())?.get("full_name")).toBe("Ada");
  });

  it("returns the full response for a file", async () => {
    const answer = new Response("time,value\r\n", { headers: { "content-type": "text/csv", "x-name": "kept" } });
    const { client } = clientAnswering(() => answer);
    const response = await client.statementFile("0xabc", { from: 0, to: 1 });
    expect(response).toBe(answer);
    expect(await response.text()).toBe("time,value\r\n");
  });

  it("aborts a call after 60 000 ms without a response, and not before", async () => {
    vi.useFakeTimers();
    // The platform's own timer ignores the fake clock.
    vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException("", "TimeoutError")), milliseconds);
      return controller.signal;
    });
    const client = createClient({ baseUrl: "https://aqua.test/api/v2", fetch: silent });
    const ended = vi.fn();
    client.network().catch(ended);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended.mock.calls).toMatchObject([[{ reason: "timeout" }]]);
  });

  it("aborts a call when its caller does", async () => {
    const client = createClient({ baseUrl: "https://aqua.test/api/v2", fetch: silent });
    const controller = new AbortController();
    const call = client.network(controller.signal);
    controller.abort();
    await expect(call).rejects.toMatchObject({ reason: "aborted" });
  });

  it("leaves unset parameters out and escapes path segments", async () => {
    const { client, requests } = clientAnswering(() => Response.json({ data: { items: [] } }));
    await client.productTransactions("a/b", { page: 2 });
    expect(requests[0]?.url).toBe("https://aqua.test/api/v2/product/a%2Fb/transactions?page=2");
  });
});
