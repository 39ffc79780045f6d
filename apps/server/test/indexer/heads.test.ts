import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import type { Indexer } from "../../src/indexer/indexer.ts";
import { forgetChain } from "../../src/indexer/store.ts";
import { withDatabase } from "../support/databases.ts";
import { CHAIN_ID, caughtUp, indexerOf, openWorld, type World } from "./world.ts";

/** An interval so long that every block found in the test comes from the subscription, not from polling. */
const NEVER = 60 * 60_000;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** A proxy to the chain whose connections the test can cut. */
async function openLine() {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(new URL(world.chain.url).port), "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      // A connection that is cut during a message ends with this expected error.
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  async function cut(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  return { url: `ws://127.0.0.1:${port}`, cut, mend: () => listen(port), lines: () => sockets.size };
}

withDatabase("new blocks of a node", (open) => {
  let db: Database;
  let indexer: Indexer;

  beforeAll(async () => {
    db = await open();
  });
  afterEach(async () => {
    await indexer.stop();
    await forgetChain(db, CHAIN_ID);
  });

  const settings = { pollMs: NEVER, subscribedPollMs: NEVER, leaseMs: NEVER };

  it("are applied without polling, including those that it mined while the connection was broken", async () => {
    const line = await openLine();
    const following = indexerOf(world, db, { headsUrl: line.url, settings });
    indexer = following;
    await indexer.start();
    await caughtUp(world, following);
    await world.mine([world.deposit(0, 0, 20_000_000n)]);
    await caughtUp(world, following);

    await line.cut();
    await world.mine([world.deposit(1, 0, 20_000_000n)]);
    const { cursor } = indexer.status();
    expect(cursor?.block).toBe((await world.head()).number - 1);
    await line.mend();
    await caughtUp(world, following);
    await indexer.stop();
    await expect.poll(line.lines).toBe(0);
    await line.cut();
  });

  it("are polled if they cannot be subscribed to", async () => {
    const line = await openLine();
    await line.cut();
    const following = indexerOf(world, db, { headsUrl: line.url, settings: { ...settings, pollMs: 25 } });
    indexer = following;
    await indexer.start();
    await world.mine([world.deposit(0, 0, 20_000_000n)]);
    await caughtUp(world, following);
  });
});
