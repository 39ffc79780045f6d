import { describe, expect, it } from "vitest";
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

  it("leaves unset parameters out and escapes path segments", async () => {
    const { client, requests } = clientAnswering(() => Response.json({ data: { items: [] } }));
    await client.productTransactions("a/b", { page: 2 });
    expect(requests[0]?.url).toBe("https://aqua.test/api/v2/product/a%2Fb/transactions?page=2");
  });
});
