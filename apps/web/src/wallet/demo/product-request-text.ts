import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { timeUnits } from "@aqua/sdk/maths/term";
import { formatUnits } from "@aqua/sdk/maths/units";
import { type Address, decodeFunctionData, getAddress, type Hex, isAddressEqual, type PublicClient } from "viem";
import { nameOf, type RequestText, token } from "./tokens.ts";

interface CallOf {
  from: Address;
  to: Address;
  data: Hex;
}

/**
 * Describes calls of queues and time deposits. Null for other calls, and for calls that pay anyone but the wallet
 * itself.
 */
export async function describeProductCall(
  call: CallOf,
  exact: string,
  reader: PublicClient,
): Promise<RequestText | null> {
  return (
    (await describeMove(call, exact, reader).catch(() => null)) ??
    (await describeQueueCall(call, exact, reader).catch(() => null)) ??
    describeTermCall(call, exact, reader)
  );
}

const moveAbi = [
  ...identityRegistryAbi.filter((item) => item.type === "function" && item.name === "switchWallet"),
  ...[...demandVaultAbi, ...termDepositAbi].filter((item) => item.type === "function" && item.name === "recover"),
];

/**
 * Describes the replacement of one wallet by another. A product transfers the old wallet's holdings only to its
 * successor, no matter who calls.
 */
async function describeMove({ to, data }: CallOf, exact: string, reader: PublicClient): Promise<RequestText> {
  const { functionName, args } = decodeFunctionData({ abi: moveAbi, data });
  const name = functionName === "switchWallet" ? "handOver" : "bring";
  const at = { contract: getAddress(to), contractName: await nameOf(reader, to), exact };
  const values = { address: String(args?.[0]) };
  return { title: `wallet.demo.${name}.title`, sentence: `wallet.demo.${name}.sentence`, values, ...at };
}

async function describeQueueCall({ from, to, data }: CallOf, exact: string, reader: PublicClient) {
  const { functionName, args } = decodeFunctionData({ abi: redemptionQueueAbi, data });
  if (functionName !== "requestRedeem" && functionName !== "claim") return null;
  const [controller, owner] = functionName === "claim" ? args : [args[1], args[2]];
  if (!isAddressEqual(controller, from) || !isAddressEqual(owner, from)) return null;
  // A queue has no name of its own, so its vault's is used.
  const vault = await reader.readContract({ address: to, abi: redemptionQueueAbi, functionName: "vault" });
  const at = { contract: getAddress(to), contractName: await nameOf(reader, vault), exact };
  if (functionName === "claim")
    return { title: "wallet.demo.claim.title", sentence: "wallet.demo.claim.sentence", values: {}, ...at } as const;
  const { symbol, decimals } = await token(reader, vault);
  const values = { amount: formatUnits(args[0], decimals), symbol };
  return { title: "wallet.demo.request.title", sentence: "wallet.demo.request.sentence", values, ...at } as const;
}

const rolls = ["none", "principal", "all"] as const;

async function describeTermCall(
  { from, to, data }: CallOf,
  exact: string,
  reader: PublicClient,
): Promise<RequestText | null> {
  const call = decodeFunctionData({ abi: termDepositAbi, data });
  const contract = { address: to, abi: termDepositAbi } as const;
  const at = { contract: getAddress(to), contractName: await nameOf(reader, to), exact };
  const asset = async () => token(reader, await reader.readContract({ ...contract, functionName: "asset" }));
  const money = async (value: bigint) => {
    const { symbol, decimals } = await asset();
    return { amount: formatUnits(value, decimals), symbol };
  };
  const termValues = async (id: bigint) => {
    const term = await reader.readContract({ ...contract, functionName: "termOf", args: [id] });
    return { count: String(term.count), unit: timeUnits[term.unit] ?? "day", rate: formatUnits(term.rate, 18) };
  };
  /** A receipt pays its owner, no matter who calls. */
  const isOwn = async (id: bigint) =>
    isAddressEqual(await reader.readContract({ ...contract, functionName: "ownerOf", args: [id] }), from);

  switch (call.functionName) {
    case "open":
    case "openWithPermit": {
      const [termId, principal, latestMaturity] = call.args;
      const values = {
        ...(await money(principal)),
        ...(await termValues(termId)),
        until: String(Number(latestMaturity) * 1_000),
      };
      return { title: "wallet.demo.open.title", sentence: "wallet.demo.open.sentence", values, ...at };
    }
    case "close":
    case "claim":
    case "demand": {
      const [id] = call.args;
      if (!(await isOwn(id))) return null;
      const name = call.functionName === "claim" ? "draw" : call.functionName;
      const values = { receipt: String(id) };
      return { title: `wallet.demo.${name}.title`, sentence: `wallet.demo.${name}.sentence`, values, ...at };
    }
    case "exitEarly": {
      const [id, principal, minOut] = call.args;
      if (!(await isOwn(id))) return null;
      const { amount: part } = await money(principal);
      const values = { receipt: String(id), principal: part, ...(await money(minOut)) };
      return { title: "wallet.demo.exit.title", sentence: "wallet.demo.exit.sentence", values, ...at };
    }
    case "rollover":
    case "setAutoRoll": {
      const [id, termId, , what] = call.args;
      const roll = rolls[Number(what)];
      if (roll === undefined || !(await isOwn(id))) return null;
      const receipt = { receipt: String(id) };
      if (roll === "none")
        return {
          title: "wallet.demo.instruct.title",
          sentence: "wallet.demo.instruct.none",
          values: receipt,
          ...at,
        };
      const values = { ...receipt, ...(await termValues(termId)) };
      return call.functionName === "rollover"
        ? { title: "wallet.demo.roll.title", sentence: `wallet.demo.roll.${roll}`, values, ...at }
        : { title: "wallet.demo.instruct.title", sentence: `wallet.demo.instruct.${roll}`, values, ...at };
    }
    default:
      return null;
  }
}
