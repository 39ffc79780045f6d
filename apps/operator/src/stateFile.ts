import { readFile } from "node:fs/promises";
import { CommandError } from "./api.ts";
import { replaceFile } from "./replaceFile.ts";

/**
 * Reads what an earlier run of a command stored. Null if there is no file yet.
 * @param of the work whose state it is, in words
 * @param isState whether the content is such a state
 * @throws CommandError if the file cannot be read or holds something else
 */
export async function readState<State>(
  file: string,
  of: string,
  isState: (content: Partial<State>) => boolean,
): Promise<State | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new CommandError(`${file} cannot be read: ${error.code}`);
  });
  if (text === null) return null;
  try {
    const content = JSON.parse(text) as State;
    if (isState(content)) return content;
  } catch {
    // Refused below.
  }
  throw new CommandError(`${file} holds no state of ${of}`);
}

/** @throws CommandError */
export function writeState(file: string, state: unknown): Promise<void> {
  return replaceFile(file, `${JSON.stringify(state)}\n`);
}
