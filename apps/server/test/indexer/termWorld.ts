import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import {
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  maxUint256,
  stringToHex,
  toFunctionSelector,
} from "viem";
import { type Role, roleIds } from "../../../../contracts/deploy/roles.ts";
import { depositor, roleAccount } from "../../../../devnet/src/accounts.ts";
import { deployData } from "../../../../devnet/src/artefacts.ts";
import { subjectOf } from "../../../../devnet/src/seed/identity.ts";
import type { Call } from "../../../../devnet/src/sender.ts";
import { WALLETS, type World } from "./world.ts";

export const DOLLAR = 1_000_000n;
export const DAY = 86_400;
const WAD = 10n ** 18n;
const GAS = 1_000_000n;

type Write = ContractFunctionName<typeof termDepositAbi, "nonpayable">;
type Args<Name extends Write> = ContractFunctionArgs<typeof termDepositAbi, "nonpayable", Name>;
type View = ContractFunctionName<typeof termDepositAbi, "view" | "pure">;

/** Terms every test product offers; the last one is closed. */
export const offered = [
  { count: 30, unit: 0, rate: WAD / 20n, breakRate: WAD / 100n, penalty: WAD / 200n },
  { count: 3, unit: 2, rate: (6n * WAD) / 100n, breakRate: WAD / 50n, penalty: 0n },
  { count: 1, unit: 3, rate: WAD / 10n, breakRate: 0n, penalty: WAD / 10n },
] as const;

/** A listed time deposit on a test's chain, with terms, funded interest, and wallets that may pay. */
export interface TermWorld {
  address: Address;
  shortId: string;
  /** A second wallet of the subject of wallet 0. */
  second: number;
  wallet(index: number): Address;
  /** A call of a depositor: one of the WALLETS, or `second`. */
  by<Name extends Write>(wallet: number, functionName: Name, args: Args<Name>): Call;
  /** A call of a holder of a role. The faucet account is the custodian. */
  as<Name extends Write>(role: Parameters<World["as"]>[0], functionName: Name, args: Args<Name>): Call;
  read<Name extends View>(functionName: Name, args?: readonly unknown[]): Promise<unknown>;
  open(wallet: number, termId: number, principal: bigint): Call;
  /** The wallet switches to `second`, which must belong to the same subject. */
  switchToSecond(wallet: number): Promise<Call>;
}

const selectors = (names: readonly Write[]): Hex[] =>
  names.map((name) => {
    const item = termDepositAbi.find((entry) => entry.type === "function" && entry.name === name);
    if (!item) throw new Error(`the contract has no ${name}`);
    return toFunctionSelector(item as never);
  });

