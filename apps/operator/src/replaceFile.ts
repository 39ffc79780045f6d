import { open, rename } from "node:fs/promises";
import { CommandError } from "./api.ts";

/**
 * Replaces a file at once, so that a kill or a full disk leaves the former or the new one.
 * @param mode of a new file, such as 0o600 for one that only its owner can read
 * @throws CommandError
 */
export async function replaceFile(file: string, text: string, mode = 0o644): Promise<void> {
  const draft = `${file}.new`;
  try {
    const handle = await open(draft, "w", mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}
