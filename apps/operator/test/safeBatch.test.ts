import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { batchChecksum, saveSafeBatch } from "../src/safeBatch.ts";

const wallet = "0x49d4450977E2c95362C13D3a31a09311E0Ea26A6";
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-safe-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("a Safe batch has the checksum that the Transaction Builder computes", () => {
  // The file and its checksum are the test vector of the Transaction Builder itself.
  const call = (name: string, type: string) => ({
    inputs: [{ internalType: type, name: `param${name}`, type }],
    name: `test${name}`,
    payable: false,
  });
  const file = {
    version: "1.0",
    chainId: "4",
    createdAt: 1646321521061,
    meta: {
      name: "test batch file",
      txBuilderVersion: "1.4.0",
      createdFromSafeAddress: "0xDF8a1Ce35c9a6ACE153B4e0767942f1E2291a1Aa",
      createdFromOwnerAddress: wallet,
    },
    transactions: [
      {
        to: wallet,
        value: "0",
        contractMethod: call("Address", "address"),
        contractInputsValues: { paramAddress: wallet },
      },
      {
        to: wallet,
        value: "0",
        contractMethod: call("Bool", "bool"),
        contractInputsValues: { paramAddress: "", paramBool: "false" },
      },
      {
        to: wallet,
        value: "2000000000000000000",
        data: "0x42f4579000000000000000000000000049d4450977e2c95362c13d3a31a09311e0ea26a6",
      },
    ],
  };
  expect(batchChecksum(file)).toBe("0x86c81826dbf7e8a37612153294cc85fdf5c81998dd0a44b86d945502a7eace7c");
});

it("a Safe batch is saved with its chain, calls and checksum, and overwrites no file", async () => {
  const path = join(folder, "batch.json");
  const batch = {
    chainId: 8453,
    name: "Open the product",
    description: "Opens deposits of PUMP-1",
    calls: [{ to: wallet.toLowerCase() as `0x${string}`, data: "0x1234" as const }],
  };
  await saveSafeBatch(path, batch);
  const file = JSON.parse(await readFile(path, "utf8"));
  const { checksum, ...meta } = file.meta;
  expect(file).toMatchObject({ version: "1.0", chainId: "8453", createdAt: expect.any(Number) });
  expect(file.transactions).toEqual([
    { to: wallet, value: "0", data: "0x1234", contractMethod: null, contractInputsValues: null },
  ]);
  expect(meta).toMatchObject({ name: "Open the product", description: "Opens deposits of PUMP-1" });
  expect(checksum).toBe(batchChecksum({ ...file, meta }));
  await expect(saveSafeBatch(path, batch)).rejects.toThrow(`${path} exists already; --out names another file`);
});
