import { DeployError } from "@aqua/contracts/deploy/steps";
import { withEscapes } from "@aqua/sdk/api/text";
import { CommandError, UsageError } from "./api.ts";
import { nearest, unknownCommand } from "./nearest.ts";
import type { Terminal } from "./terminal.ts";
import {
  accountUsage,
  auditUsage,
  backupUsage,
  batchesUsage,
  deployUsage,
  deviceUsage,
  doctorUsage,
  identityUsage,
  incomeUsage,
  jobsUsage,
  logUsage,
  migrateUsage,
  operatorUsage,
  overview,
  recoveryUsage,
  restoreUsage,
  statusUsage,
  upgradeUsage,
  verifyUsage,
} from "./usage.ts";

interface Command {
  usage: string;
  /** Resolves with the exit code when it is not 0. */
  run(args: readonly string[], terminal: Terminal): Promise<unknown>;
}

/** Each command is loaded when it is needed, because most need no chain. */
const commands: Record<string, Command> = {
  status: { usage: statusUsage, run: async (...all) => (await import("./status.ts")).runStatus(...all) },
  jobs: { usage: jobsUsage, run: async (...all) => (await import("./jobs.ts")).runJobs(...all) },
  identity: { usage: identityUsage, run: async (...all) => (await import("./identity.ts")).runIdentity(...all) },
  account: { usage: accountUsage, run: async (...all) => (await import("./account.ts")).runAccount(...all) },
  operator: { usage: operatorUsage, run: async (...all) => (await import("./operator.ts")).runOperator(...all) },
  recovery: { usage: recoveryUsage, run: async (...all) => (await import("./recovery.ts")).runRecovery(...all) },
  deploy: { usage: deployUsage, run: async (...all) => (await import("./deploy.ts")).runDeploy(...all) },
  device: { usage: deviceUsage, run: async (...all) => (await import("./device.ts")).runDevice(...all) },
  batches: { usage: batchesUsage, run: async (...all) => (await import("./batches.ts")).runBatches(...all) },
  income: { usage: incomeUsage, run: async (...all) => (await import("./income.ts")).runIncome(...all) },
  verify: { usage: verifyUsage, run: async (...all) => (await import("./verify.ts")).runVerify(...all) },
  audit: { usage: auditUsage, run: async (...all) => (await import("./audit.ts")).runAudit(...all) },
  log: { usage: logUsage, run: async (...all) => (await import("./log.ts")).runLog(...all) },
  migrate: { usage: migrateUsage, run: async (...all) => (await import("./migrate.ts")).runMigrate(...all) },
  upgrade: { usage: upgradeUsage, run: async (...all) => (await import("./upgrade.ts")).runUpgrade(...all) },
  doctor: { usage: doctorUsage, run: async (...all) => (await import("./doctor.ts")).runDoctor(...all) },
  backup: { usage: backupUsage, run: async (...all) => (await import("./backup.ts")).runBackup(...all) },
  restore: { usage: restoreUsage, run: async (...all) => (await import("./restore.ts")).runRestore(...all) },
};

/**
 * Runs one command and returns the exit code: 0 done, 1 refused, 2 not understood; for `verify` also 3, not all could
 * be checked. `audit` and `log verify` return 1 for a finding, and 2 if nothing could be compared.
 */
export async function run(args: readonly string[], outside: Terminal): Promise<number> {
  const { out, error } = outside;
  const terminal: Terminal = {
    ...outside,
    out: (text) => out(withEscapes(text)),
    error: (text) => error(withEscapes(text)),
  };
  const [first = "help", ...rest] = args;
  const wantsHelp = ["help", "--help", "-h"].includes(first);
  const name = wantsHelp ? rest[0] : first;
  if (name === undefined) {
    terminal.out(overview);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    terminal.error(`aqua: ${unknownCommand(name, Object.keys(commands))}\nSee \`aqua help\`.\n`);
    return 2;
  }
  if (wantsHelp) {
    terminal.out(command.usage);
    return 0;
  }
  try {
    const code = await command.run(rest, terminal);
    return typeof code === "number" ? code : 0;
  } catch (thrown) {
    const misuse = misuseOf(thrown, command.usage);
    const refusal = misuse ?? refusalOf(thrown);
    if (refusal === null) throw thrown;
    terminal.error(`aqua: ${refusal}\n${misuse === null ? "" : `See \`aqua help ${name}\`.\n`}`);
    return misuse === null ? 1 : 2;
  }
}

/** Message about a command line that was not understood; null for any other error. */
function misuseOf(error: unknown, usage: string): string | null {
  if (error instanceof UsageError) return error.message;
  const { code, message } = error as { code?: unknown; message: string };
  if (typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS")) return null;
  // Node's message continues with advice about arguments that begin with a dash.
  const [words = ""] = message.split(/\.\s|\n/);
  const [, typed] = /^Unknown option '(-[^']*)'/.exec(words) ?? [];
  if (typed === undefined) return words.replace(/\.$/, "");
  const meant = nearest(typed, usage.match(/--[a-z-]+/g) ?? []);
  return `there is no option ${typed}${meant === null ? "" : `; did you mean ${meant}?`}`;
}

/** Message about an error that the operator can correct; null for a fault of this program. */
function refusalOf(error: unknown): string | null {
  if (error instanceof CommandError || error instanceof DeployError) return error.message;
  // The node failed or refused. All of viem's errors have this field; viem itself is not loaded for commands without a
  // chain.
  const { shortMessage } = error as { shortMessage?: unknown };
  if (typeof shortMessage !== "string") return null;
  return `the node of the chain rejected a request: ${shortMessage} Run the command again, or with another --rpc`;
}
