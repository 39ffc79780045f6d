import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { type ContractFunctionArgs, encodeFunctionData, getAddress, type Hex, type PublicClient } from "viem";
import { expect, test } from "vitest";
import type { OwnerQuestion } from "../../src/wallet/demo/provider.ts";
import { describeRequest } from "../../src/wallet/demo/request-text.ts";

const owner = getAddress("0x4444444444444444444444444444444444444444");
const stranger = getAddress("0x5555555555555555555555555555555555555555");
const vault = getAddress("0x361a7a282dc43b3c3887c7cd3ca4297b9bc4c35c");
const queue = getAddress("0x99f28b0db7c92b59311d3770a44be21548c1e46d");
const term = getAddress("0xf7089f3dbfabbe9ef66e9ba2809ab40dc5d3ebb2");
const dollar = getAddress("0x4a2f002c1769d298b85009a40117c79e5188d941");

const answers: Record<string, Record<string, unknown>> = {
  [vault]: { name: "Aqua Aegean", symbol: "aqWATER", decimals: 12 },
  [queue]: { vault },
  [term]: { name: "Aqua Jutland", asset: dollar, termOf: { count: 3, unit: 2, rate: 54n * 10n ** 15n } },
  [dollar]: { name: "Test Dollar", symbol: "tUSD", decimals: 6 },
};
/** Receipt 7 is the owner's, 8 another wallet's. */
const reader = {
  readContract: async (call: { address: string; functionName: string; args?: readonly unknown[] }) => {
    if (call.functionName === "ownerOf") return call.args?.[0] === 7n ? owner : stranger;
    const answer = answers[getAddress(call.address)]?.[call.functionName];
    if (answer === undefined) throw new Error("reverted");
    return answer;
  },
} as unknown as PublicClient;

const wordsOf = (to: Hex, data: Hex) =>
  describeRequest(
    { kind: "transaction", transaction: { from: owner, to, data, value: 0n, gas: null } } as OwnerQuestion,
    reader,
  );

type TermCall = "open" | "close" | "exitEarly" | "rollover" | "setAutoRoll" | "claim" | "demand";
const termCall = <Name extends TermCall>(functionName: Name, ...args: unknown[]) =>
  wordsOf(
    term,
    encodeFunctionData({
      abi: termDepositAbi,
      functionName,
      args: args as unknown as ContractFunctionArgs<typeof termDepositAbi, "nonpayable", Name>,
    } as never),
  );
const unknown = "wallet.demo.transaction.sentence";

test("a request shows its shares and that it is final, under the name of the vault", async () => {
  const data = (who: Hex) =>
    encodeFunctionData({ abi: redemptionQueueAbi, functionName: "requestRedeem", args: [5n * 10n ** 12n, who, who] });
  expect(await wordsOf(queue, data(owner))).toMatchObject({
    sentence: "wallet.demo.request.sentence",
    values: { amount: "5.000000000000", symbol: "aqWATER" },
    contract: queue,
    contractName: "Aqua Aegean",
  });
  expect((await wordsOf(queue, data(stranger))).sentence).toBe(unknown);
});

test("a switch of wallets is shown as final, and products transfer its holdings to no other wallet", async () => {
  const switching = encodeFunctionData({
    abi: identityRegistryAbi,
    functionName: "switchWallet",
    args: [stranger, "0x", "0x", "0x"],
  });
  expect(await wordsOf(queue, switching)).toMatchObject({
    sentence: "wallet.demo.handOver.sentence",
    values: { address: stranger },
  });
  for (const data of [
    encodeFunctionData({ abi: redemptionQueueAbi, functionName: "recover", args: [owner] }),
    encodeFunctionData({ abi: termDepositAbi, functionName: "recover", args: [owner, [7n]] }),
  ]) {
    expect(await wordsOf(term, data)).toMatchObject({
      sentence: "wallet.demo.bring.sentence",
      values: { address: owner },
      contractName: "Aqua Jutland",
    });
  }
});

test("a claim that pays somebody else is shown as unknown", async () => {
  const data = (to: Hex) => encodeFunctionData({ abi: redemptionQueueAbi, functionName: "claim", args: [to, owner] });
  expect((await wordsOf(queue, data(owner))).sentence).toBe("wallet.demo.claim.sentence");
  expect((await wordsOf(queue, data(stranger))).sentence).toBe(unknown);
});

test("a new time deposit shows amount, term, rate and the latest maturity", async () => {
  expect(await termCall("open", 0n, 1_000_000_000n, 1_800_000_000n)).toMatchObject({
    sentence: "wallet.demo.open.sentence",
    values: {
      amount: "1000.000000",
      symbol: "tUSD",
      count: "3",
      unit: "month",
      rate: "0.054000000000000000",
      until: "1800000000000",
    },
    contractName: "Aqua Jutland",
  });
});

test.each([
  ["close", [7n], "wallet.demo.close.sentence"],
  ["exitEarly", [7n, 1_000_000_000n, 997_500_000n], "wallet.demo.exit.sentence"],
  ["rollover", [7n, 0n, 1n, 1n], "wallet.demo.roll.principal"],
  ["rollover", [7n, 0n, 1n, 2n], "wallet.demo.roll.all"],
  ["setAutoRoll", [7n, 0n, 1n, 0n], "wallet.demo.instruct.none"],
  ["setAutoRoll", [7n, 0n, 1n, 1n], "wallet.demo.instruct.principal"],
  ["setAutoRoll", [7n, 0n, 1n, 2n], "wallet.demo.instruct.all"],
  ["claim", [7n], "wallet.demo.draw.sentence"],
  ["demand", [7n], "wallet.demo.demand.sentence"],
] as const)("%s of one's own receipt is described (%#)", async (name, args, sentence) => {
  expect((await termCall(name, ...args)).sentence).toBe(sentence);
});

test.each(["close", "claim", "demand"] as const)(
  "%s of another's receipt is unknown, since it pays its owner",
  async (name) => {
    expect((await termCall(name, 8n)).sentence).toBe(unknown);
  },
);
