import { readFileSync } from "node:fs";
import { link, mkdir, readdir, readFile, readlink, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { StartRefused } from "../errors.ts";

/** Another process holds the data folder. The message names it. */
export class DataFolderLocked extends StartRefused {
  override name = "DataFolderLocked";
  constructor(
    readonly folder: string,
    readonly pid: number,
    readonly host: string | null,
  ) {
    super(
      host === null
        ? `${folder} is in use by process ${pid}; stop it first or set another DATA_DIR`
        : `${folder} is in use by process ${pid} on ${host}; it is free ${FOREIGN_SILENCE_MS / 1000} s after that process ends`,
    );
  }
}

interface Holder {
  pid: number;
  /** Start of the process in clock ticks since boot, null where the system does not tell. Tells a reused pid from the holder. */
  started: string | null;
  /** The set of processes `pid` is a number in: host, boot and pid namespace. */
  space: string;
  host: string;
  released?: boolean;
}

export interface FolderLock {
  release(): Promise<void>;
}

const HEARTBEAT_MS = 2_000;
/** A holder we cannot look up (another host or container) counts as dead after this long without a heartbeat. */
const FOREIGN_SILENCE_MS = 15_000;

/**
 * Takes the exclusive right to a data folder, or throws {@link DataFolderLocked}.
 *
 * Claims are numbered files; the highest number holds. A claim appears by `link`, which is atomic and fails when the
 * number is taken, so of any number of processes that find a dead holder exactly one succeeds it. Numbers only grow: the
 * last two files stay, so that no one can start counting anew while another claims.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const claims = join(folder, "db.lock");
  await mkdir(claims, { recursive: true, mode: 0o700 });
  const self: Holder = {
    pid: process.pid,
    started: startOf(process.pid),
    space: await processSpace(),
    host: hostname(),
  };

  for (;;) {
    const last = (await numbersIn(claims)).at(-1) ?? 0;
    if (last > 0) await refuseLiveHolder(folder, claimFile(claims, last), self);
    const number = last + 1;
    const file = claimFile(claims, number);
    const draft = join(claims, `draft-${process.pid}-${Math.random().toString(36).slice(2)}`);
    await writeFile(draft, JSON.stringify(self), { mode: 0o600 });
    try {
      await link(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
    for (const older of await numbersIn(claims)) {
      if (older < number - 1) await rm(claimFile(claims, older), { force: true });
    }
    const heartbeat = setInterval(() => {
      const now = new Date();
      utimes(file, now, now).catch(() => {});
    }, HEARTBEAT_MS);
    heartbeat.unref();
    return {
      async release() {
        clearInterval(heartbeat);
        await writeFile(file, JSON.stringify({ ...self, released: true }));
      },
    };
  }
}

async function refuseLiveHolder(folder: string, file: string, self: Holder): Promise<void> {
  const holder = await readHolder(file);
  if (holder === null || holder.released) return;
  if (holder.space === self.space) {
    if (isAlive(holder)) throw new DataFolderLocked(folder, holder.pid, null);
    return;
  }
  const { mtimeMs } = await stat(file);
  if (Date.now() - mtimeMs < FOREIGN_SILENCE_MS) throw new DataFolderLocked(folder, holder.pid, holder.host);
}

async function readHolder(file: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Holder;
  } catch {
    // A claim that cannot be read was torn by a crash or a full disk while it was released: nobody lives in it.
    return null;
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const started = startOf(holder.pid);
  return holder.started === null || started === null || started === holder.started;
}

/** Field 22 of /proc/<pid>/stat (proc(5)); null elsewhere than on Linux or when the process is gone. */
function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field, the command, may hold spaces and parentheses; counting starts after its last ")".
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

async function processSpace(): Promise<string> {
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  return [hostname(), namespace, boot.trim()].join(" ");
}

async function numbersIn(claims: string): Promise<number[]> {
  const names = await readdir(claims);
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

function claimFile(claims: string, number: number): string {
  return join(claims, String(number));
}
