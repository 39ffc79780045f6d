import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * Returns the path of anvil inside its npm platform package. The launcher that npm puts on the PATH is not used: it
 * hides exit codes and needs an install script. Throws a one-line error when the platform has no such package.
 */
export function anvilBinary(): string {
  const processor = process.arch === "x64" ? "amd64" : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${processor}`;
  try {
    return require.resolve(`${name}/bin/${process.platform === "win32" ? "anvil.exe" : "anvil"}`);
  } catch {
    throw new Error(`anvil is not installed for this machine: the package ${name} is missing.`);
  }
}
