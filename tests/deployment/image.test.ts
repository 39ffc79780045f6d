import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../apps/server/test/support/startPostgres.ts";
import { freePort } from "../../devnet/test/support/port.ts";

/**
 * Builds the image of `Containerfile` from a base of Debian's packages and the Node of this process, and runs it as a
 * container is run: with a read-only root in namespaces of its own, the image's user, and no way to more privileges.
 * `buildah run` cannot make the root read-only in a chroot, so `unshare`, `mount` and `chroot` do it here.
 */

interface ImageConfig {
  User: string;
  Env: string[];
  Cmd: string[];
  WorkingDir: string;
  Volumes: Record<string, object>;
  Labels: Record<string, string>;
  Healthcheck: { Test: string[] };
}

const repository = join(import.meta.dirname, "../..");
/** Milliseconds in which packages are fetched and everything is built; a quarter of it is usual. */
const SETUP_MS = 900_000;
const needed = ["buildah", "mmdebstrap", "unshare", "setpriv"];

/** On a disk, because the layers take some gigabytes while they are built. */
let folder: string;
let postgres: PostgresServer;
let config: ImageConfig;
/** The files of the image. */
let root: string;
let port: number;

function requirePrograms(): void {
  const missing = needed.filter((name) => spawnSync(name, ["--version"]).error !== undefined);
  if (process.getuid?.() === 0 && missing.length === 0) return;
  throw new Error(
    "npm run test:image must run as root on Debian with the packages buildah and mmdebstrap " +
      `(apt-get install buildah mmdebstrap)${missing.length > 0 ? `; missing here: ${missing.join(", ")}` : ""}.`,
  );
}

function buildah(...args: string[]): string {
  const storage = ["--root", join(folder, "storage"), "--runroot", join(folder, "run"), "--storage-driver", "vfs"];
  return execFileSync("buildah", [...storage, ...args], {
    cwd: repository,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, BUILDAH_ISOLATION: "chroot" },
    maxBuffer: 100e6,
  }).trim();
}

/** Commits an image with these files on top of another one. */
function commitImage(name: string, from: string, files: string, settings: string[] = []): void {
  const container = buildah("from", from);
  buildah("add", container, files, "/");
  if (settings.length > 0) buildah("config", ...settings, container);
  buildah("commit", "--quiet", "--rm", container, name);
}

/** The two base images that `Containerfile` expects. */
function makeBases(): void {
  const archive = join(folder, "base.tar");
  const sources = globSync(["/etc/apt/sources.list", "/etc/apt/sources.list.d/*.{list,sources}"]);
  execFileSync("mmdebstrap", ["--quiet", "--variant=essential", "--include=libstdc++6", "", archive, ...sources], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  commitImage("localhost/base", "scratch", archive);

  const local = join(folder, "node/usr/local");
  mkdirSync(join(local, "bin"), { recursive: true });
  copyFileSync(process.execPath, join(local, "bin/node"));
  const npm = dirname(dirname(realpathSync(execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim())));
  cpSync(npm, join(local, "lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(local, "bin/npm"));
  // A machine may reach the packages through an authority of its own.
  const authority = process.env.NODE_EXTRA_CA_CERTS;
  if (authority) copyFileSync(authority, join(folder, "node/authority.pem"));
  const settings = authority ? ["--env", "NODE_EXTRA_CA_CERTS=/authority.pem"] : [];
  commitImage("localhost/node", "localhost/base", join(folder, "node"), settings);
}

/** Starts a program in the image as its user. The root is read-only but for the data folder. */
function start(command: readonly string[]): ChildProcess {
  const sockets = decodeURIComponent(new URL(postgres.url).hostname);
  const script = `set -e
    mount --bind "$ROOT" "$ROOT"
    mount --bind "$DATA" "$ROOT/data"
    mount --bind "$SOCKETS" "$ROOT/mnt"
    mount -t proc proc "$ROOT/proc"
    mount --rbind /dev "$ROOT/dev"
    mount -o remount,bind,ro "$ROOT"
    exec setpriv --no-new-privs chroot --userspec="$USER_IDS" --groups= "$ROOT" env --ignore-environment "$@"`;
  const environment = [
    ...config.Env,
    `PORT=${port}`,
    "MQTT_PORT=off",
    "DATABASE_URL=postgresql://aqua@%2Fmnt/postgres",
    `SECRET_KEY=${"ab".repeat(32)}`,
    "SMTP_URL=smtp://127.0.0.1:25",
  ];
  const inside = [`--chdir=${config.WorkingDir}`, ...environment, ...command];
  return spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, "sh", ...inside], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, ROOT: root, DATA: join(folder, "data"), SOCKETS: sockets, USER_IDS: config.User },
  });
}

