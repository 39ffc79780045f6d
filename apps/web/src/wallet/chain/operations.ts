import { formatUnits } from "@aqua/sdk/maths/units";
import { type Address, erc20Abi, type TypedDataDomain } from "viem";
import type { Config } from "wagmi";
import { prepareIsland } from "../connect/config.ts";
import { type PermitSignature, runCall, runPayment, runSeries } from "../lifecycle/actions.ts";
import { explainError, isRevert, mayLackAllowance, mayLackPermit } from "../lifecycle/explain.ts";
import { ActionError, type ActionStage, type Report } from "../lifecycle/stages.ts";
import { readBatching } from "./batching.ts";
import { type ChainClient, chainClient } from "./client.ts";
import { describeApproval, describeBundle, describeOrder } from "./describe.ts";
import { approvalOf, type Call, callOf, type Order, paidIn } from "./orders.ts";
import { permitDomain, signPermit, signsByKey } from "./permit.ts";
import { confirmed, sendBundle, sendTracked, simulate } from "./send.ts";

/** Orders of one wallet on one chain, in the order of execution. */
export type Orders = readonly [Order, ...Order[]];

/**
 * Executes `orders`, reports every stage and resolves with the last. Several are one bundle where the wallet supports
 * it, else each follows once the previous one is on chain. Only a single order may pay in.
 */
export async function perform(orders: Orders, scope: string, report: Report): Promise<ActionStage> {
  const [first] = orders;
  const { config } = await prepareIsland();
  const client = chainClient(config, first.terms.chainId);
  if (orders.length > 1) return performSeries({ config, client, orders, scope, report });
  const explain = (error: unknown) => explainError(error, unitsOf(first));
  if (paidIn(first) > 0n)
    return runPayment({
      steps: paymentSteps({ config, client, order: first, scope }),
      assets: paidIn(first),
      explain,
      report,
    });
  return runCall(callSteps({ config, client, order: first, scope }), explain, report);
}

function performSeries({
  config,
  client,
  orders,
  scope,
  report,
}: {
  config: Config;
  client: ChainClient;
  orders: Orders;
  scope: string;
  report: Report;
}) {
  const [first] = orders;
  const { owner, terms } = first;
  let now: Order = first;
  const steps = {
    count: orders.length,
    batching: () => readBatching(config, owner, terms.chainId),
    sendBatch: async () => {
      const calls = orders.map((order) => callOf(order));
      await simulateTogether(client, owner, calls);
      return sendBundle({ config, client, owner, calls, description: describeBundle(orders, scope) });
    },
    one: (index: number) => {
      now = orders[index] ?? first;
      return callSteps({ config, client, order: now, scope });
    },
    confirmed: (id: string) => confirmed(owner, id, { failed: "partFailed", replaced: "partReplaced" }),
  };
  return runSeries(steps, (error) => explainError(error, unitsOf(now)), report);
}

function callSteps({
  config,
  client,
  order,
  scope,
}: {
  config: Config;
  client: ChainClient;
  order: Order;
  scope: string;
}) {
  const call = callOf(order);
  return {
    simulate: () => simulate(client, order.owner, call),
    send: () => sendTracked({ config, client, owner: order.owner, call, description: describeOrder(order, scope) }),
  };
}

/** Chain, token and wallet where a permit had no effect: the wallet is not asked to sign another one in this visit. */
const permitless = new Set<string>();

function paymentSteps({
  config,
  client,
  order,
  scope,
}: {
  config: Config;
  client: ChainClient;
  order: Order;
  scope: string;
}) {
  const { terms, owner } = order;
  let domain: TypedDataDomain | null = null;
  const asking = `${terms.chainId} ${terms.asset} ${owner}`;
  return {
    allowance: () => readAllowance(client, order),
    batching: () => readBatching(config, owner, terms.chainId),
    canPermit: async () => {
      if (permitless.has(asking) || !(await signsByKey(client, owner))) return false;
      domain = await permitDomain(client, terms.asset);
      return domain !== null;
    },
    rehearse: () => rehearse(client, order),
    mustReset: () => mustReset(client, order),
    sendBatch: (approvals: readonly bigint[]) =>
      sendBundle({
        config,
        client,
        owner,
        calls: [...approvals.map((amount) => approvalOf(order, amount)), callOf(order)],
        description: describeOrder(order, scope),
      }),
    signPermit: () =>
      signPermit(config, client, {
        domain: domain ?? {},
        token: terms.asset,
        owner,
        spender: terms.contract,
        value: paidIn(order),
      }),
    simulate: () => simulate(client, owner, callOf(order)),
    permitWorks: async (permit: PermitSignature) => {
      try {
        await simulate(client, owner, callOf(order, permit));
        return true;
      } catch (error) {
        if (!mayLackPermit(error)) throw error;
        permitless.add(asking);
        return false;
      }
    },
    send: (permit: PermitSignature | null) =>
      sendTracked({ config, client, owner, call: callOf(order, permit), description: describeOrder(order, scope) }),
    approve: (amount: bigint) =>
      sendTracked({
        config,
        client,
        owner,
        call: approvalOf(order, amount),
        description: describeApproval(order, amount, scope),
      }),
    approved: (id: string, amount: bigint) =>
      untilAllowed(
        confirmed(owner, id, { failed: "approvalFailed", replaced: "approvalReplaced" }),
        async () => (await readAllowance(client, order)) === amount,
      ),
  };
}

