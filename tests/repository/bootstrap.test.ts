import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { makeDataFolder, removeDataFolder } from "../../apps/server/test/support/dataFolder.ts";

const repository = join(import.meta.dirname, "../..");
/** Makes this process's Node report an old version. Child processes report their own. */
const asOld = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });`;

const tools = ["tsx", "typescript", "vite"];

let clone: string;
/** The file that says that everything is installed. */
let stamp: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "aqua clone ü "));
  mkdirSync(join(clone, "scripts", "node"), { recursive: true });
  mkdirSync(join(clone, "node_modules"));
  mkdirSync(join(clone, "bin"));
  for (const file of ["scripts/bootstrap.mjs", "scripts/node/package.json", "scripts/node/package-lock.json"]) {
    copyFileSync(join(repository, file), join(clone, file));
  }
  for (const tool of tools) symlinkSync(join(repository, "node_modules", tool), join(clone, "node_modules", tool));
  const script =
    "console.log(JSON.stringify([process.execPath, process.env.PATH, process.argv.slice(2)])); process.exitCode = 7;";
  writeFileSync(join(clone, "scripts", "probe.ts"), script);
  writeFileSync(join(clone, "old.cjs"), asOld);
  // Everything is installed.
  writeFileSync(join(clone, "package-lock.json"), "{}");
  const fingerprint = createHash("sha256").update("{}").update(process.platform).update(process.arch).digest("hex");
  stamp = join(clone, "node_modules", ".aqua-installed");
  writeFileSync(stamp, fingerprint);
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

/** The version that the clone requires, from a package with a name of ours. */
function pinNode(version: string): void {
  const packages = { "node_modules/node-of-this-platform": { version } };
  writeFileSync(join(clone, "scripts", "node", "package-lock.json"), JSON.stringify({ packages }));
}

/** The npm on the PATH does this. */
function npmDoes(shell: string): void {
  const npm = join(clone, "bin", "npm");
  writeFileSync(npm, `#!/bin/sh\n${shell}\n`);
  chmodSync(npm, 0o755);
}

function bootstrap({ old = false, environment = {} } = {}) {
  const { npm_execpath: _, npm_lifecycle_event: __, ...rest } = process.env;
  const env = { ...rest, ...environment, PATH: `${join(clone, "bin")}${delimiter}${process.env.PATH}` };
  const args = [...(old ? ["--require", join(clone, "old.cjs")] : []), "scripts/bootstrap.mjs", "probe", "--x", "a b"];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: clone, env, encoding: "utf8" });
  return { stderr, status, probe: () => JSON.parse(stdout) as [string, string, string[]] };
}

it("the bootstrap runs a command on a Node that is new enough, with its arguments and exit code", () => {
  const { status, probe } = bootstrap();
  expect(status).toBe(7);
  expect(probe()[0]).toBe(process.execPath);
  expect(probe()[2]).toEqual(["--x", "a b"]);
});

it("the bootstrap fetches the pinned Node once if the machine's own is too old, and puts it first on the PATH", () => {
  const path = join("node_modules", "node-of-this-platform", "bin", "node");
  // Replaces the download with the Node of this process, under the package's name and version.
  pinNode(process.versions.node);
  npmDoes(`mkdir -p "$(dirname ${path})" && cp '${process.execPath}' ${path}`);
  const first = bootstrap({ old: true });
  const node = join(clone, "scripts", "node", path);
  expect(first.status).toBe(7);
  expect(first.stderr).toBe("Node 20.20.2 is older than 22.12; fetching a newer one for this folder alone …\n");
  const [ran, paths, args] = first.probe();
  expect(ran).toBe(node);
  expect(paths.split(delimiter)[0]).toBe(dirname(node));
  expect(args).toEqual(["--x", "a b"]);

  npmDoes("exit 1");
  const second = bootstrap({ old: true });
  expect(second.status).toBe(7);
  expect(second.stderr).toBe("");
});

