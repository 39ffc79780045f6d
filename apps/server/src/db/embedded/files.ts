import { readFile } from "node:fs/promises";

/** Whether `error` is an error of the operating system with one of these codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Returns the text of a file, or null when it does not exist or its process ends while it is read. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT", "ESRCH")) return null;
    throw error;
  }
}
