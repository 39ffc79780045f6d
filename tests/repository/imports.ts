import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { parseSync } from "oxc-parser";

export interface SourceFile {
  /** Path from the repository's root, with slashes. */
  path: string;
  source: string;
}

/** A row of the table in ARCHITECTURE.md: the folders and files that it owns, and the rows that they may import. */
export interface Row {
  name: string;
  /** Path prefixes from the repository's root, without extension. */
  paths: readonly string[];
  imports: readonly string[];
}

interface Import {
  /** A path of the repository, or the name of a package. */
  target: string;
  kind: "file" | "package";
}

/** Folder of each part in the table. */
const parts: Readonly<Record<string, string>> = {
  sdk: "packages/sdk/src",
  contracts: "contracts",
  operator: "apps/operator/src",
  devnet: "devnet/src",
  server: "apps/server/src",
  web: "apps/web/src",
};

/** Our own packages: an import of "@aqua/sdk/maths/units" is one of `packages/sdk/src/maths/units.ts`. */
const workspaces: Readonly<Record<string, string>> = {
  "@aqua/sdk": "packages/sdk/src",
  "@aqua/contracts": "contracts",
};

/** Files that may import each package. A package that is not listed may be imported everywhere. */
const packages: readonly [RegExp, RegExp][] = [
  [/^(wagmi|@wagmi\/.*|@rainbow-me\/rainbowkit|@walletconnect\/.*)$/, /^apps\/web\/src\/wallet\//],
  [/^viem$/, /^(packages\/sdk\/src\/(chain|audit)|contracts|apps\/(operator|server)|devnet|apps\/web\/src\/wallet)\//],
  [/^(react|react-dom|react-router|@tanstack\/react-query)$/, /^apps\/web\//],
  [
    /^(node|pg|drizzle-orm|fastify|pino)$/,
    /^(contracts|apps\/(operator|server)|devnet)\/|^apps\/web\/src\/server\.tsx$/,
  ],
  [/^zod$/, /^(?!packages\/sdk\/src\/(proofs|maths|chain)\/|apps\/web\/)/],
];

/** The rows of the table, in their order. @throws when the text holds no such table */
export function readRows(markdown: string): Row[] {
  const lines = markdown.split("\n");
  const head = lines.indexOf("| Folder | May import |");
  if (head < 0) throw new Error("there is no table of folders");
  const end = lines.findIndex((line, index) => index > head && !line.startsWith("|"));
  return lines.slice(head + 2, end).map((line) => {
    const [name = "", list = ""] = line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    return { name: shortName(name), paths: pathsOf(name), imports: list.split(/, (?![^{]*\})/).filter(Boolean) };
  });
}

/** The short name by which other rows refer to a row, such as "server/{chain,…}". */
function shortName(name: string): string {
  return name.replace(/\{([^,}]+),[^}]+\}/, "{$1,…}");
}

function pathsOf(name: string): string[] {
  const [part = "", ...rest] = name.split("/");
  const folder = [parts[part], ...rest].join("/");
  const [, before = "", list = ""] = /^(.*)\{(.*)\}$/.exec(folder) ?? [];
  return list === "" ? [folder] : list.split(",").map((one) => before + one);
}

/** The row that owns a file: the one with the longest of the paths that it lies in. */
function rowOf(path: string, rows: readonly Row[]): Row | null {
  let found: { row: Row; length: number } | null = null;
  for (const row of rows) {
    for (const own of row.paths) {
      const isIn = path.startsWith(`${own}/`) || path === `${own}.ts` || path === `${own}.tsx`;
      if (isIn && own.length > (found?.length ?? 0)) found = { row, length: own.length };
    }
  }
  return found?.row ?? null;
}

function importsOf({ path, source }: SourceFile): Import[] {
  const { module } = parseSync(path, source);
  const names = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  for (const { moduleRequest } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (moduleRequest) names.push(moduleRequest.value);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^["'`](.*)["'`]$/s.exec(source.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[1] !== undefined) names.push(literal[1]);
  }
  for (const [, name] of source.matchAll(/typeof import\("([^"]+)"\)/g)) if (name !== undefined) names.push(name);
  return names.map((name) => resolve(path, name));
}

function resolve(from: string, name: string): Import {
  if (name.startsWith(".")) return { kind: "file", target: posix.join(posix.dirname(from), name) };
  const [scope = "", rest = "", ...more] = name.split("/");
  const npm = scope.startsWith("@") ? `${scope}/${rest}` : scope;
  const folder = workspaces[npm];
  if (folder !== undefined) return { kind: "file", target: `${posix.join(folder, ...more)}.ts` };
  return { kind: "package", target: isBuiltin(name) ? "node" : npm };
}

/** The imports that the table or the list of packages does not allow, one sentence each. */
export function refusals(files: readonly SourceFile[], rows: readonly Row[]): string[] {
  return files.flatMap((file) => {
    const from = rowOf(file.path, rows);
    if (from === null) return [`${file.path} is in no row`];
    return importsOf(file).flatMap(({ target, kind }) => {
      const refused = [`${file.path}: ${from.name} may not import ${target}`];
      if (kind === "package")
        return packages.some(([name, where]) => name.test(target) && !where.test(file.path)) ? refused : [];
      const to = rowOf(target, rows);
      return to === from || (to !== null && from.imports.includes(to.name)) ? [] : refused;
    });
  });
}

/** The rows that a row names but none of its files imports, one sentence each. */
export function unused(files: readonly SourceFile[], rows: readonly Row[]): string[] {
  const used = new Set<string>();
  for (const file of files)
    for (const { target } of importsOf(file))
      used.add(`${rowOf(file.path, rows)?.name} imports ${rowOf(target, rows)?.name}`);
  return rows.flatMap(({ name, imports }) =>
    imports.filter((to) => !used.has(`${name} imports ${to}`)).map((to) => `${name} does not import ${to}`),
  );
}

/** Files that import each other in a circle, types included; each circle as one sentence. */
export function circles(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map(({ path }) => path));
  const imports = new Map(
    files.map((file) => [file.path, importsOf(file).flatMap(({ target }) => (known.has(target) ? [target] : []))]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  function visit(path: string, way: readonly string[]): void {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(" → "));
    if (way.includes(path) || done.has(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  }
  for (const path of imports.keys()) visit(path, []);
  return found;
}