it("the bootstrap fetches Node again if the fetched one does not run or is not the pinned version", () => {
  const path = join(clone, "scripts", "node", "node_modules", "node-of-this-platform", "bin", "node");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "the beginning of a download");
  chmodSync(path, 0o755);
  pinNode(process.versions.node);
  npmDoes(`cp '${process.execPath}' '${path}'`);
  const { status, stderr } = bootstrap({ old: true });
  expect(status).toBe(7);
  expect(stderr).toContain("fetching a newer one");
  pinNode("22.99.0");
  npmDoes("exit 1");
  expect(bootstrap({ old: true }).stderr).toContain("no newer one could be fetched");
});

it("the bootstrap never runs on a pinned Node that is too old itself", () => {
  const node = join(clone, "scripts", "node", "node_modules", "node-of-this-platform", "bin", "node");
  mkdirSync(dirname(node), { recursive: true });
  writeFileSync(node, '#!/bin/sh\nif [ "$1" = --version ]; then echo v20.20.2; else exit 9; fi\n');
  chmodSync(node, 0o755);
  pinNode("20.20.2");
  npmDoes("exit 0");
  const { status, stderr } = bootstrap({ old: true });
  expect(status).toBe(1);
  expect(stderr).toContain("no newer one could be fetched");
});

it("the bootstrap says what to do if no newer Node can be fetched", () => {
  npmDoes("echo no network >&2; exit 1");
  const { status, stderr } = bootstrap({ old: true });
  expect(status).toBe(1);
  expect(stderr).toContain(
    "aqua: needs Node 22.12 or newer, this is 20.20.2, and no newer one could be fetched: npm ended with exit code 1. Install one.",
  );
  npmDoes("exit 0");
  expect(bootstrap({ old: true }).stderr).toContain(`npm has none for ${process.platform} ${process.arch}`);
});

describe("in a fresh clone", () => {
  const production = { NODE_ENV: "production" };
  /** What npm does under NODE_ENV=production: it leaves development tools out unless they are asked for. */
  const omitting = `case "$*" in *--include=dev*) ${tools
    .map((tool) => `ln -sfn '${join(repository, "node_modules", tool)}' 'node_modules/${tool}'`)
    .join("; ")};; esac`;
  const removeTools = () => {
    for (const tool of tools) rmSync(join(clone, "node_modules", tool));
  };

  it("the bootstrap installs the tools under NODE_ENV=production too", () => {
    removeTools();
    rmSync(stamp);
    npmDoes(omitting);
    const { status, stderr } = bootstrap({ environment: production });
    expect(stderr).toContain("Installed in");
    expect(status).toBe(7);
    expect(existsSync(stamp)).toBe(true);
  });

  it("the bootstrap installs again if the tools are gone, whatever an earlier installation noted", () => {
    removeTools();
    npmDoes(omitting);
    expect(bootstrap({ environment: production }).status).toBe(7);
  });

  it("the bootstrap notes an installation only when the tools are there", () => {
    removeTools();
    npmDoes("exit 0");
    const { status, stderr } = bootstrap();
    expect(status).toBe(1);
    expect(stderr).toContain("aqua: npm install left tsx out. Nothing was started.");
    expect(existsSync(stamp)).toBe(false);
  });
});

it("npm run serve leaves nothing running when the bootstrap is killed", async () => {
  const folder = await makeDataFolder();
  onTestFinished(() => removeDataFolder(folder));
  const wrapper = spawn(process.execPath, ["scripts/bootstrap.mjs", "serve"], {
    cwd: repository,
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, PORT: "0", MQTT_PORT: "off", DATA_DIR: folder },
    // A group of its own, which is ended if the test fails.
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-(wrapper.pid as number), "SIGKILL");
    } catch {
      // Nothing is left of it.
    }
  });
  const closed = once(wrapper.stdout, "close");
  let said = "";
  wrapper.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes('"listening"')) wrapper.kill("SIGKILL");
  });
  // The pipe closes when the last process that writes to it has ended.
  await closed;
  expect(said).toContain('"reason":"disconnect"');
  expect(said).toContain('"stopped"');
  expect(existsSync(join(folder, "postgres/data/postmaster.pid"))).toBe(false);
});
