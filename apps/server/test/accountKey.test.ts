import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createPublicClient, type Hex, http, parseEther, recoverTransactionAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Chain, startChain } from "../../../devnet/src/chain.ts";
import { freePort } from "../../../devnet/test/support/port.ts";
import { accountOf, readKey } from "../src/accountKey.ts";
import { createSender } from "../src/chain/sender.ts";

const key: Hex = `0x${"ab".repeat(32)}`;
const own = privateKeyToAccount(key);
const { address } = own;

describe("readKey", () => {
  it("reads a private key, and the URL of a remote signer with the account's address", () => {
    expect(readKey(key)).toBe(key);
    expect(readKey(`https://aqua:secret@signer.example/v1#${address.toLowerCase()}`)).toEqual({
      url: "https://aqua:secret@signer.example/v1",
      address,
    });
  });

  it.each([
    "",
    "0x12",
    `0x${"ff".repeat(32)}`,
    "https://signer.example/",
    "https://signer.example/#0x12",
    `ftp://signer.example/#${address}`,
  ])("reads nothing else: %j", (other) => expect(readKey(other)).toBeNull());
});

describe("the account of a remote signer", () => {
  type Answer = { result?: unknown; error?: object };
  const honest = async (answer: Answer): Promise<unknown> => answer;
  let chain: Chain;
  let held: Hex;
  let server: Server;
  /** What the signer answers in place of the node's answer. */
  let change: (answer: Answer, call: Record<string, Hex>) => Promise<unknown> = honest;
  /** The credentials that came with the last request. */
  let authorization: string | undefined;
  let url: string;

  /** The node holds keys of its own and has `eth_signTransaction`. A proxy before it reads the password and can lie. */
  beforeAll(async () => {
    chain = await startChain({ port: await freePort(), blockTime: "manual" });
    await chain.follow("auto");
    [held = "0x"] = (await chain.rpc.call("eth_accounts")) as Hex[];
    server = createServer(async (request, response) => {
      authorization = request.headers.authorization;
      const body = await text(request);
      const answer = await fetch(chain.url, { method: "POST", body, headers: { "content-type": "application/json" } });
      response.end(JSON.stringify(await change((await answer.json()) as Answer, JSON.parse(body).params[0])));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://aqua:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}/#`;
  });
  afterEach(() => {
    change = honest;
  });
  afterAll(async () => {
    server.close();
    await chain.stop();
  });
  const keyOf = (account: Hex) => readKey(url + account) ?? key;
  const senderOf = (account: Hex) => {
    const client = createPublicClient({ transport: http(chain.url), cacheTime: 0 });
    return { client, sender: createSender(client, keyOf(account)) };
  };

  it("sends transactions that the signer signed, whether it answers them or an object with them", async () => {
    const { client, sender } = senderOf(held);
    const before = await client.getBalance({ address });
    await sender.included([await sender.transfer(address, parseEther("0.5"))]);
    change = async ({ result }) => ({ result: { raw: result, tx: {} } });
    await sender.included([await sender.transfer(address, parseEther("0.25"))]);
    expect((await client.getBalance({ address })) - before).toBe(parseEther("0.75"));
    expect(authorization).toBe(`Basic ${Buffer.from("aqua:p@ss").toString("base64")}`);
  });

  it("compares every field and the signer with what was asked, and sends nothing else", async () => {
    const asked = { type: "eip1559", to: held, value: 1n, data: "0x01", nonce: 7, chainId: 31337 } as const;
    const fees = { gas: 21_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 2n };
    const remote = accountOf(keyOf(address));
    change = async () => ({ result: await own.signTransaction({ ...asked, ...fees }) });
    const signed = await remote.signTransaction({ ...asked, ...fees });
    expect(await recoverTransactionAddress({ serializedTransaction: signed as `0x02${string}` })).toBe(address);
    const others = {
      ...{ to: address, value: 2n, data: "0x02", nonce: 8, chainId: 1 },
      ...{ gas: 22_000n, maxFeePerGas: 8n, maxPriorityFeePerGas: 1n },
    };
    for (const [field, value] of Object.entries(others)) {
      const other = remote.signTransaction({ ...asked, ...fees, [field]: value });
      await expect(other, field).rejects.toThrow("signed another transaction than it was asked to");
    }
    const { client, sender } = senderOf(held);
    await expect(sender.transfer(address, 1n)).rejects.toThrow("signed another transaction than it was asked to");
    const list = { address: held, storageKeys: [] };
    change = async () => ({ result: await own.signTransaction({ ...asked, ...fees, accessList: [list] }) });
    await expect(remote.signTransaction({ ...asked, ...fees })).rejects.toThrow("another transaction");
    expect(await client.getBlock({ blockTag: "pending" })).toMatchObject({ transactions: [] });
  });

  it("passes on why the signer refuses, and says when it does not answer, without its password", async () => {
    await expect(accountOf(keyOf(address)).signTransaction({ type: "eip1559", chainId: 1 })).rejects.toThrow(
      `the remote signer of ${address} refuses: `,
    );
    change = async () => ({ result: 1 });
    await expect(senderOf(held).sender.transfer(address, 1n)).rejects.toThrow("answered no signed transaction");
    const gone = accountOf({ url: "http://aqua:secret@127.0.0.1:9/", address });
    const error = await gone.signTransaction({ type: "eip1559", chainId: 1 }).catch((caught: Error) => caught);
    expect(String(error)).toBe(`SignerError: the remote signer of ${address} does not answer`);
    await expect(gone.signMessage({ message: "x" })).rejects.toThrow("signs transactions only");
  });
});
