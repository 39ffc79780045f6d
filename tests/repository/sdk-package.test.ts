import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packSdk, root } from "../../scripts/packSdk.ts";

let folder: string;
let project: string;
const inProject = (command: string, args: string[]) =>
  execFileSync(command, args, { cwd: project, encoding: "utf8", shell: process.platform === "win32" });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "aqua-sdk-"));
  project = mkdtempSync(join(tmpdir(), "aqua-sdk-user-"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  inProject("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", packSdk(folder)]);
});
afterAll(() => {
  for (const made of [folder, project]) rmSync(made, { recursive: true, force: true });
});

describe("the SDK in an empty project", () => {
  it("holds its own modules and nothing of Node or the server", () => {
    const files = globSync("**/*.{js,d.ts}", { cwd: join(folder, "package") });
    const sources = globSync("**/*.ts", { cwd: join(root, "packages/sdk/src") });
    expect(files).toHaveLength(2 * sources.length);
    for (const file of files) {
      const text = readFileSync(join(folder, "package", file), "utf8");
      const statements = /^(?:import|export)\b[^"\n]*\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
      const imported = [...text.matchAll(statements)].flatMap((match) => match.slice(1).filter(Boolean));
      const own = /^\.{1,2}\/.*\.js$|^(zod|iso-3166|@noble\/(curves|hashes))(\/|$)/;
      const foreign = imported.filter((name) => !own.test(name) && !(name === "viem" && /^(chain|audit)\//.test(file)));
      expect(foreign, file).toEqual([]);
      expect(text).not.toMatch(/\.ts"/);
    }
  });

  it("asks an API, previews, verifies and writes CSV", () => {
    writeFileSync(
      join(project, "use.js"),
      `
        import { createServer } from "node:http";
        import { ApiResponseError, createClient } from "@aqua/sdk/api/client";
        import { csvLine } from "@aqua/sdk/csv";
        import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
        import { previewDeposit } from "@aqua/sdk/maths/shares";
        import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
        import { verdictOf } from "@aqua/sdk/proofs/steps";
        import { verifyProof } from "@aqua/sdk/proofs/verify";

        const body = { error_code: "pool_not_found", message: "There is no such product", request_id: "r" };
        const server = createServer((_, response) =>
          response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(body)),
        );
        await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
        const aqua = createClient({ baseUrl: "http://127.0.0.1:" + server.address().port });
        const error = await aqua.product("nowhere").catch((thrown) => thrown);
        server.close();
        const pool = { totalAssets: parseUnits("1050000", 6), supply: parseUnits("1000000", 12) };
        console.log(
          JSON.stringify([
            error instanceof ApiResponseError && error.code,
            formatUnits(previewDeposit(parseUnits("100", 6), pool), 12),
            verdictOf(await verifyProof({}, null)),
            csvLine(["=1+1"]),
            demandVaultAbi.length > 10,
          ]),
        );
      `,
    );
    expect(JSON.parse(inProject(process.execPath, ["use.js"]))).toEqual([
      ...["pool_not_found", "95.238095238099", "fail", "'=1+1\r\n", true],
    ]);
  });

  it("has types that hold in a strict project, and its README's examples by them", () => {
    const readme = readFileSync(join(root, "packages/sdk/README.md"), "utf8");
    const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? "");
    expect(examples.length).toBeGreaterThan(2);
    for (const [index, code] of examples.entries()) writeFileSync(join(project, `example${index}.ts`), code);
    const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom"];
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const files = examples.map((_, index) => `example${index}.ts`);
    inProject(process.execPath, [tsc, ...options, "--types", "", ...files]);
  });
});
