// Finds forge's platform binary and runs it with npm's solc. The `forge` command that npm puts on the PATH is a wrapper
// that exits 0 even when tests fail, so it is never called.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

export const contractsRoot = fileURLToPath(new URL("..", import.meta.url));
const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));
const config = fileURLToPath(new URL("../foundry.toml", import.meta.url));
const solc = fileURLToPath(new URL("./solc.mjs", import.meta.url));

const PLATFORMS = { linux: "linux", darwin: "darwin", win32: "win32" };
const ARCHITECTURES = { x64: "amd64", arm64: "arm64" };

/** Path of the forge binary for this machine; throws one clear line when npm did not install it. */
export function forgeBinary() {
  const name = `@foundry-rs/forge-${PLATFORMS[process.platform]}-${ARCHITECTURES[process.arch]}`;
  const file = process.platform === "win32" ? "forge.exe" : "forge";
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    throw new Error(`forge is not installed for this machine (${name}); run the install again with optional packages`);
  }
}

/**
 * Runs forge on contracts/ and resolves to its exit code and output, never rejecting on a failing run.
 * @param {string[]} args a command that compiles (build, test, snapshot, coverage) and its arguments
 * @param {{ profile?: string, echo?: boolean, env?: Record<string, string> }} [options] `echo` also shows the output
 */
export function runForge(args, { profile = "default", echo = false, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(forgeBinary(), [...args, "--root", repositoryRoot, "--use", solc, "--offline"], {
      cwd: repositoryRoot,
      env: { ...process.env, FOUNDRY_CONFIG: config, FOUNDRY_PROFILE: profile, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const chunks = { stdout: [], stderr: [] };
    for (const stream of ["stdout", "stderr"]) {
      child[stream].on("data", (chunk) => {
        chunks[stream].push(chunk);
        if (echo) process[stream].write(chunk);
      });
    }
    child.on("error", reject);
    child.on("close", (code) => {
      const text = (stream) => Buffer.concat(chunks[stream]).toString("utf8");
      resolve({ code: code ?? 1, stdout: text("stdout"), stderr: text("stderr") });
    });
  });
}
