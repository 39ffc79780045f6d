import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

interface LockedPackage {
  version?: string;
  optionalDependencies?: Record<string, string>;
}

const root = join(import.meta.dirname, "../..");
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, LockedPackage>;
};

/** Whether the lockfile has a package where Node would look for it from `path`, from the nearest folder up. */
function isLocked(path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    if (`${folder === "" ? "" : `${folder}/`}node_modules/${name}` in packages) return true;
    if (folder === "") return false;
  }
}

it("the lockfile holds the packages of every platform, but for those the documents name", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(path, name))
      .map(([name, version]) => `${name}@${version}`),
  );
  const decisions = readFileSync(join(root, "docs/decisions.md"), "utf8");
  const told = [...decisions.matchAll(/^\| `(@[^`]+@[^`]+)` \|/gm)].map(([, name]) => name);
  expect(missing.sort()).toEqual(told.sort());
});
