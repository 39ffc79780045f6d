import type { CommandUnknownOpts } from "@commander-js/extra-typings";

/**
 * Returns a script by which a shell completes the declared commands, subcommands and options. Where none fits, the shell
 * completes names of files.
 */
export function completionScript(program: CommandUnknownOpts, shell: "bash" | "zsh" | "fish"): string {
  if (shell === "fish") return fishLines(program, []).join("");
  const cases = casesOf(program, "").map(({ typed, words }) => `    "${typed}"*) words="${words.join(" ")}" ;;\n`);
  return `${shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : ""}_aqua() {
  local words
  case "\${COMP_WORDS[*]:1:$((COMP_CWORD - 1))} " in
${cases.join("")}  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _aqua aqua
`;
}

interface Case {
  /** The words before the one that is completed, with a space after each. */
  typed: string;
  words: string[];
}

/** The longest lines first: a shell takes the first that fits. */
function casesOf(command: CommandUnknownOpts, typed: string): Case[] {
  const names = command.commands.map((one) => one.name());
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const longer = command.commands.flatMap((one) => casesOf(one, `${typed}${one.name()} `));
  const options = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? "");
  return [...longer, { typed, words: [...names, ...choices, ...options] }];
}

function fishLines(command: CommandUnknownOpts, path: readonly string[]): string[] {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const names = command.commands.map((one) => one.name());
  const here = [...seen, ...(names.length > 0 ? [`not __fish_seen_subcommand_from ${names.join(" ")}`] : [])];
  const line = (what: string, description: string) =>
    `complete -c aqua -n '${here.join("; and ")}' ${what} -d '${description.replaceAll(/['\\]/g, "\\$&")}'\n`;
  return [
    ...command.commands.map((one) => line(`-f -a ${one.name()}`, one.summary())),
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map(({ long, required, description }) => line(`-l ${long?.slice(2)}${required ? " -r" : ""}`, description)),
    ...command.commands.flatMap((one) => fishLines(one, [...path, one.name()])),
  ];
}
