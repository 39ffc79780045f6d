// The first thing every `npm run` command reaches. It uses nothing but Node itself, so it works in a fresh clone:
// finds a Node that is new enough, brings node_modules in line with the lockfile, then runs scripts/<command>.ts and hands
// on its exit code. It must run on every Node a machine may have.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const minimumNode = [22, 12];
const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Writes to standard error, because standard output belongs to the command and may be read by a program. */
function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(message) {
  process.stderr.write(`aqua: ${message}\n`);
  process.exit(1);
}

function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > minimumNode[0] || (major === minimumNode[0] && minor >= minimumNode[1]);
}

/** Runs npm in a folder: the npm that started us, or the one on the PATH. Returns its exit code. */
function npm(cwd, args) {
  const cli = process.env.npm_execpath;
  const ours = cli !== undefined && /npm-cli\.c?js$/.test(cli);
  const [command, full] = ours ? [process.execPath, [cli, ...args]] : ["npm", args];
  const shell = !ours && process.platform === "win32";
  return new Promise((resolve) => {
    const child = spawn(command, full, { cwd, stdio: ["ignore", process.stderr, "inherit"], shell });
    child.on("error", (error) => fail(`npm could not be run: ${error.message}`));
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

/**
 * Returns the path of the Node whose version scripts/node pins, and fetches it as a package when it is missing. A copy
 * left by an interrupted fetch or by another machine does not run or has another version, and is fetched again.
 */
async function fetchNode() {
  const folder = join(root, "scripts", "node");
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  // Never a version that is too old itself, because it would search without end.
  const find = () =>
    Object.entries(packages)
      .filter(([, { version }]) => version !== undefined && isNewEnough(version))
      .flatMap(([path, { version }]) => ["node", "node.exe"].map((file) => [join(folder, path, "bin", file), version]))
      .find(([path, version]) => existsSync(path) && versionOf(path) === `v${version}`)?.[0];
  const minimum = minimumNode.join(".");
  const ours = process.versions.node;
  const there = find();
  if (there !== undefined) return there;
  say(`Node ${ours} is older than ${minimum}; fetching a newer one for this folder alone …`);
  const code = await npm(folder, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
  const path = code === 0 ? find() : undefined;
  if (path !== undefined) return path;
  const why = code === 0 ? `npm has none for ${process.platform} ${process.arch}` : `npm ended with exit code ${code}`;
  return fail(
    `needs Node ${minimum} or newer, this is ${ours}, and no newer one could be fetched: ${why}. Install one.`,
  );
}

function versionOf(node) {
  return spawnSync(node, ["--version"], { encoding: "utf8" }).stdout?.trim();
}

/** Returns the name of a development tool that the commands need and that is not installed, or undefined. */
function missingTool() {
  const { resolve } = createRequire(join(root, "package.json"));
  return ["tsx", "typescript/package.json", "vite/package.json"].find((name) => {
    try {
      return !resolve(name, { paths: [root, join(root, "apps", "web")] });
    } catch {
      return true;
    }
  });
}

async function install() {
  const lockfile = readFileSync(join(root, "package-lock.json"), "utf8");
  const fingerprint = createHash("sha256").update(lockfile).update(process.platform).update(process.arch).digest("hex");
  const stamp = join(root, "node_modules", ".aqua-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint && missingTool() === undefined) return;
  // An interrupted installation must not count as finished.
  rmSync(stamp, { force: true });
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  say("Installing from the lockfile …");
  const ticker = setInterval(() => say(`  still installing, ${seconds()}`), 15_000);
  // docs/decisions.md explains why this is not `npm ci`. No package needs its install script: binaries come from
  // platform packages.
  // `--include=dev`, because npm omits development tools under NODE_ENV=production and every command needs some.
  const code = await npm(root, ["install", "--no-save", "--ignore-scripts", "--include=dev"]);
  clearInterval(ticker);
  if (code !== 0)
    fail(`npm install failed with exit code ${code}; what it printed above says why. Nothing was started.`);
  const missing = missingTool();
  if (missing !== undefined) fail(`npm install left ${missing.split("/")[0]} out. Nothing was started.`);
  say(`Installed in ${seconds()}.`);
  writeFileSync(stamp, fingerprint);
}

/**
 * The ids of the parent and, on Linux, of its parent: they change when one of them ends. Elsewhere a shell becomes the
 * last command it is given, so that npm itself is the parent.
 */
function ancestors() {
  const parent = process.ppid;
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, "utf8");
    return `${parent} ${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]}`;
  } catch {
    return String(parent);
  }
}

/**
 * Forwards each signal to the child, which stops in its own order. This process waits for the child's end. If this
 * process is killed, the channel to the child closes, and the child stops by itself.
 */
function run(what, command, args, env = process.env) {
  const child = spawn(command, args, { cwd: root, stdio: ["inherit", "inherit", "inherit", "ipc"], env });
  for (const signal of forwardedSignals) process.on(signal, () => child.kill(signal));
  // An older Node runs this file on a newer one, and is then the parent of this process.
  process.on("disconnect", () => child.kill("SIGTERM"));
  // npm runs this process under a shell. A signal ends that shell without reaching this process, and a killed npm leaves
  // the shell waiting for it.
  if (process.env.npm_lifecycle_event !== undefined) {
    const above = ancestors();
    setInterval(() => ancestors() !== above && child.kill("SIGTERM"), 250).unref();
  }
  child.on("error", (error) => fail(`${what} could not be run: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    fail(`${what} was ended by ${signal}.`);
  });
}

const [command = "start", ...args] = process.argv.slice(2);
const script = join("scripts", `${command}.ts`);
if (!/^[a-z]+$/.test(command) || !existsSync(join(root, script))) fail(`there is no command "${command}".`);
if (isNewEnough(process.versions.node)) {
  await install();
  run(script, process.execPath, ["--import", "tsx", script, ...args]);
} else {
  const node = await fetchNode();
  // First on the PATH, so that programs started by the name `node` use this one too.
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`;
  run(node, node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { ...process.env, PATH: path });
}
