import type { AddedOperator, NamedOperator } from "@aqua/sdk/api/operator";
import { isAddress } from "viem";
import { CommandError } from "./api.ts";
import { table } from "./caseTable.ts";
import { wholeOf } from "./chainOptions.ts";
import { operatorApi, type Reasoned } from "./operatorApi.ts";
import { jsonText, type Terminal } from "./terminal.ts";

interface Json {
  json?: true | undefined;
}

/** `aqua operator add`: names an operator and shows the token, this once. */
export async function addOperator(
  name: string,
  {
    scopes,
    address,
    days,
    reason,
    json,
  }: Json & Reasoned & { scopes: string; address?: string | undefined; days?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  if (address !== undefined && !isAddress(address)) throw new CommandError("--address must be the address of a key");
  const body = {
    name,
    scopes: scopes.split(",").map((scope) => scope.trim()),
    address: address?.toLowerCase() ?? null,
    ...(days === undefined ? {} : { valid_days: days === "unlimited" ? null : wholeOf("days", days, 1) }),
  };
  const added = await operatorApi(terminal, reason).json<AddedOperator>("operators", body);
  if (json) return terminal.out(jsonText(added));
  const until = added.expires_at === null ? "it does not expire" : `it expires on ${day(added.expires_at)}`;
  terminal.out(`Added ${added.name}: ${added.scopes.join(", ")}\nToken, shown only once; ${until}:\n${added.token}\n`);
}

/** `aqua operator list` */
export async function listOperators({ json }: Json, terminal: Terminal): Promise<void> {
  const operators = await operatorApi(terminal).json<NamedOperator[]>("operators");
  if (json) return terminal.out(jsonText(operators));
  if (operators.length === 0) return terminal.out("No named operators.\n");
  const stateOf = ({ revoked_at, expires_at }: NamedOperator) => {
    if (revoked_at !== null) return `revoked ${day(revoked_at)}`;
    if (expires_at === null) return "valid";
    return expires_at <= Date.now() ? `expired ${day(expires_at)}` : `valid until ${day(expires_at)}`;
  };
  const rows = operators.map((one) => [one.name, one.scopes.join(","), one.address ?? "", stateOf(one)]);
  terminal.out(table(["OPERATOR", "SCOPES", "KEY", ""], rows));
}

/** `aqua operator revoke`: ends an operator's token for good. */
export async function revokeOperator(
  name: string,
  { json, reason }: Json & Reasoned,
  terminal: Terminal,
): Promise<void> {
  const revoked = await operatorApi(terminal, reason).json<NamedOperator>(
    `operators/${encodeURIComponent(name)}/revoke`,
    {},
  );
  terminal.out(
    json ? jsonText(revoked) : `Revoked ${revoked.name}. Remove the operator's key from OPERATOR_KEYS too.\n`,
  );
}

const day = (time: number) => new Date(time).toISOString().slice(0, 10);
