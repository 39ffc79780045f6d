import { inSpans } from "@aqua/contracts/deploy/spans";
import { BaseError, HttpRequestError, LimitExceededRpcError, RpcRequestError, TimeoutError } from "viem";
import { expect, it } from "vitest";

const about = { body: {}, url: "http://node.example" };
const answered = (message: string, code = -32602) => new RpcRequestError({ ...about, error: { code, message } });
/** Wraps the error in an error of the request, as a client throws it. */
const wrapped = (cause: Error) => new BaseError("The call failed", { cause });

/**
 * Searches a million blocks at a node that answers every range above 20 000 blocks with this error. Returns the number
 * of requests and whether the search gave up.
 */
async function askedOf(error: Error): Promise<{ times: number; ended: boolean }> {
  let times = 0;
  const all = inSpans(1n, 1_000_000n, async (from, to) => {
    times += 1;
    if (to - from + 1n > 20_000n) throw wrapped(error);
    return [from];
  });
  const ended = await all.then(
    () => false,
    () => true,
  );
  return { times, ended };
}

it("inSpans requests fewer blocks after a node has rejected too many, whatever the error's wording", async () => {
  const errors = [
    answered("query exceeds max block range"),
    answered("query returned more than 10000 results", -32005),
    new LimitExceededRpcError(answered("limit exceeded", -32005)),
    answered("eth_getLogs is limited to a 10,000 range", -32614),
    answered("Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range"),
    answered("block range is too wide", -32000),
    answered("ranges over 10000 blocks are not supported on freetier", 35),
    answered("requested too many blocks from 1 to 1000000, maximum is set to 2048", -32000),
    answered("backend response too large", -32020),
    new HttpRequestError({ ...about, status: 413, details: "Payload Too Large" }),
    new HttpRequestError({ ...about, status: 400, details: '{"code":-32600,"message":"up to a 10 block range"}' }),
  ];
  for (const error of errors) {
    const { times, ended } = await askedOf(error);
    expect([error.message, ended]).toEqual([error.message, false]);
    // Six requests reduce the range to 15 625 blocks, and then every range is read.
    expect(times).toBe(6 + 64);
  }
});

it("inSpans does not repeat a call to a node that is down, fails or limits requests", async () => {
  const errors = [
    new TimeoutError(about),
    new HttpRequestError({ ...about, details: "fetch failed" }),
    new HttpRequestError({ ...about, status: 500, details: "Range of problems" }),
    new HttpRequestError({ ...about, status: 429, details: "Too Many Requests" }),
    new HttpRequestError({ ...about, status: 403, details: "Forbidden" }),
    answered("the method eth_getLogs does not exist", -32601),
    answered("daily request count exceeded, request rate limited", -32005),
    answered("You have exceeded your requests per second limit", -32005),
    answered("missing trie node", -32000),
    new Error("not a node's"),
  ];
  for (const error of errors) {
    const asked = await askedOf(error);
    expect([error.message, asked]).toEqual([error.message, { times: 1, ended: true }]);
  }
});

it("inSpans stops at a node that rejects any range as too large", async () => {
  let times = 0;
  const all = inSpans(0n, 999_999n, async () => {
    times += 1;
    throw answered("block range is too large");
  });
  await expect(all).rejects.toThrow("block range is too large");
  expect(times).toBeLessThan(20);
});
