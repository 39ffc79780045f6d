import { DeployError } from "@aqua/contracts/deploy/steps";
import { withEscapes } from "@aqua/sdk/api/text";
import { CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { CommandError, UsageError, WaitsForSecond } from "./api.ts";
import { declareCommands } from "./commands.ts";
import type { Terminal } from "./terminal.ts";

const helpFlags = ["--help", "-h"];

/**
 * Runs one command and returns the exit code: 0 done, 1 refused, 2 not understood, 3 recorded until another operator
 * makes the same call; for `verify` 3 is that not all could be checked. `audit` and `log verify` return 1 for a finding, and 2 if nothing could be compared.
 */
export async function run(args: readonly string[], outside: Terminal): Promise<number> {
  const terminal: Terminal = {
    ...outside,
    out: (text) => outside.out(withEscapes(text)),
    error: (text) => outside.error(withEscapes(text)),
  };
  const context = { terminal, exitCode: 0 };
  const program = declareCommands(context);
  const isHelp = args[0] === "help" || args.some((word) => helpFlags.includes(word));
  const words = isHelp
    ? args.filter((word, place) => !helpFlags.includes(word) && (place > 0 || word !== "help"))
    : args;
  const { command, names, rest } = commandOf(program, words);
  try {
    const isUnknown = command.commands.length > 0 && rest.some(isOperand);
    if (isHelp && !isUnknown) command.outputHelp();
    else await program.parseAsync([...names, ...rest], { from: "user" });
    return context.exitCode;
  } catch (thrown) {
    // A command that only has subcommands printed its help.
    if (thrown instanceof CommanderError && thrown.code === "commander.help") return 0;
    if (thrown instanceof WaitsForSecond) {
      terminal.out(`${thrown.message}\n`);
      return 3;
    }
    const misuse = misuseOf(thrown, command);
    const refusal = misuse ?? refusalOf(thrown);
    if (refusal === null) throw thrown;
    terminal.error(`aqua: ${refusal}\n${misuse === null ? "" : `See \`aqua ${["help", ...names].join(" ")}\`.\n`}`);
    return misuse === null ? 1 : 2;
  }
}

const isOperand = (word: string) => !word.startsWith("-");

/**
 * Finds the command that a command line names, and the words that are left. Options of a subcommand may stand before it,
 * as in `aqua identity --json list`.
 */
function commandOf(program: CommandUnknownOpts, words: readonly string[]) {
  let command = program;
  let rest = words;
  const names: string[] = [];
  for (;;) {
    const { commands } = command;
    const takesValue = (word: string | undefined) =>
      commands.some(({ options }) => options.some(({ long, required }) => required && long === word));
    const place = rest.findIndex((word, at) => isOperand(word) && !takesValue(rest[at - 1]));
    const next = commands.find((one) => one.name() === rest[place]);
    if (next === undefined) return { command, names, rest };
    command = next;
    names.push(next.name());
    rest = rest.toSpliced(place, 1);
  }
}

/** Message about a command line that was not understood; null for any other error. */
function misuseOf(error: unknown, { commands, options, registeredArguments }: CommandUnknownOpts): string | null {
  if (error instanceof UsageError) return error.message;
  if (!(error instanceof CommanderError)) return null;
  const [words = "", meant] = error.message.replace(/^error: |[.)]$/g, "").split("\n(Did you mean ");
  if (meant !== undefined) return `${words}; did you mean ${meant}`;
  if (error.code === "commander.unknownCommand")
    return `${words}; choose from ${commands.map((command) => command.name()).join(", ")}`;
  const missing =
    options.find(({ flags }) => words.includes(`'${flags}'`)) ??
    registeredArguments.find((argument) => words.endsWith(`'${argument.name()}'`));
  return missing?.description ? `${words}: ${missing.description}` : words;
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
