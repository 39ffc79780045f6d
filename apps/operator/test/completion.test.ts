import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { runAqua } from "./support/aqua.ts";

const script = async (shell: string) => (await runAqua(["completion", shell], {})).out;

/** The words by which bash completes the last of these. */
async function completed(...words: string[]): Promise<string[]> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell replaces it.
  const call = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _aqua; echo "${COMPREPLY[*]}"';
  const { stdout } = await promisify(execFile)("bash", ["-c", `${await script("bash")}${call}`, "bash", ...words]);
  return stdout.trim().split(" ");
}

it("aqua completion completes commands, subcommands and options in bash", async () => {
  expect(await completed("aqua", "de")).toEqual(["deploy", "device"]);
  expect(await completed("aqua", "device", "r")).toEqual(["rotate", "revoke", "retire"]);
  expect(await completed("aqua", "device", "rotate", "pump-1", "--in")).toEqual(["--in-seconds"]);
  expect(await completed("aqua", "completion", "")).toEqual(["bash", "zsh", "fish"]);
});

it("aqua completion has a script for zsh and fish, and names the shells that it knows", async () => {
  expect(await script("zsh")).toMatch(/^autoload -U \+X bashcompinit && bashcompinit\n_aqua\(\)/);
  expect(await script("fish")).toContain(
    "complete -c aqua -n '__fish_seen_subcommand_from recovery; and __fish_seen_subcommand_from execute' -l old -r -d 'the wallet whose key is lost'\n",
  );
  const { code, error } = await runAqua(["completion", "tcsh"], {});
  expect(code).toBe(2);
  expect(error).toContain("Allowed choices are bash, zsh, fish");
});
