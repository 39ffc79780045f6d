import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../src/api/client.ts";

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

  it("throws the body of a failed answer", async () => {
    const body = { error_code: "pool_not_found", message: "No such product", request_id: "r" };
    const { client } = clientAnswering(() => Response.json(body, { status: 404 }));
    await expect(client.product("nowhere")).rejects.toEqual(body);
  });

  it("throws null when there is no answer", async () => {
    const { client } = clientAnswering(() => Promise.reject(new TypeError("network gone")));
    await expect(client.network()).rejects.toBeNull();
  });

  it("throws null when the answer breaks off on its way", async () => {
    const broken = () => new Response('{ "data": { "chains', { headers: { "content-type": "application/json" } });
    await expect(clientAnswering(broken).client.network()).rejects.toBeNull();
  });

  it("gives a call up after 60 000 ms without an answer, and not before", async () => {
    vi.useFakeTimers();
    // The platform's own timer does not follow the test's clock.
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
    expect(ended.mock.calls).toEqual([[null]]);
  });

  it("gives a call up when its caller does", async () => {
    const client = createClient({ baseUrl: "https://aqua.test/api/v2", fetch: silent });
    const controller = new AbortController();
    const call = client.network(controller.signal);
    controller.abort();
    await expect(call).rejects.toBeNull();
  });

  it("leaves unset parameters out and escapes path segments", async () => {
    const { client, requests } = clientAnswering(() => Response.json({ data: { items: [] } }));
    await client.productTransactions("a/b", { page: 2 });
    expect(requests[0]?.url).toBe("https://aqua.test/api/v2/product/a%2Fb/transactions?page=2");
  });
});
