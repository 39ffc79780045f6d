import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");
const sdk = join(root, "packages/sdk");

/** Builds the SDK into `folder`, which is emptied first, and packs it there. Returns the path of the package. */
export function packSdk(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  const built = join(folder, "package");
  mkdirSync(built, { recursive: true });
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(sdk, "tsconfig.build.json"), "--outDir", built], {
    stdio: "inherit",
  });
  // The compiler rewrites the extensions of imports in scripts only.
  for (const name of globSync("**/*.d.ts", { cwd: built })) {
    const file = join(built, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/((?:from|import) ?\(?"\.[^"]*)\.ts"/g, '$1.js"'));
  }
  copyFileSync(join(root, "LICENSE"), join(built, "LICENSE"));
  copyFileSync(join(sdk, "README.md"), join(built, "README.md"));
  writeFileSync(join(built, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  const output = execFileSync("npm", ["pack", built, "--pack-destination", folder, "--json"], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    shell: process.platform === "win32",
  });
  const packed = Object.values(JSON.parse(output) as Record<string, { filename: string }>)[0];
  if (packed === undefined) throw new Error("npm created no package");
  return join(folder, packed.filename);
}

function manifest(): object {
  const { name, version, license, type, dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(sdk, "package.json"), "utf8"),
  );
  return {
    name,
    version,
    description: "Client, arithmetic and proofs of Aqua",
    license,
    type,
    sideEffects: false,
    engines: JSON.parse(readFileSync(join(root, "package.json"), "utf8")).engines,
    exports: { "./*": { types: "./*.d.ts", default: "./*.js" } },
    dependencies,
    // Only the chain's own entry point needs viem.
    peerDependencies,
    peerDependenciesMeta,
  };
}
