import { once } from "node:events";
import { connect } from "node:net";
import Fastify from "fastify";
import { expect, it } from "vitest";
import { registerDrain } from "../../src/http/drain.ts";

/** `waiting` resolves when `requests` of /slow have arrived; they are answered after `release`. */
async function start(patienceMs: number, requests = 1) {
  const app = Fastify();
  registerDrain(app, patienceMs);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived = () => {};
  const waiting = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  app.get("/slow", async () => {
    requests -= 1;
    if (requests === 0) arrived();
    await released;
    return "done";
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { app, url, release, waiting };
}

it("closing ends although a connection was opened in advance and never used", async () => {
  const { app, url } = await start(60_000);
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  await Promise.all([once(socket, "close"), app.close()]);
});

it("closing answers the requests in progress first", async () => {
  const { app, url, release, waiting } = await start(60_000, 20);
  const answers = Array.from({ length: 20 }, async () => (await fetch(`${url}/slow`)).text());
  await waiting;
  const closed = app.close();
  release();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["done"]));
  await closed;
});

it("closing cuts off a request that does not end in time", async () => {
  const { app, url, waiting } = await start(20);
  const answer = fetch(`${url}/slow`);
  await waiting;
  const [outcome] = await Promise.allSettled([answer, app.close()]);
  expect(outcome.status).toBe("rejected");
});
