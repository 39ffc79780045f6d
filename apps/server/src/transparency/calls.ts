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

// Functions of one name have one meaning in all of them.
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

/** The function and arguments of a call's data, as text; of an unknown function its selector. */
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
    // Not ours: a reader finds the data in the transaction.
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
  // A reader knows functions by their names.
  const text = (name === "selectors" ? list.map((one) => names.get(one as Hex) ?? one) : list).join(", ");
  return [[name, text]];
}

/** The rows that scheduled what `acts` schedule or cancel, to be found by `operationKey`. */
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

/** One operation can be scheduled again and again: its nonce says which time it is. */
export function operationKey({ chainId, args }: ActRow): string {
  return `${chainId}:${args.operationId}:${args.nonce}`;
}
