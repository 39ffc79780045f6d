import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { StartRefused } from "../../errors.ts";

export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * Returns `nobody` when this process is root, because PostgreSQL refuses to run as root; otherwise null, for the user
 * of this process.
 */
export function databaseUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("nobody:"));
  const [uid, gid] = line?.split(":").slice(2, 4).map(Number) ?? [];
  if (!uid || gid === undefined) {
    throw new StartRefused("PostgreSQL does not run as root and there is no user nobody; start Aqua as another user");
  }
  return { uid, gid };
}

/** Whether the modes of `folder` and of all folders above it let `user` pass. */
export async function mayEnter(user: SystemUser, folder: string): Promise<boolean> {
  const { mode, uid, gid } = await stat(folder);
  const execute = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  if ((mode & execute) === 0) return false;
  const above = dirname(folder);
  return above === folder || mayEnter(user, above);
}
