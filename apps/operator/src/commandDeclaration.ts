import { type Command, type CommandUnknownOpts, Option, type OptionValues } from "@commander-js/extra-typings";
import type { Terminal } from "./terminal.ts";

/** What a command needs to run. */
export interface Context {
  terminal: Terminal;
  /** Set by a command whose exit code says more than success. */
  exitCode: number;
}

/** Declares a command that only has subcommands. */
export function commandGroup(program: CommandUnknownOpts, name: string, summary: string) {
  return program.command(name).usage("<command>").helpCommand(false).summary(summary);
}

/** What the help of a command says after its options. */
interface HelpSections {
  /** Command lines without `aqua`. */
  examples: readonly string[];
  /** Settings in the environment. */
  settings?: readonly (readonly [name: string, meaning: string])[];
  exitCodes?: string;
}

/** Adds sections to the help of a command and of its subcommands. */
export function addSections(command: CommandUnknownOpts, { examples, settings = [], exitCodes }: HelpSections): void {
  const width = Math.max(...settings.map(([name]) => name.length)) + 2;
  const lines = ["", "Examples:", ...examples.map((line) => `  aqua ${line}`)];
  if (settings.length > 0) lines.push("", "Settings, from the environment:");
  lines.push(...settings.map(([name, meaning]) => `  ${name.padEnd(width)}${meaning}`));
  if (exitCodes !== undefined) lines.push("", `Exit codes: ${exitCodes}`);
  command.addHelpText("afterAll", lines.join("\n"));
}

export const serverSetting = ["AQUA_URL", "where the server is (default: http://localhost:8080)"] as const;
export const tokenSetting = ["OPERATOR_TOKEN", "the token that the server was started with"] as const;
/** Settings of commands that change something at the server. */
export const operatorSettings = [
  serverSetting,
  tokenSetting,
  ["OPERATOR_KEYSTORE, OPERATOR_KEY", "your key, where the server requires signatures; see `aqua help operator`"],
  ["OPERATOR_PASSPHRASE_FILE", "a file with the keystore's passphrase; without it the terminal asks"],
] as const;
/** Settings of commands that sign on a chain, besides the setting of the role's key. */
export const keystoreSettings = [
  ["<ROLE>_KEYSTORE", "a keystore in place of <ROLE>_PRIVATE_KEY or <ROLE>_KEY; see `aqua help key`"],
  ["<ROLE>_PASSPHRASE_FILE", "a file with its passphrase; without it the terminal asks"],
] as const;
export const databaseSetting = ["DATABASE_URL", "the database"] as const;

/** Adds the option by which a command answers with data. */
export function withJson<Arguments extends unknown[], Options extends OptionValues, Global extends OptionValues>(
  command: Command<Arguments, Options, Global>,
) {
  return command.option("--json", "the data instead of words");
}

/** Adds the option by which the public log says why a call was made. */
export function withReason<Arguments extends unknown[], Options extends OptionValues, Global extends OptionValues>(
  command: Command<Arguments, Options, Global>,
) {
  return command.option("--reason <why>", "the reason, which everybody can read in the public log");
}

/** Adds the options by which a command finds a chain and its contracts. */
export function withChain<Arguments extends unknown[], Options extends OptionValues, Global extends OptionValues>(
  command: Command<Arguments, Options, Global>,
) {
  return command
    .option("--chain <id>", "the chain's id")
    .option("--rpc <url>", "a node of the chain (default: the first of RPC_URL_<chain id>)")
    .option(
      "--deployments <folder>",
      "where <chain id>.json is (default: DEPLOYMENTS_DIR, else contracts/deployments)",
    );
}

/** The option by which a command writes its transactions to a file in place of sending them. */
export const safeExport = () =>
  new Option("--export <kind>", "writes a batch file for the Transaction Builder of a Safe, in place of sending")
    .choices(["safe"] as const)
    .conflicts("dryRun");

/** Adds the options by which a command only tries the transaction that it would send. */
export function withDryRun<Arguments extends unknown[], Options extends OptionValues, Global extends OptionValues>(
  command: Command<Arguments, Options, Global>,
) {
  return command
    .option("--dry-run", "shows what changes; sends nothing")
    .option("--from <address>", "with --dry-run, the account that will send (default: the key's)");
}

/** Collects the values of an option that may be given again. */
export const repeated = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value];

/**
 * Lets each subcommand ignore the options of the others, as these groups always did: scripts pass the same options to all.
 * A new group does without it, so that an option without an effect is refused. --dry-run is always refused where it has
 * no effect, because the command would act.
 */
export function ignoreOtherOptions({ commands }: CommandUnknownOpts): void {
  const flags = new Set(commands.flatMap(({ options }) => options.map((option) => option.flags)));
  for (const command of commands) {
    const own = command.options.map(({ long }) => long);
    const others = [...flags]
      .map((text) => new Option(text).hideHelp())
      .filter(({ long }) => long !== "--dry-run" && !own.includes(long));
    for (const option of others) command.addOption(option);
  }
}
