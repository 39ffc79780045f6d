import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { DecodedCall } from "@aqua/sdk/api/transparency";
import { and, eq, inArray, sql } from "drizzle-orm";
import { type Abi, decodeFunctionData, type Hex, toFunctionSelector } from "viem";
import type { Orm } from "../db/database.ts";
import { privilegedAct } from "../indexer/schema.ts";
import type { PrivilegedAct as ActRow } from "../indexer/world.ts";

// A function name has the same meaning in all of these contracts.
const callable = [
  ...demandVaultAbi,
  ...termDepositAbi,
  ...productRegistryAbi,
  ...identityRegistryAbi,
  ...telemetryAnchorAbi,
  ...accessManagerAbi,
].filter((item) => item.type === "function") as Abi;
const names = new Map(
  callable.flatMap((item): [Hex, string][] =>
    item.type === "function" ? [[toFunctionSelector(item), item.name]] : [],
  ),
);

/** The function and the arguments of a call's data as text. For an unknown function, its selector. */
export function decodeCall(data: Hex): DecodedCall {
  try {
    const { functionName, args } = decodeFunctionData({ abi: callable, data });
    const item = callable.find((one) => one.type === "function" && one.name === functionName);
    const inputs = item?.type === "function" ? item.inputs : [];
    return {
      name: functionName,
      args: Object.fromEntries(inputs.flatMap(({ name = "" }, index) => textOf(name, args?.[index]))),
      parts: functionName === "multicall" ? ((args?.[0] ?? []) as Hex[]).map(partOf) : [],
    };
  } catch {
    // The function is not ours. Readers find the data in the transaction.
    return { name: data.slice(0, 10), args: {}, parts: [] };
  }
}

function partOf(data: Hex): DecodedCall["parts"][number] {
  const { name, args } = decodeCall(data);
  return { name, args };
}

function textOf(name: string, value: unknown): [string, string][] {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([key, inner]) => textOf(key, inner));
  const list = Array.isArray(value) ? value.map(String) : [String(value)];
  // Readers know functions by their names, so selectors are replaced by names.
  const text = (name === "selectors" ? list.map((one) => names.get(one as Hex) ?? one) : list).join(", ");
  return [[name, text]];
}

/**
 * Reads the rows that scheduled the operations which `acts` schedule or cancel. `operationKey` finds them in the
 * result.
 */
export async function schedulingActs(tx: Orm, acts: readonly ActRow[]): Promise<ReadonlyMap<string, ActRow>> {
  const operations = acts.flatMap(({ name, args }) => (name === "OperationCanceled" ? [args.operationId ?? ""] : []));
  const scheduled = acts.filter(({ name }) => name === "OperationScheduled");
  if (operations.length > 0) {
    const rows = await tx
      .select()
      .from(privilegedAct)
      .where(
        and(
          eq(privilegedAct.name, "OperationScheduled"),
          inArray(sql`${privilegedAct.args}->>'operationId'`, operations),
        ),
      );
    scheduled.push(...rows);
  }
  return new Map(scheduled.map((act) => [operationKey(act), act]));
}

/**
 * Identifies one scheduling of an operation. The same operation can be scheduled repeatedly; its nonce distinguishes
 * the times.
 */
export function operationKey({ chainId, args }: ActRow): string {
  return `${chainId}:${args.operationId}:${args.nonce}`;
}
