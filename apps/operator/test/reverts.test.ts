import { readdir, readFile } from "node:fs/promises";
import { CREATE2_PROXY, DeployChain } from "@aqua/contracts/deploy/chain";
import { LONGEST_EVIDENCE } from "@aqua/contracts/deploy/config";
import { revertOf, revertText } from "@aqua/contracts/deploy/reverts";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { DAY } from "@aqua/sdk/durations";
import {
  type AbiParameter,
  concat,
  ExecutionRevertedError,
  encodeErrorResult,
  getAddress,
  type Hex,
  RpcRequestError,
  toHex,
} from "viem";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../src/chainSession.ts";
import { startAnvil } from "./support/anvil.ts";

const abis = new URL("../../../packages/sdk/src/abi/", import.meta.url);
const sources = new URL("../../../contracts/src/", import.meta.url);
const sender = getAddress(`0x${"ab".repeat(20)}`);

/** A value of the type; integers are a time in 2027. */
function sampleOf({ type }: AbiParameter): unknown {
  if (type === "address") return sender;
  if (type === "string") return "text";
  if (type.startsWith("bytes")) return `0x${"cd".repeat(Number(type.slice(5)))}`;
  const bits = Number(type.replace("uint", ""));
  return bits <= 48 ? 7 : 1_800_000_000n;
}

/** An error as viem throws it for a call without an ABI, such as an estimate of gas. */
const thrown = (data: Hex) => {
  const cause = new RpcRequestError({ body: {}, error: { code: 3, message: "execution reverted", data }, url: "" });
  return new ExecutionRevertedError({ cause });
};
const wordsOf = (data: Hex) => refusalOf({ error: thrown(data), sender, role: "owner", refusals: {} });

describe("an error of a contract", () => {
  it("has words for every custom error in every ABI, with its values", async () => {
    let count = 0;
    for (const file of await readdir(abis)) {
      const [abi] = Object.values(await import(new URL(file, abis).href)) as [readonly { type: string }[]];
      const errors = abi.filter(({ type }) => type === "error") as {
        type: "error";
        name: string;
        inputs: AbiParameter[];
      }[];
      for (const error of errors) {
        const args = error.inputs.map(sampleOf);
        const revert = revertOf(thrown(encodeErrorResult({ abi: [error], errorName: error.name, args })));
        expect(revert).toMatchObject({ name: error.name, args });
        const text = wordsOf(encodeErrorResult({ abi: [error], errorName: error.name, args }));
        expect(text, error.name).not.toMatch(/unknown reason|undefined|NaN/);
        expect(text.length, text).toBeGreaterThan(20);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(150);
  });

  it("is named with its values where no plain words are known", () => {
    const abi = [
      { type: "error", name: "ERC721NonexistentToken", inputs: [{ name: "tokenId", type: "uint256" }] },
    ] as const;
    const data = encodeErrorResult({ abi, errorName: "ERC721NonexistentToken", args: [7n] });
    expect(wordsOf(data)).toBe("the contract refuses it: ERC721 nonexistent token (tokenId 7)");
    expect(revertText({ name: "NothingToProcess", inputs: [], args: [] })).toBe(
      "the contract refuses it: nothing to process",
    );
  });

  it("names the reason of Solidity's own errors, and says so where a node gives none", () => {
    const text = [{ type: "error", name: "Error", inputs: [{ name: "message", type: "string" }] }] as const;
    const data = encodeErrorResult({ abi: text, errorName: "Error", args: ["no money"] });
    expect(wordsOf(data)).toBe("the contract refuses it: no money");
    expect(wordsOf("0x")).toBe("Execution reverted for an unknown reason.");
    expect(revertOf(thrown("0x12345678"))).toBeNull();
  });

  it("is named for a constructor too, although the proxy that creates contracts hides it", async () => {
    const anvil = await startAnvil(4_245);
    try {
      const chain = await DeployChain.connect(anvil.url, 4_245);
      const reverts = encodeErrorResult({ abi: demandVaultAbi, errorName: "InvalidParameters" });
      // PUSH4 the selector, store it in the word at 0, and revert with the word's last four bytes.
      const initCode: Hex = `0x63${reverts.slice(2)}6000526004601cfd`;
      const data = concat([toHex(1, { size: 32 }), initCode]);
      const transactions = [{ to: CREATE2_PROXY, data, what: "create the DemandVault" }];
      await expect(chain.simulate(sender, transactions)).rejects.toThrow(
        '"create the DemandVault" would fail: the contract refuses a value that is out of its bounds: docs/contracts.md; nothing was sent',
      );
    } finally {
      await anvil.stop();
    }
  });

  it("LONGEST_EVIDENCE is the bound of both kinds of product", async () => {
    for (const file of ["vault/VaultLimits.sol", "term/TermSettings.sol"]) {
      const [, days] = /_LONGEST_EVIDENCE = (\d+) days;/.exec(await readFile(new URL(file, sources), "utf8")) ?? [];
      expect(Number(days) * DAY).toBe(LONGEST_EVIDENCE);
    }
  });
});
