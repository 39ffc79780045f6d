import { explainError } from "@aqua/sdk/chain/errors";
import { blockTime } from "@aqua/sdk/chain/published-figures";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callOf, openChain } from "../../src/wallet/chain-reader.ts";

const hash = `0x${"cd".repeat(32)}` as const;
const contract = `0x${"ab".repeat(20)}` as const;
const call = (chain: Awaited<ReturnType<typeof openChain>>) => callOf(chain)(contract, "0x1234");

type Request = { method: string; params?: unknown[] };
let stops: (() => void)[] = [];

/** A wallet that announces itself at every request. */
function wallet(rdns: string, answers: (request: Request) => Promise<unknown>) {
  const request = vi.fn(answers);
  const detail = { info: { name: rdns, rdns, uuid: rdns, icon: "" }, provider: { request } };
  const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  addEventListener("eip6963:requestProvider", announce);
  stops.push(() => removeEventListener("eip6963:requestProvider", announce));
  return request;
}
const onChain =
  (chain: string, answer: string) =>
  async ({ method }: Request) =>
    method === "eth_chainId" ? chain : answer;
const site = (body: unknown) => vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(body));

beforeEach(() => site({ jsonrpc: "2.0", id: 1, result: "0x05" }));
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  vi.unstubAllGlobals();
});

describe("reading a chain", () => {
  it("uses the visitor's own wallet where one is on that chain, without connecting", async () => {
    const other = wallet("org.other", onChain("0x1", "0x01"));
    const mine = wallet("org.mine", onChain("0x7a69", "0x02"));
    const chain = await openChain(31337);
    expect(await call(chain)).toBe("0x02");
    expect(chain.source()).toEqual({ by: "wallet", name: "org.mine" });
    expect(fetch).not.toHaveBeenCalled();
    const asked = [...other.mock.calls, ...mine.mock.calls].map(([{ method }]) => method);
    expect(new Set(asked)).toEqual(new Set(["eth_chainId", "eth_call"]));
    expect(mine.mock.calls.at(-1)?.[0].params).toEqual([{ to: contract, data: "0x1234" }, "latest"]);
  });

  it("uses this site's node where no wallet is on that chain, and reports it", async () => {
    wallet("org.other", onChain("0x1", "0x01"));
    const chain = await openChain(31337);
    expect(await call(chain)).toBe("0x05");
    expect(chain.source()).toEqual({ by: "site" });
    expect(vi.mocked(fetch).mock.calls[0]?.[0]).toMatch(/\/rpc\/31337$/);
  });

  it("never uses the demo wallet, which is on this site's node", async () => {
    wallet("org.aqua.demo", onChain("0x7a69", "0x02"));
    const chain = await openChain(31337);
    await call(chain);
    expect(chain.source()).toEqual({ by: "site" });
  });

  it("uses window.ethereum of a wallet that announces nothing", async () => {
    vi.stubGlobal("ethereum", { request: onChain("0x7a69", "0x03") });
    const chain = await openChain(31337);
    expect(await call(chain)).toBe("0x03");
    expect(chain.source().by).toBe("wallet");
  });

  it("falls back to the site when the wallet fails midway, and reports it", async () => {
    wallet("org.mine", async ({ method }) => {
      if (method === "eth_chainId") return "0x7a69";
      throw new Error("not connected");
    });
    const chain = await openChain(31337);
    expect(await call(chain)).toBe("0x05");
    expect(chain.source()).toEqual({ by: "site" });
  });

  it("reads at the given block", async () => {
    const mine = wallet("org.mine", onChain("0x7a69", "0x02"));
    const chain = await openChain(31337);
    await chain.client.call({ to: contract, data: "0x1234", blockNumber: 4_100n });
    expect(mine.mock.calls.at(-1)?.[0].params).toEqual([{ to: contract, data: "0x1234" }, "0x1004"]);
  });

  it("queries this site too for what the wallet does not have", async () => {
    const known = { blockHash: `0x${"01".repeat(32)}`, status: "0x1", logs: [] };
    const mine = wallet("org.mine", async ({ method }) => (method === "eth_chainId" ? "0x7a69" : null));
    site({ result: known });
    const chain = await openChain(31337);
    const find = () => chain.client.getTransactionReceipt({ hash });
    expect(await find()).toMatchObject({ blockHash: known.blockHash, status: "success" });
    expect(mine.mock.calls.at(-1)?.[0]).toMatchObject({ method: "eth_getTransactionReceipt", params: [hash] });
    expect(chain.source()).toEqual({ by: "site" });
    site({ result: null });
    await expect(find()).rejects.toMatchObject({ name: "TransactionReceiptNotFoundError" });
  });

  it("reads the time of a block and of the newest one, and fails where no node has it", async () => {
    const mine = wallet("org.mine", async ({ method }) =>
      method === "eth_chainId" ? "0x7a69" : { timestamp: "0x6ab13b80" },
    );
    const chain = await openChain(31337);
    expect(await blockTime(chain.client, 4_100)).toBe(0x6ab13b80 * 1_000);
    await blockTime(chain.client);
    const asked = mine.mock.calls.flatMap(([{ method, params }]) =>
      method === "eth_chainId" ? [] : [[method, params]],
    );
    expect(asked).toEqual([
      ["eth_getBlockByNumber", ["0x1004", false]],
      ["eth_getBlockByNumber", ["latest", false]],
    ]);
    for (const stop of stops) stop();
    const alone = await openChain(31337);
    for (const result of [null, {}]) {
      site({ result });
      await expect(blockTime(alone.client)).rejects.toThrow();
    }
  });

  it("fails with the node's own error when a call reverts", async () => {
    site({ error: { code: 3, message: "execution reverted" } });
    await expect(call(await openChain(31337))).rejects.toThrow("execution reverted");
  });

  it.each([
    ["no answer", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["an answer of something else", async () => new Response("Bad gateway", { status: 502 })],
  ])("says that no node answered: %s", async (_, answer) => {
    vi.spyOn(globalThis, "fetch").mockImplementationOnce(answer);
    const error = await call(await openChain(31337)).catch((thrown: unknown) => thrown);
    expect(explainError(error, { assetDecimals: 6, shareDecimals: 12 })).toMatchObject({ code: "chainUnavailable" });
  });
});