/** Deploys and lists one. `buffer` with 18 decimals. Only the first of a chain binds the second wallet. */
export async function openTermDeposit(
  world: World,
  { shortId = "term-product", buffer = WAD / 5n, bindsSecond = true, evidenceUntil = 0n } = {},
): Promise<TermWorld> {
  const { addresses } = world.deployed;
  const { testDollar, identityRegistry, productRegistry, accessManager, receiptRenderer: renderer } = addresses;
  const deployer = roleAccount("deployer");
  const custodian = roleAccount("faucet");
  const nonce = BigInt(await world.client.getTransactionCount({ address: deployer.address }));
  const address = getContractAddress({ from: deployer.address, nonce });
  const parameters = {
    cap: 10n ** 13n,
    minDeposit: 10n * DOLLAR,
    buffer,
    custodian: custodian.address,
    evidenceUntil,
    renderer,
  };
  const data = await deployData("TermDeposit", termDepositAbi, [
    ...([testDollar, "Test Term", "aqTERM", identityRegistry, productRegistry, accessManager] as const),
    parameters,
  ]);

  const by: TermWorld["by"] = (wallet, functionName, args) => ({
    from: depositor(wallet),
    to: address,
    what: functionName,
    gas: GAS,
    data: encodeFunctionData({ abi: termDepositAbi, functionName, args } as never),
  });
  const as: TermWorld["as"] = (role, functionName, args) => ({
    ...world.as(role, address, encodeFunctionData({ abi: termDepositAbi, functionName, args } as never)),
    what: functionName,
    gas: GAS,
  });
  const allow = (names: readonly Write[], role: Role) =>
    world.as(
      ...(["owner", accessManager] as const),
      encodeFunctionData({
        abi: accessManagerAbi,
        functionName: "setTargetFunctionRole",
        args: [address, selectors(names), roleIds[role]],
      }),
    );
  const approve = (from: Call["from"]): Call => ({
    from,
    to: testDollar,
    what: "approve",
    data: encodeFunctionData({ abi: testDollarAbi, functionName: "approve", args: [address, maxUint256] }),
  });
  const mint = (to: Address) =>
    world.as(
      ...(["faucet", testDollar] as const),
      encodeFunctionData({ abi: testDollarAbi, functionName: "mint", args: [to, 10n ** 15n] }),
    );

  const second = WALLETS;
  const treasurer = roleAccount("treasurer");
  const metadata = keccak256(stringToHex(shortId));
  const list = encodeFunctionData({
    abi: productRegistryAbi,
    functionName: "list",
    args: [shortId, address, 1, testDollar, metadata],
  });
  await world.client.request({
    method: "anvil_setBalance",
    params: [depositor(second).address, "0x56bc75e2d63100000"],
  } as never);
  await world.mine([{ from: deployer, to: null, data, what: "deploy", gas: 5_000_000n }]);
  await world.mine([
    allow(["fundInterest", "withdrawInterest", "deploy"], "treasurer"),
    allow(["bookLoss", "renewEvidence"], "reporter"),
    allow(["confirmLoss", "takeBackLoss"], "confirmer"),
    allow(["pause"], "guardian"),
    allow(["addTerm", "setTerm", "setLimits", "unpause", "setEvidence"], "owner"),
    ...(bindsSecond ? [await bindSecond(identityRegistry, second, (await world.head()).time)] : []),
    ...[depositor(second), treasurer, custodian].map((account) => mint(account.address)),
    ...[...Array.from({ length: WALLETS + 1 }, (_, index) => depositor(index)), treasurer, custodian].map(approve),
    world.as("owner", productRegistry, list),
  ]);
  await world.mine([
    ...offered.map(({ count, unit, rate, breakRate, penalty }, index) =>
      as("owner", "addTerm", [count, unit, rate, breakRate, penalty, 10n ** 12n, index < 2]),
    ),
    as("treasurer", "fundInterest", [3_000n * DOLLAR]),
  ]);

  return {
    address,
    shortId,
    second,
    by,
    as,
    wallet: (index) => depositor(index).address,
    read: (functionName, args = []) =>
      world.client.readContract({ address, abi: termDepositAbi, functionName, args } as never),
    open: (wallet, termId, principal) => by(wallet, "open", [BigInt(termId), principal, maxUint256]),
    async switchToSecond(wallet) {
      const [old, next] = [depositor(wallet), depositor(second)];
      const line = `\nSwitch to this wallet from ${old.address.toLowerCase()}.`;
      const message = `Aqua${line}\nRequest ID: ${subjectOf(depositor(0).address)}`;
      const args = [next.address, stringToHex("Aqua"), "0x", await next.signMessage({ message })] as const;
      const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: "switchWallet", args });
      return { from: old, to: identityRegistry, data, what: "switch" };
    },
  };
}

/** Binds one more wallet to the subject of wallet 0. */
async function bindSecond(registry: Address, second: number, time: number): Promise<Call> {
  const subject = subjectOf(depositor(0).address);
  const account = depositor(second);
  const signature = await account.signMessage({ message: `Aqua\nRequest ID: ${subject}` });
  const validUntil = BigInt(time + 5 * 365 * DAY);
  return {
    from: roleAccount("attester"),
    to: registry,
    what: "bind the second wallet",
    data: encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "bind",
      args: [account.address, BigInt(subject), validUntil, 756, 1, stringToHex("Aqua"), signature],
    }),
  };
}
