import fc from "fast-check";
import { createPublicClient, custom, encodeAbiParameters, type Hex, type PublicClient } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { acceptedSignature } from "../../src/wallet/signature.ts";

const address = "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f";
/** A chain without contracts. */
const client = createPublicClient({ transport: custom({ request: async () => "0x" }) });
const isSigned = (signature: string) =>
  acceptedSignature(client, { address, message: "a message", signature: signature as Hex, ip: "192.0.2.1" });

const erc8010 = "8010".repeat(16);
const erc6492 = "6492".repeat(16);
const word = (length: number) => length.toString(16).padStart(64, "0");

/** A well-formed ERC-8010 suffix with an authorization of these numbers. */
function suffixed(chainId: bigint, nonce: bigint, yParity: number, r: bigint, s: bigint): string {
  const suffix = encodeAbiParameters(
    [
      {
        type: "tuple",
        components: [
          { type: "uint256" },
          { type: "address" },
          { type: "uint256" },
          { type: "uint8" },
          { type: "uint256" },
          { type: "uint256" },
        ],
      },
      { type: "address" },
      { type: "bytes" },
    ],
    [[chainId, address, nonce, yParity, r, s], address, "0x"],
  );
  return `0x00${suffix.slice(2)}${word((suffix.length - 2) / 2)}${erc8010}`;
}

describe("a malformed signature", () => {
  it.each([
    ["the mark of ERC-8010 alone", `0x${erc8010}`],
    ["a suffix longer than itself", `0x00${word(1_000)}${erc8010}`],
    ["a suffix that is no encoding", `0x${"ab".repeat(100)}${word(64)}${erc8010}`],
    ["a suffix of 2^256 bytes", `0x${"f".repeat(64)}${erc8010}`],
    ["an authorization of no key", suffixed(1n, 0n, 0, 0n, 0n)],
    ["an authorization beyond the curve", suffixed(2n ** 256n - 1n, 2n ** 256n - 1n, 255, 2n ** 256n - 1n, 1n)],
    ["the mark of ERC-6492 alone", `0x${erc6492}`],
  ])("is rejected without an exception: %s", async (_name, signature) => {
    expect(await isSigned(signature)).toBeNull();
  });

  it("is rejected with bytes of any length", async () => {
    const hex = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString("hex"));
    const length = fc.oneof(fc.nat(500).map(word), fc.constant("f".repeat(64)));
    const number = fc.bigInt(0n, 2n ** 256n - 1n);
    const signature = fc.oneof(
      hex.map((bytes) => `0x00${bytes}`),
      fc.tuple(hex, length).map(([bytes, size]) => `0x${bytes}${size}${erc8010}`),
      hex.map((bytes) => `0x${bytes}${erc6492}`),
      fc.tuple(number, number, fc.nat(255), number, number).map((numbers) => suffixed(...numbers)),
    );
    const refused = fc.asyncProperty(signature, async (bytes) => {
      expect(await isSigned(bytes)).toBeNull();
    });
    await fc.assert(refused, { numRuns: 500 });
  });
});

describe("a signature for a contract", () => {
  const noKey = `0x${"00".repeat(64)}1b` as Hex;
  /** Calls to a chain, which it answers when the test releases them. */
  function holdingChain() {
    const held: (() => void)[] = [];
    const asked: { method: string; params: [{ gas?: Hex }] }[] = [];
    const request = (call: (typeof asked)[number]) => {
      asked.push(call);
      return new Promise((resolve) => held.push(() => resolve("0x")));
    };
    return { held, asked, client: createPublicClient({ transport: custom({ request }) }) };
  }
  const check = (from: PublicClient, ip: string, signature: Hex = noKey) =>
    acceptedSignature(from, { address, message: "a message", signature, ip });
  /** Releases the chain's answers until `checked` is settled. */
  async function letGo<T>(held: (() => void)[], checked: Promise<T>): Promise<T> {
    let ended = false;
    const end = checked.finally(() => {
      ended = true;
    });
    await expect
      .poll(() => {
        for (const go of held.splice(0)) go();
        return ended;
      })
      .toBe(true);
    return end;
  }

  it.each([
    ["a contract wallet (ERC-1271)", noKey],
    ["one that is not created yet (ERC-6492)", `0x${"00".repeat(96)}${erc6492}` as Hex],
  ])("is checked on the chain with 5 million gas: %s", async (_name, signature) => {
    const { held, asked, client: chain } = holdingChain();
    expect(await letGo(held, check(chain, "192.0.2.1", signature))).toBeNull();
    expect(asked.map(({ method, params: [{ gas }] }) => [method, gas])).toEqual([["eth_call", "0x4c4b40"]]);
  });

  it("waits while one of its network is checked, and is rejected while many wait, unlike those of other networks", async () => {
    const { held, asked, client: chain } = holdingChain();
    const ips = [...Array<string>(12).fill("192.0.2.1"), "192.0.2.2"];
    const all = Promise.allSettled(ips.map((ip) => check(chain, ip)));
    await expect.poll(() => asked.length).toBe(2);
    const results = await letGo(held, all);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ statusCode: 503, retryAfter: 1 });
    }
  });

  it("is checked with at most three others in total", async () => {
    const { held, asked, client: chain } = holdingChain();
    const all = Array.from({ length: 30 }, (_, n) => check(chain, `192.0.2.${n}`));
    await expect.poll(() => asked.length).toBe(4);
    expect(held).toHaveLength(4);
    await letGo(held, Promise.all(all));
    expect(asked).toHaveLength(30);
  });

  it("does not delay a signature of a key, which needs no chain", async () => {
    const { held, asked, client: chain } = holdingChain();
    const waiting = check(chain, "192.0.2.1");
    await expect.poll(() => asked.length).toBe(1);
    const key = privateKeyToAccount(`0x${"11".repeat(32)}`);
    const signature = await key.signMessage({ message: "a message" });
    const signed = { address: key.address, message: "a message", signature, ip: "192.0.2.1" };
    expect(await acceptedSignature(chain, signed)).toBe(signature);
    expect(asked).toHaveLength(1);
    await letGo(held, waiting);
  });
});
