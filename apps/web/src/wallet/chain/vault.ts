import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { formatUnits } from "@aqua/sdk/maths/units";
import { type Address, encodeFunctionData, erc20Abi, type TypedDataDomain } from "viem";
import { t } from "../../i18n/i18n.ts";
import { exactAmount } from "../exact-amount.ts";
import { prepareIsland } from "../island/config.ts";
import { type PermitSignature, runDeposit, runWithdrawal } from "../lifecycle/actions.ts";
import { explainError } from "../lifecycle/explain.ts";
import { ActionError, type ActionStage, type Report } from "../lifecycle/stages.ts";
import { type ChainClient, chainClient } from "./client.ts";
import { permitDomain, signPermit, signsByKey } from "./permit.ts";
import { type Call, confirmed, sendTracked } from "./send.ts";
import type { VaultTerms } from "./terms.ts";

export interface DepositOrder {
  terms: VaultTerms;
  owner: Address;
  /** Smallest units of the asset. */
  assets: bigint;
  /** Fewest shares to accept. */
  minShares: bigint;
}

/**
 * By amount: at most `maxShares` are burnt. All of it: every share the wallet has, for at least `minAssets`; `expected`
 * is what the preview says and is only told, never sent.
 */
export type WithdrawalOrder = { terms: VaultTerms; owner: Address } & (
  | { assets: bigint; maxShares: bigint }
  | { allShares: bigint; minAssets: bigint; expected: bigint }
);

/** Deposits; reports every stage and resolves with the last. See runDeposit. */
export async function deposit(order: DepositOrder, report: Report): Promise<ActionStage> {
  const { terms, owner, assets } = order;
  const { config } = await prepareIsland();
  const client = chainClient(config, terms.chainId);
  let domain: TypedDataDomain | null = null;
  const steps = {
    allowance: () => readAllowance(client, terms, owner),
    canPermit: async () => {
      if (!(await signsByKey(client, owner))) return false;
      domain = await permitDomain(client, terms.asset);
      return domain !== null;
    },
    rehearse: () => rehearse(client, order),
    signPermit: () =>
      signPermit(config, client, {
        domain: domain ?? {},
        token: terms.asset,
        owner,
        spender: terms.vault,
        value: assets,
      }),
    simulate: (permit: PermitSignature | null) => simulate(client, owner, depositCall(order, permit)),
    send: (permit: PermitSignature | null) =>
      sendTracked(config, client, owner, depositCall(order, permit), describe(terms, "deposit", assets)),
    approve: () =>
      sendTracked(config, client, owner, approveCall(terms, assets), {
        ...describe(terms, "deposit", assets),
        kind: "approve",
        description: t("transact.describe.approve", { amount: shown(terms, assets), symbol: terms.symbol }),
      }),
    approved: (hash: `0x${string}`) => confirmed(owner, hash),
  };
  return runDeposit(steps, assets, (error) => explainError(error, terms), report);
}

/** Withdraws to the owner's own wallet; reports every stage and resolves with the last. */
export async function withdraw(order: WithdrawalOrder, report: Report): Promise<ActionStage> {
  const { terms, owner } = order;
  const { config } = await prepareIsland();
  const client = chainClient(config, terms.chainId);
  const call = withdrawalCall(order);
  const assets = "assets" in order ? order.assets : order.expected;
  const steps = {
    simulate: () => simulate(client, owner, call),
    send: () => sendTracked(config, client, owner, call, describe(terms, "withdraw", assets)),
  };
  return runWithdrawal(steps, (error) => explainError(error, terms), report);
}

/**
 * Gas a withdrawal would use, from the node; null when it would fail. For a deposit without allowance the node cannot
 * say, since the permit does not exist yet: `depositWithPermitGas` stands in.
 */
export async function estimateGas(order: DepositOrder | WithdrawalOrder): Promise<bigint | null> {
  const { config } = await prepareIsland();
  const client = chainClient(config, order.terms.chainId);
  if ("minShares" in order) {
    if ((await readAllowance(client, order.terms, order.owner)) < order.assets) return depositWithPermitGas;
  }
  const call = "minShares" in order ? depositCall(order, null) : withdrawalCall(order);
  return client.estimateGas({ account: order.owner, ...call }).catch(() => null);
}

/** depositWithPermit with an ERC20Permit asset by a wallet that never signed a permit before; docs/wallets.md says how it was measured. */
const depositWithPermitGas = 130_000n;

function shown(terms: VaultTerms, assets: bigint): string {
  return exactAmount(formatUnits(assets, terms.assetDecimals), terms.assetDecimals);
}

function describe(terms: VaultTerms, kind: "deposit" | "withdraw", assets: bigint) {
  const { shortId, symbol, assetDecimals, shareDecimals } = terms;
  const values = { amount: shown(terms, assets), symbol, product: terms.name };
  return {
    kind,
    shortId,
    symbol,
    assetDecimals,
    shareDecimals,
    amount: formatUnits(assets, assetDecimals),
    description: t(kind === "deposit" ? "transact.describe.deposit" : "transact.describe.withdraw", values),
  };
}

function readAllowance(client: ChainClient, terms: VaultTerms, owner: Address): Promise<bigint> {
  return client.readContract({
    address: terms.asset,
    abi: erc20Abi,
    functionName: "allowance",
    args: [owner, terms.vault],
  });
}

function depositCall({ terms, owner, assets, minShares }: DepositOrder, permit: PermitSignature | null): Call {
  const data =
    permit === null
      ? encodeFunctionData({ abi: demandVaultAbi, functionName: "deposit", args: [assets, owner, minShares] })
      : encodeFunctionData({
          abi: demandVaultAbi,
          functionName: "depositWithPermit",
          args: [assets, owner, minShares, permit.deadline, permit.v, permit.r, permit.s],
        });
  return { to: terms.vault, data };
}

function approveCall(terms: VaultTerms, assets: bigint): Call {
  return {
    to: terms.asset,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [terms.vault, assets] }),
  };
}

function withdrawalCall(order: WithdrawalOrder): Call {
  const { terms, owner } = order;
  const data =
    "assets" in order
      ? encodeFunctionData({
          abi: demandVaultAbi,
          functionName: "withdraw",
          args: [order.assets, owner, owner, order.maxShares],
        })
      : encodeFunctionData({
          abi: demandVaultAbi,
          functionName: "redeem",
          args: [order.allShares, owner, owner, order.minAssets],
        });
  return { to: terms.vault, data };
}

async function simulate(client: ChainClient, account: Address, call: Call): Promise<void> {
  await client.call({ account, ...call });
}

/**
 * Tries the deposit before there is an allowance. The vault checks gate, pause, cap, report and minimum first and takes
 * the money last, so "not enough allowance" means that all of these passed.
 */
async function rehearse(client: ChainClient, order: DepositOrder): Promise<void> {
  const { terms, owner, assets } = order;
  const balance = await client.readContract({
    address: terms.asset,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [owner],
  });
  if (balance < assets) {
    const format = (value: bigint) => formatUnits(value, terms.assetDecimals);
    throw new ActionError("insufficientBalance", { balance: format(balance), needed: format(assets) });
  }
  try {
    await simulate(client, owner, depositCall(order, null));
  } catch (error) {
    if (explainError(error, terms).code !== "insufficientAllowance") throw error;
  }
}
