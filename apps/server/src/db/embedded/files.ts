import { readFile } from "node:fs/promises";

/** Whether an error is the operating system's of one of these codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}

/** The text of a file; null where there is none, or where its process ends meanwhile. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT", "ESRCH")) return null;
    throw error;
  }
}
