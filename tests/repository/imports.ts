import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { parseSync } from "oxc-parser";

export interface SourceFile {
  /** From the repository's root, with slashes. */
  path: string;
  source: string;
}

/** A row of the table of rooms in ARCHITECTURE.md. */
export interface Room {
  /** A part and a folder or file in it. The part alone owns the files that lie directly in it, with `/**` all of them. */
  name: string;
  imports: readonly string[];
  /** Rooms of which only types are imported, so that nothing of them is left in a browser. */
  types: readonly string[];
  /** npm packages; "node" stands for Node's own modules. */
  packages: readonly string[];
}

interface Import {
  /** A path of the repository, or the name of a package. */
  target: string;
  kind: "file" | "package";
  /** Nothing of it is left once the types are erased. */
  typeOnly: boolean;
}

/** Where the parts of the table lie. */
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

/** The rows of the table of rooms, in their order. @throws when the text holds no such table */
export function readRooms(markdown: string): Room[] {
  const lines = markdown.split("\n");
  const head = lines.indexOf("| Room | May import | For types alone | Packages |");
  if (head < 0) throw new Error("there is no table of rooms");
  const end = lines.findIndex((line, index) => index > head && !line.startsWith("|"));
  return lines.slice(head + 2, end).map((line) => {
    const [name = "", ...lists] = line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    const [imports = [], types = [], packages = []] = lists.map((cell) => (cell === "" ? [] : cell.split(", ")));
    return { name, imports, types, packages };
  });
}

/** Where a file lies: its room, and the part of the path that says so, since `pages/*` is a room for each page. */
function placeOf(path: string, rooms: readonly Room[]): { room: Room; place: string } | null {
  let best: { room: Room; place: string } | null = null;
  for (const room of rooms) {
    const [part = "", ...rest] = room.name.split("/");
    const folder = [parts[part], ...rest].join("/");
    const pattern = folder.endsWith("/**")
      ? `^${folder.slice(0, -3)}(?=/)`
      : `^${folder.replaceAll("*", "[^/]+")}${rest.length === 0 ? "(?=/[^/]+$)" : "(?=/|\\.tsx?$)"}`;
    const place = new RegExp(pattern).exec(path)?.[0];
    if (place !== undefined && place.length > (best?.place.length ?? 0)) best = { room, place };
  }
  return best;
}

function importsOf({ path, source }: SourceFile): Import[] {
  const { module } = parseSync(path, source);
  const found: { name: string; typeOnly: boolean }[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    found.push({ name: moduleRequest.value, typeOnly: entries.length > 0 && entries.every(({ isType }) => isType) });
  }
  for (const { moduleRequest, isType } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (moduleRequest) found.push({ name: moduleRequest.value, typeOnly: isType });
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^["'`](.*)["'`]$/s.exec(source.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[1] !== undefined) found.push({ name: literal[1], typeOnly: false });
  }
  for (const [, name] of source.matchAll(/typeof import\("([^"]+)"\)/g)) {
    if (name !== undefined) found.push({ name, typeOnly: true });
  }
  return found.map(({ name, typeOnly }) => ({ typeOnly, ...resolve(path, name) }));
}

function resolve(from: string, name: string): Pick<Import, "target" | "kind"> {
  if (name.startsWith(".")) return { kind: "file", target: posix.join(posix.dirname(from), name) };
  const [scope = "", rest = "", ...more] = name.split("/");
  const npm = scope.startsWith("@") ? `${scope}/${rest}` : scope;
  const folder = workspaces[npm];
  if (folder !== undefined) return { kind: "file", target: `${posix.join(folder, ...more)}.ts` };
  return { kind: "package", target: isBuiltin(name) ? "node" : npm };
}

/** What the table refuses, a sentence each. */
export function refusals(files: readonly SourceFile[], rooms: readonly Room[]): string[] {
  return files.flatMap((file) => {
    const from = placeOf(file.path, rooms);
    if (from === null) return [`${file.path} lies in no room`];
    return importsOf(file).flatMap(({ target, kind, typeOnly }) => {
      const refused = (what: string) => [`${file.path}: ${from.room.name} may not import ${what}`];
      if (kind === "package") return from.room.packages.includes(target) ? [] : refused(target);
      const to = placeOf(target, rooms);
      if (to === null) return refused(`${target}, which lies in no room`);
      if (to.place === from.place || from.room.imports.includes(to.room.name)) return [];
      return typeOnly && from.room.types.includes(to.room.name) ? [] : refused(target);
    });
  });
}

/** What stands in the table and is not used, a sentence each. */
export function unused(files: readonly SourceFile[], rooms: readonly Room[]): string[] {
  const used = new Set<string>();
  for (const file of files) {
    const from = placeOf(file.path, rooms)?.room.name;
    for (const { target, kind, typeOnly } of importsOf(file)) {
      if (kind === "package") used.add(`${from} packages ${target}`);
      else used.add(`${from} ${typeOnly ? "types" : "imports"} ${placeOf(target, rooms)?.room.name}`);
    }
  }
  return rooms.flatMap(({ name, imports, types, packages }) => [
    ...imports.filter((to) => !used.has(`${name} imports ${to}`)).map((to) => `${name} imports no value of ${to}`),
    ...types.filter((to) => !used.has(`${name} types ${to}`)).map((to) => `${name} imports no type of ${to}`),
    ...packages.filter((to) => !used.has(`${name} packages ${to}`)).map((to) => `${name} does not import ${to}`),
  ]);
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