/** Between two looks at an allowance, milliseconds. */
const allowancePause = 3_000;

/** Resolves once there is the allowance, whatever became of the transaction; rejects as `sent` does without it. */
async function untilAllowed(sent: Promise<void>, isAllowed: () => Promise<boolean>): Promise<void> {
  let ended = false;
  const settled = sent
    .catch(() => undefined)
    .then(() => {
      ended = true;
    });
  // A node that does not answer says nothing of the allowance.
  const look = () => isAllowed().catch(() => false);
  while (!ended) {
    if (await look()) return;
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, allowancePause))]);
  }
  if (!(await look())) return sent;
}

/**
 * Total gas of the orders, estimated by the node; null when one of them would fail. A payment without allowance cannot
 * be estimated before its permit is signed, so a measured figure is used instead.
 */
export async function estimateGas(orders: Orders): Promise<bigint | null> {
  const { config } = await prepareIsland();
  const client = chainClient(config, orders[0].terms.chainId);
  const each = await Promise.all(orders.map((order) => gasOf(client, order)));
  return each.reduce<bigint | null>((sum, gas) => (sum === null || gas === null ? null : sum + gas), 0n);
}

/** Measured with an ERC20Permit asset and a wallet without earlier permits; see docs/developers/wallets.md. */
const gasWithPermit = { deposit: 130_000n, open: 190_000n };

async function gasOf(client: ChainClient, order: Order): Promise<bigint | null> {
  if (order.action === "deposit" || order.action === "open") {
    if ((await readAllowance(client, order)) < order.assets) return gasWithPermit[order.action];
  }
  return client.estimateGas({ account: order.owner, ...callOf(order) }).catch(() => null);
}

/** The units of raw amounts in this order's errors. */
function unitsOf({ terms, action }: Order) {
  return { assetDecimals: terms.assetDecimals, shareDecimals: terms.shareDecimals, inShares: action === "request" };
}

function readAllowance(client: ChainClient, { terms, owner }: Order): Promise<bigint> {
  return client.readContract({
    address: terms.asset,
    abi: erc20Abi,
    functionName: "allowance",
    args: [owner, terms.contract],
  });
}

/**
 * Simulates each call of a bundle on the current state. Since the effects of earlier calls are missing, a series
 * consists of independent calls.
 */
async function simulateTogether(client: ChainClient, account: Address, calls: readonly Call[]): Promise<void> {
  for (const call of calls) await simulate(client, account, call);
}

/**
 * Simulates a payment before there is an allowance. The vault checks identity, pause, cap, report and minimum first and
 * transfers the money last, so an error that is none of the contracts' own means that all of these passed. What else the
 * token may have against the payment shows only once there is an allowance, when it is simulated in full. A time deposit
 * transfers the money first: its form does those checks, and they run again then.
 */
async function rehearse(client: ChainClient, order: Order): Promise<void> {
  const { terms, owner } = order;
  const assets = paidIn(order);
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
    await simulate(client, owner, callOf(order));
  } catch (error) {
    if (!mayLackAllowance(error)) throw error;
  }
}

/** Whether the token rejects the approval while an earlier allowance is left, as USDT does. */
async function mustReset(client: ChainClient, order: Order): Promise<boolean> {
  try {
    await simulate(client, order.owner, approvalOf(order, paidIn(order)));
    return false;
  } catch (error) {
    if (isRevert(error)) return true;
    throw error;
  }
}
