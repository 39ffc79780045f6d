import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { List } from "@aqua/sdk/api/envelope";
import type { IdentityCaseDetail, IdentityCaseLine } from "@aqua/sdk/api/operator";
import { CommandError, UsageError } from "./api.ts";
import { detailOf, tableOf } from "./caseTable.ts";
import { unknownCommand } from "./nearest.ts";
import { type OperatorApi, operatorApi } from "./operatorApi.ts";
import type { Terminal } from "./terminal.ts";
import { identityUsage } from "./usage.ts";

const options = {
  status: { type: "string" },
  page: { type: "string" },
  out: { type: "string" },
  days: { type: "string" },
  reason: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;
type Values = ReturnType<typeof parse>["values"];

/** Options of each command. */
const commands = {
  list: ["status", "page"],
  show: [],
  document: ["out"],
  approve: ["days"],
  reject: ["reason"],
  revoke: ["reason"],
} as const satisfies Record<string, readonly (keyof typeof options)[]>;
type Command = keyof typeof commands;

/** `aqua identity`: commands for identity cases. */
export async function runIdentity(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parse(args);
  const [command, id, ...rest] = positionals;
  if (values.help || command === undefined) return terminal.out(identityUsage);
  if (!isCommand(command)) throw new UsageError(unknownCommand(command, Object.keys(commands), "identity"));
  for (const name of Object.keys(values) as (keyof Values)[]) {
    const known: readonly string[] = [...commands[command], "json", "help"];
    if (!known.includes(name)) throw new UsageError(`${command} takes no --${name}`);
  }
  if (rest.length > 0) throw new UsageError(`${command} takes one case at a time`);
  if ((command === "list") !== (id === undefined)) {
    throw new UsageError(command === "list" ? "list takes no case" : `${command} needs a case`);
  }
  await work({ api: operatorApi(terminal), command, id: id ?? "", values, terminal });
}

async function work({
  api,
  command,
  id,
  values,
  terminal: { out },
}: {
  api: OperatorApi;
  command: Command;
  id: string;
  values: Values;
  terminal: Terminal;
}): Promise<void> {
  const path = `identity/${encodeURIComponent(id)}`;
  if (command === "list") {
    const query = new URLSearchParams({ status: values.status ?? "pending", page: values.page ?? "1" });
    const list = await api.json<List<IdentityCaseLine>>(`identity?${query}`);
    return out(values.json ? json(list) : tableOf(list.items, list.total));
  }
  if (command === "document") {
    const { content, type } = await api.file(`${path}/document`);
    const file = values.out ?? `${id}.${type.split("/")[1] ?? "bin"}`;
    // The document is personal: only the operator may read the file, and no other file is overwritten.
    await writeFile(file, content, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(
        error.code === "EEXIST"
          ? `${file} exists already; --out names another file`
          : `${file} cannot be written: ${error.code}`,
      );
    });
    return out(values.json ? json({ file, type, size: content.length }) : `Saved ${file}\n`);
  }
  const found = await api.json<IdentityCaseDetail>(
    command === "show" ? path : `${path}/${command}`,
    bodyOf(command, values),
  );
  out(values.json ? json(found) : detailOf(found));
}

function bodyOf(command: Command, { days, reason }: Values): object | undefined {
  if (command === "show") return undefined;
  if (command === "approve") {
    if (days === undefined) return {};
    if (!/^[1-9]\d{0,3}$/.test(days)) throw new CommandError("--days must be a whole number from 1 to 3650");
    return { valid_days: Number(days) };
  }
  if (reason === undefined || reason.trim() === "")
    throw new CommandError("--reason must say why; the person reads it");
  return { reason };
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true });
}

function isCommand(text: string | undefined): text is Command {
  return text !== undefined && Object.hasOwn(commands, text);
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
