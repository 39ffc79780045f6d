import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Folder into which Debian's packages are unpacked when their programs are not installed. The machine itself is not
 * changed.
 */
const laidOut = fileURLToPath(new URL("../../../../node_modules/.cache/aqua-programs/", import.meta.url));

export interface Program {
  path: string;
  env: NodeJS.ProcessEnv;
}

/** Returns an installed program, or fetches Debian's. If neither works, throws with instructions: no test is skipped. */
export function findProgram(name: string, debianPackage = name): Program {
  const installed = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/usr/local/sbin"]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  if (installed) return { path: installed, env: process.env };
  const fetched = () =>
    [join(laidOut, "usr/sbin", name), join(laidOut, "usr/bin", name)].find((path) => existsSync(path));
  if (!fetched()) fetchPackage(debianPackage);
  const path = fetched();
  if (!path) throw new Error(`No ${name} found. Install it (Debian: apt-get install ${debianPackage}).`);
  const libraries = join(laidOut, "usr/lib");
  const folders = readdirSync(libraries, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const LD_LIBRARY_PATH = folders.map((folder) => join(libraries, folder.name)).join(":");
  return { path, env: { ...process.env, LD_LIBRARY_PATH } };
}

/** Unpacks a package with its dependencies. Installing it would start a service on the port of our own broker. */
function fetchPackage(name: string): void {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const archives = join(laidOut, "archives");
  mkdirSync(join(archives, "partial"), { recursive: true });
  const run = (command: string, args: string[]) => execFileSync(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const settings = [
    "-q",
    "-o",
    `Dir::Cache::archives=${archives}`,
    "-o",
    "APT::Sandbox::User=root",
    "-o",
    "DPkg::Lock::Timeout=300",
  ];
  run("apt-get", [...settings, "update"]);
  run("apt-get", [...settings, "install", "-y", "--no-install-recommends", "--download-only", name]);
  mkdirSync(join(laidOut, "usr/lib"), { recursive: true });
  for (const file of readdirSync(archives)) {
    if (file.endsWith(".deb")) run("dpkg-deb", ["-x", join(archives, file), laidOut]);
  }
}
