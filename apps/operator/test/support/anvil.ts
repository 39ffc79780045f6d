import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Address, Hex } from "viem";
import { toHex } from "viem/utils";
import { expect, vi } from "vitest";
import { readArtefact } from "../../../../contracts/deploy/artefacts.ts";
import { anvilBinary } from "../../../../devnet/src/binary.ts";
import { freePort } from "../../../../devnet/test/support/port.ts";

export interface Anvil {
  url: string;
  rpc<Result = unknown>(method: string, params?: readonly unknown[]): Promise<Result>;
  stop(): Promise<void>;
}

/** A separate chain with any chain id and one block per transaction. It starts at `time` (Unix seconds) or now. */
export async function startAnvil(chainId: number, time?: number): Promise<Anvil> {
  const port = await freePort();
  const args = ["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(chainId), "--silent"];
  if (time !== undefined) args.push("--timestamp", String(time));
  const child = spawn(anvilBinary(), args, { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const anvil: Anvil = {
    url,
    async rpc<Result>(method: string, params: readonly unknown[] = []) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
      const { result, error } = (await answer.json()) as { result: Result; error?: { message: string } };
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
  for (let attempt = 0; ; attempt++) {
    try {
      await anvil.rpc("eth_chainId");
      return anvil;
    } catch (error) {
      if (attempt === 300) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Creates a token at an address without code: six decimals, a symbol and no holders. */
export async function putToken(anvil: Anvil, address: Address, symbol: string): Promise<void> {
  await anvil.rpc("anvil_setCode", [address, (await readArtefact("TestDollar")).runtimeCode]);
  // OpenZeppelin's ERC20 keeps its symbol in the fifth slot, as a short string.
  const text = `0x${Buffer.from(symbol).toString("hex").padEnd(62, "0")}${(symbol.length * 2).toString(16).padStart(2, "0")}`;
  await anvil.rpc("anvil_setStorageAt", [address, toHex(4, { size: 32 }), text as Hex]);
}

/** Sends a transaction of an impersonated account and waits for its block, because the node returns the hash earlier. */
export async function sendAs(chain: Anvil, from: string, to: string | undefined, data: string | undefined) {
  await chain.rpc("anvil_setBalance", [from, "0xde0b6b3a7640000"]);
  await chain.rpc("anvil_impersonateAccount", [from]);
  const hash = await chain.rpc("eth_sendTransaction", [{ from, to, data, gas: "0x989680" }]);
  const receipt = await vi.waitFor(async () => {
    const found = await chain.rpc<object | null>("eth_getTransactionReceipt", [hash]);
    expect(found).not.toBeNull();
    return found;
  });
  // Waiting does not help if it failed.
  expect(receipt).toMatchObject({ status: "0x1" });
}

/** Moves the chain's clock by this many seconds, and waits until its newest block says so. */
export async function passTime(chain: Anvil, seconds: number): Promise<void> {
  const now = async () =>
    Number((await chain.rpc<{ timestamp: Hex }>("eth_getBlockByNumber", ["latest", false])).timestamp);
  const before = await now();
  await chain.rpc("evm_increaseTime", [seconds]);
  await chain.rpc("evm_mine");
  await vi.waitFor(async () => expect(await now()).toBeGreaterThanOrEqual(before + seconds));
}

/** Runs `work` with a node in front of the chain that may change its answers. */
export async function through<T>(
  { url }: Pick<Anvil, "url">,
  answerTo: (call: string, answer: () => Promise<string>) => string | Promise<string>,
  work: (rpc: string) => Promise<T>,
): Promise<T> {
  const headers = { "content-type": "application/json" };
  const node = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", async () => {
      const ask = async () => (await fetch(url, { method: "POST", headers, body })).text();
      response.setHeader("content-type", "application/json");
      response.end(await answerTo(body, ask));
    });
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  try {
    return await work(`http://127.0.0.1:${(node.address() as AddressInfo).port}`);
  } finally {
    await new Promise((resolve) => node.close(resolve));
  }
}
