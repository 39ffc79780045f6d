import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { createClient } from "@aqua/sdk/api/client";
import pino from "pino";
import { createPublicClient, type Hex, http, keccak256, stringToBytes } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { roleKey } from "../../../../devnet/src/accounts.ts";
import { productsFolder } from "../../../../devnet/src/documents.ts";
import { createSender } from "../../src/chain/sender.ts";
import { readConfig } from "../../src/config.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { createServerDatabase } from "../support/databases.ts";
import { type LocalChain, openLocalChain } from "./local.ts";

const shortId = "sahel-solar";
let local: LocalChain;
let databaseUrl: string;
let one: Instance;
let other: Instance;
let before: string;
let after: string;

/** A server with its own folder of documents. */
async function start(name: string): Promise<Instance> {
  const settings = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: "5e".repeat(32),
    PRODUCTS_DIR: folderOf(name),
    // The test reads as fast as it can, which may exceed a visitor's limit.
    RATE_LIMIT_API: "1000000",
  };
  return startInstance(readConfig({ ...local.environment, ...settings }), pino({ level: "silent" }));
}
const folderOf = (name: string) => join(local.environment.DATA_DIR ?? "", `products-${name}`);
async function put(name: string, text: string) {
  await mkdir(folderOf(name), { recursive: true });
  await writeFile(join(folderOf(name), ".new"), text);
  await rename(join(folderOf(name), ".new"), join(folderOf(name), `${shortId}.json`));
}

beforeAll(async () => {
  local = await openLocalChain();
  databaseUrl = await createServerDatabase();
  before = await readFile(join(productsFolder, `${shortId}.json`), "utf8");
  after = JSON.stringify({ ...JSON.parse(before), name: "Sahel Sun" });
  await Promise.all([put("one", before), put("other", before)]);
  [one, other] = [await start("one"), await start("other")];
});
afterAll(async () => {
  await one?.stop();
  await other?.stop();
  await local?.remove();
});

async function nameOn({ url }: Instance): Promise<string> {
  return (await createClient({ baseUrl: `${url}/api/v2` }).product(shortId)).name;
}
const named = (text: string) => JSON.parse(text).name as string;
async function setHash(hash: Hex) {
  const client = createPublicClient({ transport: http(local.chain.url), cacheTime: 0 });
  await createSender(client, roleKey("editor")).call({
    address: local.deployed.addresses.productRegistry,
    abi: productRegistryAbi,
    functionName: "setMetadata",
    args: [shortId, hash],
  });
}

it("a document is replaced on two servers without an empty page in between, if either server has the file", async () => {
  await expect.poll(async () => [await nameOn(one), await nameOn(other)]).toEqual([named(before), named(before)]);
  const seen: string[][] = [[], []];
  let done = false;
  const reading = [one, other].map(async (server, index) => {
    while (!done) {
      const name = await nameOn(server);
      if (seen[index]?.at(-1) !== name) seen[index]?.push(name);
    }
  });

  // The document is edited in place on one server. It is shown only after the registry contains its hash.
  await put("one", after);
  const hash = keccak256(stringToBytes(after));
  await expect.poll(async () => (await fetch(`${other.url}/api/v2/document/${hash}`)).status).toBe(200);
  expect([await nameOn(one), await nameOn(other)]).toEqual([named(before), named(before)]);
  await setHash(hash);
  await expect.poll(async () => [await nameOn(one), await nameOn(other)]).toEqual(["Sahel Sun", "Sahel Sun"]);
  done = true;
  await Promise.all(reading);
  expect(seen).toEqual([
    [named(before), "Sahel Sun"],
    [named(before), "Sahel Sun"],
  ]);
});

it("a document is shown after a restart of the server whose folder has another version", async () => {
  await put("one", JSON.stringify({ ...JSON.parse(before), name: "Not on the chain yet" }));
  await Promise.all([one.stop(), other.stop()]);
  [one, other] = [await start("one"), await start("other")];
  expect([await nameOn(one), await nameOn(other)]).toEqual(["Sahel Sun", "Sahel Sun"]);
});

it("every version of a document is served byte for byte by its hash", async () => {
  for (const text of [before, after]) {
    const answer = await fetch(`${other.url}/api/v2/document/${keccak256(stringToBytes(text))}`);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await answer.text()).toBe(text);
  }
  expect((await fetch(`${other.url}/api/v2/document/0x${"00".repeat(32)}`)).status).toBe(404);
});
