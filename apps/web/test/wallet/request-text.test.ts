import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { switchStatement } from "@aqua/sdk/takeover";
import { encodeFunctionData, erc20Abi, getAddress, type Hex, type PublicClient, stringToHex } from "viem";
import { createSiweMessage } from "viem/siwe";
import { expect, test } from "vitest";
import type { OwnerQuestion } from "../../src/wallet/demo/provider.ts";
import { describeRequest } from "../../src/wallet/demo/request-text.ts";

const owner = getAddress("0x4444444444444444444444444444444444444444");
const stranger = getAddress("0x5555555555555555555555555555555555555555");
const vault = getAddress("0x361a7a282dc43b3c3887c7cd3ca4297b9bc4c35c");
const dollar = getAddress("0x4a2f002c1769d298b85009a40117c79e5188d941");

const answers: Record<string, Record<string, unknown>> = {
  [vault]: { name: "Aqua Aegean", symbol: "aqWATER", decimals: 12, asset: dollar },
  [dollar]: { name: "Test Dollar", symbol: "tUSD", decimals: 6 },
};
/** A reader of two known contracts; every other address has no name. */
const reader = {
  readContract: async ({ address, functionName }: { address: string; functionName: string }) => {
    const answer = answers[getAddress(address)]?.[functionName];
    if (answer === undefined) throw new Error("reverted");
    return answer;
  },
} as unknown as PublicClient;

function call(data: Hex, to: Hex | null = vault, value = 0n): OwnerQuestion {
  return { kind: "transaction", transaction: { from: owner, to, data, value, gas: null } };
}
const depositTo = (receiver: Hex) =>
  encodeFunctionData({ abi: demandVaultAbi, functionName: "deposit", args: [1_000_500_000n, receiver, 1n] });

test("a deposit for oneself shows its amount and contract", async () => {
  expect(await describeRequest(call(depositTo(owner)), reader)).toMatchObject({
    sentence: "wallet.demo.deposit.sentence",
    values: { amount: "1000.500000", symbol: "tUSD" },
    contract: vault,
    contractName: "Aqua Aegean",
  });
});

test.each([
  ["a deposit for somebody else", call(depositTo(stranger))],
  [
    "a withdrawal to somebody else",
    call(encodeFunctionData({ abi: demandVaultAbi, functionName: "withdraw", args: [1n, stranger, owner, 1n] })),
  ],
  ["a deposit that also sends coins", call(depositTo(owner), vault, 1n)],
  ["a transfer", call(encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [stranger, 1n] }), dollar)],
  ["a call of an unknown contract", call("0xdeadbeef", stranger)],
  ["a new contract", call("0x6000", null)],
])("%s is called unknown and shown as it is", async (_, asked) => {
  const words = await describeRequest(asked, reader);
  expect(words.sentence).toBe("wallet.demo.transaction.sentence");
  expect(words.exact).toContain(asked.kind === "transaction" ? asked.transaction.data : "");
});

test("redeeming everything shows shares and the minimum it pays", async () => {
  const data = encodeFunctionData({
    abi: demandVaultAbi,
    functionName: "redeem",
    args: [5_000_000_000_000n, owner, owner, 5_200_000n],
  });
  expect((await describeRequest(call(data), reader)).values).toEqual({
    amount: "5.000000000000",
    symbol: "aqWATER",
    least: "5.200000",
    asset: "tUSD",
  });
});

test("a permit shows the spender, checksummed, with the amount and the deadline", async () => {
  const typedData = JSON.stringify({
    primaryType: "Permit",
    domain: { verifyingContract: dollar.toLowerCase() },
    message: { owner, spender: vault.toLowerCase(), value: "1000500000", nonce: "0", deadline: "1800000000" },
  });
  expect(await describeRequest({ kind: "typedData", typedData }, reader)).toMatchObject({
    sentence: "wallet.demo.permit.sentence",
    values: { amount: "1000.500000", symbol: "tUSD", until: "1800000000000" },
    contract: vault,
  });
});

test("other typed data is called unknown", async () => {
  const typedData = JSON.stringify({ primaryType: "Order", domain: {}, message: { amount: "1" } });
  const words = await describeRequest({ kind: "typedData", typedData }, reader);
  expect(words.sentence).toBe("wallet.demo.typedData.sentence");
  expect(words.exact).toContain('"amount": "1"');
});

test("a message is shown word for word", async () => {
  const words = await describeRequest(
    { kind: "message", from: owner, message: stringToHex("Request ID: 0x01\nünïcode") },
    reader,
  );
  expect(words.exact).toBe("Request ID: 0x01\nünïcode");
});

test.each([
  ["a sign-in", {}, "wallet.demo.signIn.sentence", { domain: "aqua.example:8080" }],
  ["a link to an account", { requestId: "0x1234" }, "wallet.demo.link.sentence", { domain: "aqua.example:8080" }],
  [
    "a switch from another wallet",
    { requestId: "0x1234", statement: switchStatement(stranger) },
    "wallet.demo.switch.sentence",
    { domain: "aqua.example:8080", address: stranger.toLowerCase() },
  ],
  ["one for another site", { domain: "aqua.exarnple" }, "wallet.demo.foreign.sentence", { domain: "aqua.exarnple" }],
  ["one whose address in full is elsewhere", { uri: "https://evil.example" }, "wallet.demo.foreign.sentence", {}],
  ["one over http for a site on https", { uri: "http://aqua.example:8080" }, "wallet.demo.foreign.sentence", {}],
  ["one of another wallet", { address: stranger }, "wallet.demo.otherWallet.sentence", { address: stranger }],
] as const)("%s of EIP-4361 is described as such", async (_, changes, sentence, values) => {
  const message = createSiweMessage({
    domain: "aqua.example:8080",
    uri: "https://aqua.example:8080",
    address: owner,
    statement: "Sign in to Aqua.",
    version: "1",
    chainId: 31337,
    nonce: "12345678",
    ...changes,
  });
  const asked: OwnerQuestion = { kind: "message", from: owner, message: stringToHex(message) };
  const words = await describeRequest(asked, reader, "https://aqua.example:8080");
  expect(words.sentence).toBe(sentence);
  expect(words.values).toMatchObject(values);
  expect(words.exact).toBe(message);
});
