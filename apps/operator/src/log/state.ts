import { readFile, writeFile } from "node:fs/promises";
import { CommandError } from "../api.ts";
import type { KnownCheckpoint } from "./verification.ts";

/**
 * The checkpoint that an earlier verification wrote. Null if there is no file yet.
 * @throws CommandError if the file holds something else
 */
export async function readKnown(file: string): Promise<KnownCheckpoint | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new CommandError(`${file} cannot be read`);
  }
  try {
    const { key, origin, size, root, time } = JSON.parse(text) as KnownCheckpoint;
    const areTexts = [key, origin, root].every((one) => typeof one === "string");
    const areNumbers = [size, time].every((one) => Number.isSafeInteger(one) && one >= 0);
    if (areTexts && areNumbers) return { key, origin, size, root, time };
  } catch {
    // Refused below.
  }
  throw new CommandError(`${file} holds no state of a verification of a log`);
}

export async function writeKnown(file: string, known: KnownCheckpoint): Promise<void> {
  await writeFile(file, `${JSON.stringify(known)}\n`).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be written: ${error.code}`);
  });
}
