import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface LockedPackage {
  link?: boolean;
  license?: string;
  resolved?: string;
}

const root = join(import.meta.dirname, "../..");
const read = (file: string) =>
  JSON.parse(readFileSync(join(root, file), "utf8")) as { packages: Record<string, LockedPackage> };
const packagesOf = ({ packages }: ReturnType<typeof read>) =>
  Object.entries(packages).filter(([path, entry]) => path.includes("node_modules/") && !entry.link);

const lockfile = read("package-lock.json");
const installed = packagesOf(lockfile);
/** Packages of tools that only one command needs and installs itself. */
const others = globSync("{scripts,bench}/*/package-lock.json", { cwd: root });
const all = [...installed, ...others.flatMap((file) => packagesOf(read(file)))];

/** Licences under which anyone may use, change and host Aqua for free. */
const free = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "MPL-2.0",
  "OFL-1.1",
  "(Apache-2.0 AND MIT)",
  "(MIT OR Apache-2.0)",
  "(MIT OR CC0-1.0)",
  "MIT OR Apache-2.0",
]);

/** Packages whose metadata names no licence, with what their repository says. */
const readByHand = new Set(
  ["busboy", "dicer", "humanize-number", "memorystream", "only", "parse-cache-control", "streamsearch"].map(
    (name) => `node_modules/${name}`,
  ),
);

describe("a lockfile", () => {
  it("holds only packages whose licence lets everyone use Aqua freely", () => {
    expect(others.length).toBeGreaterThan(2);
    const unknown = all.filter(([path, { license }]) => !free.has(license ?? "") && !readByHand.has(path));
    expect(unknown.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  it("names no download address", () => {
    expect(all.filter(([, { resolved }]) => resolved?.startsWith("http")).map(([path]) => path)).toEqual([]);
  });

  it("pins viem, wagmi and RainbowKit to the versions that were tried together", () => {
    const version = (name: string) => (lockfile.packages[`node_modules/${name}`] as { version?: string }).version;
    expect(version("viem")).toBe("2.57.1");
    expect(version("wagmi")).toBe("2.19.5");
    expect(version("@rainbow-me/rainbowkit")).toBe("2.2.11");
    // The kit's QR codes (cuer) require a border of 0, for which 0.6 and later throw.
    expect(version("qr")).toBe("0.5.5");
    const copies = installed.filter(([path]) => path.endsWith("node_modules/viem"));
    expect(copies).toHaveLength(1);
  });
});
