// The first thing every `npm run` command reaches. It uses nothing but Node itself, so it works in a fresh clone:
// checks Node, brings node_modules in line with the lockfile, then runs scripts/<command>.ts and hands on its exit code.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const minimumNode = [20, 19];
const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

function fail(message) {
  process.stderr.write(`aqua: ${message}\n`);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > minimumNode[0] || (major === minimumNode[0] && minor >= minimumNode[1])) return;
  fail(`needs Node ${minimumNode.join(".")} or newer, this is ${process.versions.node}.`);
}

/** Runs npm as the npm that started us, or the one on the PATH. Answers its exit code. */
function npm(args) {
  const cli = process.env.npm_execpath;
  const ours = cli !== undefined && /npm-cli\.c?js$/.test(cli);
  const [command, full] = ours ? [process.execPath, [cli, ...args]] : ["npm", args];
  const shell = !ours && process.platform === "win32";
  return new Promise((resolve) => {
    const child = spawn(command, full, { cwd: root, stdio: ["ignore", "inherit", "inherit"], shell });
    child.on("error", (error) => fail(`npm could not be run: ${error.message}`));
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

async function install() {
  const lockfile = readFileSync(join(root, "package-lock.json"), "utf8");
  const fingerprint = createHash("sha256").update(lockfile).update(process.platform).update(process.arch).digest("hex");
  const stamp = join(root, "node_modules", ".aqua-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return;
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  process.stdout.write("Installing from the lockfile …\n");
  const ticker = setInterval(() => process.stdout.write(`  still installing, ${seconds()}\n`), 15_000);
  // Why not `npm ci`: docs/decisions.md. No package needs its install script: binaries come from platform packages.
  const code = await npm(["install", "--no-save", "--ignore-scripts"]);
  clearInterval(ticker);
  if (code !== 0)
    fail(`npm install failed with exit code ${code}; what it printed above says why. Nothing was started.`);
  process.stdout.write(`Installed in ${seconds()}.\n`);
  writeFileSync(stamp, fingerprint);
}

/** The child gets each signal and stops in its own order; this process stays until it has. */
function run(script, args) {
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], { cwd: root, stdio: "inherit" });
  for (const signal of forwardedSignals) process.on(signal, () => child.kill(signal));
  // npm runs us under a shell that dies of a signal without passing it on; then our parent is another.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined) {
    setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 250).unref();
  }
  child.on("error", (error) => fail(`${script} could not be run: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    fail(`${script} was ended by ${signal}.`);
  });
}

const [command = "start", ...args] = process.argv.slice(2);
const script = join("scripts", `${command}.ts`);
checkNode();
if (!/^[a-z]+$/.test(command) || !existsSync(join(root, script))) fail(`there is no command "${command}".`);
await install();
run(script, args);
