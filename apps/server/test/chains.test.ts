import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import type { Hex } from "viem";
import { expect, it } from "vitest";
import { openChains } from "../src/chains.ts";
import { ConfigError, readConfig } from "../src/config.ts";
import type { Database } from "../src/db/database.ts";
import { createEventHub } from "../src/events/hub.ts";
import { chainCursor } from "../src/indexer/schema.ts";
import { createNodeFailures } from "../src/rpc/failures.ts";
import { localDeployment } from "./support/app.ts";
import { withDatabase } from "./support/databases.ts";
import { dataFolder } from "./support/dataFolder.ts";

const demoAccount = `demo@aqua.example=0x${"1".repeat(32)}`;
const nodes = { RPC_URL_31337: "http://127.0.0.1:1", RPC_URL_4242: "http://127.0.0.1:2" };

async function opened(
  environment: Record<string, string>,
  withContracts: readonly number[],
  db: Database = {} as Database,
) {
  const folder = await dataFolder();
  for (const chainId of withContracts) {
    await writeFile(join(folder, `${chainId}.json`), JSON.stringify({ ...localDeployment, chain_id: chainId }));
  }
  const parts = {
    db,
    owner: randomUUID(),
    failures: createNodeFailures([]),
    events: createEventHub(),
    log: pino({ level: "silent" }),
  };
  return openChains(readConfig({ DEPLOYMENTS_DIR: folder, ...nodes, ...environment }), parts);
}

it.each([
  ["DEMO_MODE", { DEMO_MODE: "1" }],
  ["DEMO_MODE", { DEMO_MODE: "1", DEMO_ACCOUNT: demoAccount, IDENTITY_PROVIDER: "sandbox" }],
  ["DEMO_ACCOUNT", { DEMO_ACCOUNT: demoAccount }],
])("openChains rejects %s of %o if another chain has contracts", async (name, environment) => {
  await expect(opened(environment, [31337, 4242])).rejects.toThrow(
    new ConfigError(
      `${name} is only for the local chain, and 4242.json is in DEPLOYMENTS_DIR: take RPC_URL_4242 or ${name} away`,
    ),
  );
});

withDatabase("REINDEX_CHAINS", (open) => {
  it("openChains empties the tables of the chains in REINDEX_CHAINS and of no other chain", async () => {
    const db = await open();
    const cursor = {
      epoch: 3,
      productRegistry: localDeployment.product_registry as Hex,
      state: "live",
      block: 7,
      hash: "0x07",
      time: 9,
    } as const;
    await db.orm.insert(chainCursor).values([31337, 4242].map((chainId) => ({ chainId, ...cursor })));
    await opened({ REINDEX_CHAINS: "31337" }, [31337, 4242], db);
    const rows = await db.orm.select({ chainId: chainCursor.chainId, block: chainCursor.block }).from(chainCursor);
    expect(rows).toEqual([{ chainId: 4242, block: 7 }]);
  });
});

it("openChains accepts a demo beside a chain with only a node, and contracts on several chains without a demo", async () => {
  const demo = { DEMO_MODE: "1", DEMO_ACCOUNT: demoAccount, IDENTITY_PROVIDER: "sandbox" };
  const chains = await opened(demo, [31337]);
  expect(chains.map(({ chainId, deployment }) => [chainId, deployment !== null])).toEqual([
    [31337, true],
    [4242, false],
  ]);
  expect(await opened({}, [31337, 4242])).toHaveLength(2);
});
