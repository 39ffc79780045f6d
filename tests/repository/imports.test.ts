import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { circles, readRows, refusals, unused } from "./imports.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const rows = readRows(read("ARCHITECTURE.md"));
/** No other file imports these, so they may import everything. */
const unrestricted = /\/(test|scripts)\/|\.config\.ts$|\.d\.ts$/;
const files = globSync("{apps,contracts,devnet,packages}/**/*.{ts,tsx}", {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|cache|out)$/.test(path),
})
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => !unrestricted.test(path))
  .map((path) => ({ path, source: read(path) }));

describe("the table of folders", () => {
  it("lets each row import only rows above it", () => {
    const names = rows.map(({ name }) => name);
    const upwards = rows.flatMap(({ name, imports }, index) =>
      imports.filter((to) => !names.slice(0, index).includes(to)).map((to) => `${name} → ${to}`),
    );
    expect(upwards).toEqual([]);
  });

  it("allows every import of every file", () => {
    expect(files.length).toBeGreaterThan(500);
    expect(refusals(files, rows)).toEqual([]);
  });

  it("names nothing that is not imported", () => {
    expect(unused(files, rows)).toEqual([]);
  });

  it.each([
    ["apps/server/src/indexer/probe.ts", "../portfolio/service.ts"],
    ["apps/server/src/db/probe.ts", "../account/store.ts"],
    ["apps/server/src/product/probe.ts", "../http/app.ts"],
    ["apps/server/src/chain/probe.ts", "../../../../devnet/src/world.ts"],
    ["packages/sdk/src/maths/probe.ts", "../chain/orders.ts"],
    ["packages/sdk/src/maths/probe.ts", "viem"],
    ["packages/sdk/src/proofs/probe.ts", "zod"],
    ["packages/sdk/src/proofs/probe.ts", "viem"],
    ["packages/sdk/src/api/probe.ts", "node:fs"],
    ["apps/web/src/features/products/probe.ts", "../../../../server/src/csv.ts"],
    ["apps/web/src/features/products/probe.ts", "viem/chains"],
    ["apps/web/src/features/products/probe.ts", "wagmi"],
    ["apps/web/src/probe.ts", "./features/home/page.tsx"],
    ["apps/web/src/ui/probe.tsx", "../features/session.ts"],
    ["apps/web/src/newcomer/probe.ts", "node:fs"],
  ])("refuses %s an import of %s", (path, target) => {
    for (const source of [
      `import "${target}";`,
      `import { any } from "${target}";`,
      `import type { Any } from "${target}";`,
      `export { any } from "${target}";`,
      `const any = await import("${target}");`,
      `type Any = typeof import("${target}");`,
    ]) {
      expect(refusals([{ path, source }], rows), source).toHaveLength(1);
    }
  });
});

describe("files", () => {
  it("import each other in no circle, not for a type either", () => {
    expect(circles(files)).toEqual([]);
    const circle = [
      { path: "a/one.ts", source: 'import type { Two } from "./two.ts";' },
      { path: "a/two.ts", source: 'import { three } from "../b/three.ts";' },
      { path: "b/three.ts", source: 'const one = await import("../a/one.ts");' },
    ];
    expect(circles(circle)).toEqual(["a/one.ts → a/two.ts → b/three.ts → a/one.ts"]);
  });
});
