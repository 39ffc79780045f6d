import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { type OutputChunk, rolldown } from "rolldown";
import { webFolder } from "../devnet/src/build.ts";
import { repositoryRoot } from "../devnet/src/settings.ts";

const at = (...path: string[]) => join(repositoryRoot, ...path);
const server = createRequire(at("apps/server/package.json"));
const apiDocs = dirname(server.resolve("@fastify/swagger-ui/package.json"));

/** Packages with machine code, which no bundler can take in: password hashing, with the binary of this system. */
const native = /^@node-rs\/argon2/;

/** Size in bytes and number of files of a build. */
export interface Distribution {
  bytes: number;
  files: number;
}

/**
 * Makes the folder that runs in production on a machine with Node alone: `server.js` and `aqua.js`, their bundles in
 * `lib`, and what the server reads. The web app must be built. The manifest is written last, so that an interrupted
 * build does not start.
 */
export async function buildDistribution(folder: string): Promise<Distribution> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { version, engines } = JSON.parse(await readFile(at("package.json"), "utf8"));
  const chunks = await bundle(join(folder, "lib"));
  await writeFile(join(folder, "LICENSES.txt"), licencesOf(chunks));
  await copyNative(folder);
  const copied: [from: string, to: string][] = [
    [webFolder("production"), "web"],
    [at("contracts/bytecode"), "bytecode"],
    [at("devnet/legal"), "legal"],
    [join(apiDocs, "static"), "api-docs/static"],
    [at("LICENSE"), "LICENSE"],
  ];
  for (const [from, to] of copied) await cp(from, join(folder, to), { recursive: true });
  await cp(at("apps/server/migrations"), join(folder, "migrations"), {
    recursive: true,
    // Only drizzle-kit reads the snapshots.
    filter: (path) => !path.endsWith("_snapshot.json"),
  });
  for (const name of ["server.js", "aqua.js"]) await copyFile(at("scripts/startBuild.mjs"), join(folder, name));
  const ours = { name: "aqua", version, private: true, license: "MIT", type: "module", engines };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(ours, null, 2)}\n`);
  const files = filesOf(folder);
  const hashes = Object.fromEntries(files.map((file) => [file, hashOf(join(folder, file))]));
  const manifest = { version, node: engines.node, system: systemNow(), files: hashes };
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`);
  const bytes = [...files, "manifest.json"].reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  return { bytes, files: files.length + 1 };
}

async function bundle(folder: string): Promise<OutputChunk[]> {
  const bundler = await rolldown({
    cwd: repositoryRoot,
    input: { server: "apps/server/src/main.ts", aqua: "apps/operator/src/main.ts" },
    platform: "node",
    external: native,
    transform: { define: { __BUNDLED__: "true" } },
    plugins: [
      {
        name: "folder of the API's documentation",
        transform: {
          filter: { id: /@fastify\/swagger-ui\// },
          // The package finds its pages beside its own files.
          handler(code, id) {
            const place = join("..", "api-docs", dirname(relative(apiDocs, id)));
            const path = `(import.meta.dirname + ${JSON.stringify(`/${place.split(sep).join("/")}`)})`;
            return { code: code.replaceAll("__dirname", path), map: null };
          },
        },
      },
    ],
    onLog(level, log, report) {
      if (level === "warn") throw new Error(`The server's bundle: ${log.message}`);
      report(level, log);
    },
  });
  try {
    const { output } = await bundler.write({
      dir: folder,
      format: "esm",
      sourcemap: true,
      // Lines and names are enough; the sources are in the repository.
      sourcemapExcludeSources: true,
      chunkFileNames: "[name]-[hash].js",
    });
    return output.filter((part) => part.type === "chunk");
  } finally {
    await bundler.close();
  }
}

async function copyNative(folder: string): Promise<void> {
  const loader = dirname(server.resolve("@node-rs/argon2/package.json"));
  const binary = binaryOf(loader);
  for (const [name, from] of [
    ["@node-rs/argon2", loader],
    [binary, dirname(createRequire(join(loader, "package.json")).resolve(`${binary}/package.json`))],
  ] as const) {
    await cp(from, join(folder, "node_modules", name), { recursive: true, dereference: true });
  }
}

/** The package of the loader's binary that is installed for this system. */
function binaryOf(loader: string): string {
  const { optionalDependencies } = JSON.parse(readFileSync(join(loader, "package.json"), "utf8"));
  const require = createRequire(join(loader, "package.json"));
  const found = Object.keys(optionalDependencies).find((name) => {
    try {
      // Its own file, so that a binary of another system that happens to be installed does not count.
      require(name);
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`@node-rs/argon2 has no binary for ${systemNow()}`);
  return found;
}

/** The licences of all packages in the bundles, as they ask for. */
function licencesOf(chunks: readonly OutputChunk[]): string {
  const packages = new Map<string, string>();
  for (const id of chunks.flatMap(({ moduleIds }) => moduleIds)) {
    const [folder, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id.split(sep).join("/")) ?? [];
    if (folder !== undefined && name !== undefined) packages.set(folder, name);
  }
  const texts = [...packages]
    .sort(([, one], [, other]) => (one < other ? -1 : 1))
    .map(([folder, name]) => {
      const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const [file] = globSync("{LICENSE,LICENCE,license,License}*", { cwd: folder });
      const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), "utf8").trim();
      return `${name} ${version}\n\n${text}\n`;
    });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

function filesOf(folder: string): string[] {
  const found = globSync(["**/*", "web/.*/**/*"], { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
  return [...new Set(found)].sort();
}

const hashOf = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

const systemNow = () => `${process.platform} ${process.arch}`;
