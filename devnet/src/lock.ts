import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endProcess, identityOf, isAlive, sleep } from "./processes.ts";

interface Holder {
  pid: number;
  /** Distinguishes the process from a later one with the same id. */
  identity: string | null;
}

/** Processes of a running world, written into its data folder so that a later start can end them. */
interface RunRecord extends Holder {
  children: (Holder & { name: string })[];
}

/** The world of this folder is already running. */
export class AlreadyRunning extends Error {
  constructor(
    readonly pid: number,
    dataDir: string,
  ) {
    super(`Aqua already runs on ${dataDir} as process ${pid}.`);
  }
}

/** Marks a folder as created by Aqua, so that `npm run reset` never removes another. */
export const FOLDER_MARK = "aqua-data";

function runFile(dataDir: string): string {
  return join(dataDir, "run.json");
}

function readRecord<Kept extends Holder = RunRecord>(file: string): Kept | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Kept;
  } catch {
    return null;
  }
}

function write(file: string, record: Holder): void {
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** Writes a record unless there is one, and returns whether it did. */
function claim(file: string, record: Holder): boolean {
  const draft = `${file}.${randomUUID()}.new`;
  write(draft, record);
  try {
    // A link appears atomically and only once, which writing to the name directly does not guarantee.
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Runs `work` while no other process does so in this folder, and waits for one that does. The lock of a killed process
 * is taken over. Rejects when `signal` ends the wait.
 */
export async function whileAlone<Result>(
  folder: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "at-work.json");
  while (!claim(file, { pid: process.pid, identity: identityOf(process.pid) })) {
    signal?.throwIfAborted();
    const holder = readRecord<Holder>(file);
    if (holder !== null && isSame(holder.pid, holder.identity)) await sleep(100);
    else rmSync(file, { force: true });
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function isSame(pid: number, identity: string | null): boolean {
  if (!isAlive(pid)) return false;
  const now = identityOf(pid);
  // When the system reports no identity, a process with this id counts as the same one.
  return now === null || identity === null || now === identity;
}

/** Returns the process id of the world that runs on `dataDir`, or null. */
export function runningOn(dataDir: string): number | null {
  const record = readRecord(runFile(dataDir));
  return record !== null && isSame(record.pid, record.identity) ? record.pid : null;
}

/** The folder's lock, held by this process until `release`. */
export class FolderLock {
  readonly #record: RunRecord = { pid: process.pid, identity: identityOf(process.pid), children: [] };

  private constructor(readonly dataDir: string) {}

  /**
   * Locks the folder. Throws AlreadyRunning when a running process holds it. Processes that a killed predecessor left
   * running are ended first, once it is certain that they are the recorded ones.
   */
  static async take(dataDir: string): Promise<FolderLock> {
    mkdirSync(dataDir, { recursive: true });
    const lock = new FolderLock(dataDir);
    while (!claim(runFile(dataDir), lock.#record)) {
      const holder = runningOn(dataDir);
      if (holder !== null) throw new AlreadyRunning(holder, dataDir);
      const left = readRecord(runFile(dataDir))?.children ?? [];
      for (const child of left) if (isSame(child.pid, child.identity)) await endProcess(child.pid);
      rmSync(runFile(dataDir), { force: true });
    }
    writeFileSync(
      join(dataDir, FOLDER_MARK),
      "Aqua keeps its chain and database here; `npm run reset` removes this folder.\n",
    );
    return lock;
  }

  /** Records a child, so that the next start can end it if this process and its guards are killed. */
  remember(name: string, pid: number): void {
    this.#record.children = this.#record.children.filter((child) => child.name !== name);
    this.#record.children.push({ name, pid, identity: identityOf(pid) });
    const draft = `${runFile(this.dataDir)}.draft`;
    write(draft, this.#record);
    renameSync(draft, runFile(this.dataDir));
  }

  release(): void {
    if (readRecord(runFile(this.dataDir))?.pid === process.pid) rmSync(runFile(this.dataDir), { force: true });
  }
}
