import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Paths of a document's links to files that do not exist. */
function brokenLinks(document: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(root, dirname(document), link)));
}

it("every link of a document leads to an existing file", () => {
  const documents = globSync("{*.md,{docs,packages,apps,contracts}/**/*.md}", {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|dist|out|cache)$/.test(path),
  });
  expect(documents.length).toBeGreaterThan(15);
  const broken = documents.flatMap((document) =>
    brokenLinks(document, readFileSync(join(root, document), "utf8")).map((link) => `${document}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it("the link check names a link that leads nowhere", () => {
  const text = "[here](README.md), [there](docs/nowhere.md#part), [out](https://aqua.example/nowhere)";
  expect(brokenLinks("README.md", text)).toEqual(["docs/nowhere.md"]);
});