/** Runs a program in the image to its end. */
async function run(...command: string[]): Promise<{ status: number | null; said: string }> {
  const child = start(command);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text: Buffer) => (said += text.toString()));
  const [status] = (await once(child, "close")) as [number | null];
  return { status, said };
}

beforeAll(async () => {
  requirePrograms();
  folder = mkdtempSync("/var/tmp/aqua-image-");
  chmodSync(folder, 0o755);
  makeBases();
  const bases = ["NODE_IMAGE=localhost/node", "BASE_IMAGE=localhost/base", "VERSION=1.2.3"];
  const args = bases.flatMap((base) => ["--build-arg", base]);
  // Docker's format, because OCI's has no health check.
  buildah("build", "--format", "docker", ...args, "--tag", "localhost/aqua", "--file", "Containerfile", ".");
  config = JSON.parse(buildah("inspect", "--type", "image", "localhost/aqua")).Docker.config;
  root = buildah("mount", buildah("from", "localhost/aqua"));
  port = await freePort();
  postgres = await startPostgres(["fsync=off"]);
  chmodSync(decodeURIComponent(new URL(postgres.url).hostname), 0o755);
  // A new volume takes over the owner of the image's folder.
  const { uid, gid } = statSync(join(root, "data"));
  mkdirSync(join(folder, "data"), { mode: 0o700 });
  chownSync(join(folder, "data"), uid, gid);
}, SETUP_MS);
afterAll(async () => {
  await postgres?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

it("the image holds Node and the build, and names its version, licence and health check", () => {
  expect(config).toMatchObject({
    User: "10001:10001",
    Volumes: { "/data": {} },
    Labels: { "org.opencontainers.image.version": "1.2.3", "org.opencontainers.image.licenses": "MIT" },
    Healthcheck: { Test: ["CMD", "node", "-e", expect.stringContaining("/live")] },
  });
  expect(readdirSync(join(root, "usr/local/bin"))).toEqual(["node"]);
  expect(existsSync(join(root, "opt/aqua/server.js"))).toBe(true);
  for (const path of ["build", "usr/local/lib/node_modules", "authority.pem"]) {
    expect(existsSync(join(root, path)), path).toBe(false);
  }
});

it("a container answers on a read-only root without privileges, and ends on SIGTERM with 0", async () => {
  const health = config.Healthcheck.Test.slice(1);
  expect(await run(...health)).toMatchObject({ status: 1 });

  const container = start(config.Cmd);
  let said = "";
  for (const stream of [container.stdout, container.stderr])
    stream?.on("data", (text: Buffer) => (said += text.toString()));
  const ended = once(container, "exit");
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, text: await response.text() };
  };
  await expect.poll(() => container.exitCode !== null || said.includes('"msg":"listening"')).toBe(true);
  expect(container.exitCode, said).toBeNull();

  expect(await get("/live")).toMatchObject({ status: 200 });
  expect(await get("/ready")).toMatchObject({ status: 200 });
  expect(await get("/")).toMatchObject({ status: 200, text: expect.stringContaining('<div id="root">') });
  expect(await run(...health)).toMatchObject({ status: 0 });

  // The server is the first process of its namespace, as it is in a container.
  const pid = Number(readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, "utf8"));
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);

  process.kill(pid, "SIGTERM");
  expect(await ended, said).toEqual([0, null]);
  expect(said).toContain('"msg":"stopped"');
});

it("a container writes into its data folder alone", async () => {
  expect(await run("touch", "/data/written")).toMatchObject({ status: 0 });
  for (const place of ["/opt/aqua", "/srv/aqua", "/tmp"]) {
    expect(await run("touch", `${place}/written`)).toMatchObject({
      status: 1,
      said: expect.stringContaining("Read-only file system"),
    });
  }
});

it("the operator's command runs in the image", async () => {
  expect(await run("node", "/opt/aqua/aqua.js", "migrate")).toEqual({
    status: 0,
    said: "The database is of this version.\n",
  });
});
