import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestApp, testApp } from "../support/app.ts";

const wallet = "0x00000000000000000000000000000000000000A1";
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const service = createServer((request, response) => answer(request, response));
let world: TestApp;

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo;
  world = await testApp({
    config: { nameService: { url: `http://127.0.0.1:${port}`, key: "the-key-of-the-service" } },
  });
});
afterAll(async () => {
  await world.app.close();
  service.close();
});

const ask = () => world.app.inject(`/v1/resolve-ens?address=${wallet}`);
const say = (body: unknown, status = 200) => {
  answer = (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
};

describe("GET /v1/resolve-ens", () => {
  it("queries the service with the key and returns the name", async () => {
    const asked: (string | string[] | undefined)[] = [];
    answer = (request, response) => {
      asked.push(request.url, request.headers["x-api-key"]);
      response.writeHead(200, { "content-type": "application/json" }).end('{"data":"ada.eth"}');
    };
    const { statusCode, body } = await ask();
    expect([statusCode, body]).toEqual([200, '{"data":"ada.eth"}']);
    expect(asked).toEqual([`/v1/resolve-ens?address=${wallet}`, "the-key-of-the-service"]);
  });

  it("answers null for a wallet without a name", async () => {
    say({ data: null });
    expect((await ask()).json()).toEqual({ data: null });
  });

  // The names contain more than hexadecimal digits, because the random identifier in the response may consist of these.
  it.each([
    ["a name that turns the direction of the text", { data: "zoe\u202e.eth" }, 200],
    ["an answer of another shape", { name: "zoe.eth" }, 200],
    ["a refusal", { error: "who are you" }, 403],
  ])("reports that the service does not answer if it sends %s", async (_what, body, status) => {
    say(body, status);
    const { statusCode, body: told } = await ask();
    expect(statusCode).toBe(503);
    expect(told).not.toContain("zoe");
    expect(world.logged.join("")).not.toContain("the-key-of-the-service");
  });

  it("counts all addresses of an IPv6 line as one caller", async () => {
    say({ data: null });
    const from = async (remoteAddress: string) =>
      (await world.app.inject({ url: `/v1/resolve-ens?address=${wallet}`, remoteAddress })).statusCode;
    const answers: number[] = [];
    for (let host = 1; host <= 31; host += 1) answers.push(await from(`2001:db8:1:2::${host.toString(16)}`));
    expect(answers).toEqual([...Array(30).fill(200), 429]);
    expect(await from("2001:db8:1:3::1")).toBe(200);
    const mapped: number[] = [];
    for (let turn = 0; turn < 31; turn += 1) mapped.push(await from(turn % 2 ? "192.0.2.9" : "::ffff:192.0.2.9"));
    expect(mapped).toEqual([...Array(30).fill(200), 429]);
  });

  it("rejects an invalid address, and does not exist without a service", async () => {
    expect((await world.app.inject("/v1/resolve-ens?address=ada.eth")).statusCode).toBe(400);
    const { app } = await testApp();
    expect((await app.inject(`/v1/resolve-ens?address=${wallet}`)).statusCode).toBe(404);
    await app.close();
  });
});
