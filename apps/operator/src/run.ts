import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { DeployError } from "@aqua/contracts/deploy/steps";
import type { List } from "@aqua/sdk/api/envelope";
import type { IdentityCaseDetail, IdentityCaseLine } from "@aqua/sdk/api/operator";
import { CommandError, type OperatorApi, operatorApi, UsageError } from "./api.ts";
import { detailOf, tableOf } from "./caseTable.ts";
import type { Terminal } from "./terminal.ts";
import { usage } from "./usage.ts";

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

/** Which options each command takes. */
const commands = {
  list: ["status", "page"],
  show: [],
  document: ["out"],
  approve: ["days"],
  reject: ["reason"],
  revoke: ["reason"],
} as const satisfies Record<string, readonly (keyof typeof options)[]>;
type Command = keyof typeof commands;

/**
 * Runs one command and answers the exit code: 0 done, 1 refused, 2 not understood, and of `verify` 3 not all could be
 * checked.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    if (args[0] === "deploy") {
      // Loaded only when it is wanted: the other commands need no chain.
      const { runDeploy } = await import("./deploy.ts");
      await runDeploy(args.slice(1), terminal);
      return 0;
    }
    if (args[0] === "recovery") {
      const { runRecovery } = await import("./recovery.ts");
      await runRecovery(args.slice(1), terminal);
      return 0;
    }
    if (args[0] === "verify") {
      const { runVerify } = await import("./verify.ts");
      return await runVerify(args.slice(1), terminal);
    }
    if (args[0] === "device") {
      const { runDevice } = await import("./device.ts");
      await runDevice(args.slice(1), terminal);
      return 0;
    }
    if (args[0] === "income") {
      const { runIncome } = await import("./income.ts");
      await runIncome(args.slice(1), terminal);
      return 0;
    }
    const { values, positionals } = parse(args);
    const [group, command, id, ...rest] = positionals;
    if (values.help || group === undefined) {
      terminal.out(usage);
      return 0;
    }
    if (group !== "identity" || !isCommand(command) || rest.length > 0)
      return misunderstood(terminal, "unknown command");
    for (const name of Object.keys(values) as (keyof Values)[]) {
      const known: readonly string[] = [...commands[command], "json", "help"];
      if (!known.includes(name)) return misunderstood(terminal, `${command} takes no --${name}`);
    }
    if ((command === "list") !== (id === undefined)) {
      return misunderstood(terminal, command === "list" ? "list takes no case" : `${command} needs a case`);
    }
    await work({ api: operatorApi(terminal.environment), command, id: id ?? "", values, terminal });
    return 0;
  } catch (error) {
    if (error instanceof CommandError || error instanceof DeployError) {
      terminal.error(`aqua: ${error.message}\n`);
      return 1;
    }
    if (error instanceof UsageError) return misunderstood(terminal, error.message);
    if ((error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS")) {
      return misunderstood(terminal, (error as Error).message);
    }
    throw error;
  }
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
    // What it shows is personal: for the operator's eyes alone, and never over another file.
    await writeFile(file, content, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(
        error.code === "EEXIST" ? `${file} is there already` : `${file} cannot be written: ${error.code}`,
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

function misunderstood(terminal: Terminal, why: string): number {
  terminal.error(`aqua: ${why}\n\n${usage}`);
  return 2;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
