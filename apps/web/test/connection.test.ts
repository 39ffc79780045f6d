import { describe, expect, it } from "vitest";
import { callsOver } from "../src/connection.ts";

const callsAnswered = (answer: () => Promise<Response>) => callsOver({ baseUrl: "/api/v2", fetch: answer });

describe("a failed call of the app", () => {
  it("rejects with the body of the response", async () => {
    const body = { error_code: "pool_not_found", message: "No such product", request_id: "r" };
    const calls = callsAnswered(async () => Response.json(body, { status: 404 }));
    await expect(calls.product("nowhere")).rejects.toEqual(body);
  });

  it("rejects with null when there is no response", async () => {
    await expect(callsAnswered(() => Promise.reject(new TypeError("network gone"))).network()).rejects.toBeNull();
  });

  it("rejects with null when the response breaks off", async () => {
    const broken = async () => new Response('{ "data": { "ch', { headers: { "content-type": "application/json" } });
    await expect(callsAnswered(broken).network()).rejects.toBeNull();
  });
});
