import fc from "fast-check";
import { createPublicClient, custom, encodeAbiParameters, type Hex } from "viem";
import { describe, expect, it } from "vitest";
import { isSignedBy } from "../../src/wallet/signature.ts";

const address = "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f";
/** A chain without contracts. */
const client = createPublicClient({ transport: custom({ request: async () => "0x" }) });
const isSigned = (signature: string) =>
  isSignedBy(client, { address, message: "a message", signature: signature as Hex });

const erc8010 = "8010".repeat(16);
const erc6492 = "6492".repeat(16);
const word = (length: number) => length.toString(16).padStart(64, "0");

/** The suffix of ERC-8010, well formed, around an authorization of these numbers. */
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

describe("a signature that is none", () => {
  it.each([
    ["the mark of ERC-8010 alone", `0x${erc8010}`],
    ["a suffix longer than itself", `0x00${word(1_000)}${erc8010}`],
    ["a suffix that is no encoding", `0x${"ab".repeat(100)}${word(64)}${erc8010}`],
    ["a suffix of 2^256 bytes", `0x${"f".repeat(64)}${erc8010}`],
    ["an authorization of no key", suffixed(1n, 0n, 0, 0n, 0n)],
    ["an authorization beyond the curve", suffixed(2n ** 256n - 1n, 2n ** 256n - 1n, 255, 2n ** 256n - 1n, 1n)],
    ["the mark of ERC-6492 alone", `0x${erc6492}`],
  ])("is refused, not stumbled over: %s", async (_name, signature) => {
    expect(await isSigned(signature)).toBe(false);
  });

  it("is refused whatever bytes it has", async () => {
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
      expect(await isSigned(bytes)).toBe(false);
    });
    await fc.assert(refused, { numRuns: 500 });
  });
});
