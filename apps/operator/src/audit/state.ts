import { readFile, rm, writeFile } from "node:fs/promises";
import { CommandError } from "../api.ts";
import type { Checked } from "./check.ts";

/** The parts that are done, so that an interrupted audit goes on where it was. */
export interface AuditState {
  done(part: string): Checked | undefined;
  add(part: string, checked: Checked): Promise<void>;
  /** Called at the end. The next audit starts anew. */
  remove(): Promise<void>;
}

interface Stored {
  url: string;
  parts: Record<string, Checked>;
}

/** @throws CommandError if the file is of another site or no such file */
export async function openState(file: string | undefined, url: string): Promise<AuditState> {
  const stored = (file === undefined ? null : await read(file)) ?? { url, parts: {} };
  if (stored.url !== url) throw new CommandError(`${file} is of an audit of ${stored.url}`);
  return {
    done: (part) => (Object.hasOwn(stored.parts, part) ? stored.parts[part] : undefined),
    async add(part, checked) {
      stored.parts[part] = checked;
      if (file !== undefined) await writeFile(file, JSON.stringify(stored));
    },
    async remove() {
      if (file !== undefined) await rm(file, { force: true });
    },
  };
}

async function read(file: string): Promise<Stored | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new CommandError(`${file} cannot be read`);
  }
  try {
    const { url, parts } = JSON.parse(text) as Partial<Stored>;
    if (typeof url === "string" && typeof parts === "object") return { url, parts };
  } catch {
    // Refused below.
  }
  throw new CommandError(`${file} holds no state of an audit`);
}
