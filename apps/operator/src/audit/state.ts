import { rm } from "node:fs/promises";
import { CommandError } from "../api.ts";
import { readState, writeState } from "../stateFile.ts";
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

const isStored = ({ url, parts }: Partial<Stored>) =>
  typeof url === "string" && typeof parts === "object" && parts !== null;

/** @throws CommandError if the file is of another site or no such file */
export async function openState(file: string | undefined, url: string): Promise<AuditState> {
  const stored = (file === undefined ? null : await readState<Stored>(file, "an audit", isStored)) ?? {
    url,
    parts: {},
  };
  if (stored.url !== url) throw new CommandError(`${file} is of an audit of ${stored.url}`);
  return {
    done: (part) => (Object.hasOwn(stored.parts, part) ? stored.parts[part] : undefined),
    async add(part, checked) {
      stored.parts[part] = checked;
      if (file !== undefined) await writeState(file, stored);
    },
    async remove() {
      if (file !== undefined) await rm(file, { force: true });
    },
  };
}
