import { access, copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { LOCAL_CHAIN_ID } from "@aqua/contracts/deploy/config";
import { shortId as shortIdSchema } from "@aqua/sdk/api/envelope";
import { CommandError } from "../api.ts";
import { wholeOf } from "../chainOptions.ts";
import type { Terminal } from "../terminal.ts";
import { evidenceText, exampleEvidence, exampleText } from "./example.ts";
import { readProductFile } from "./file.ts";

/** `aqua product init`: writes an example and the document that it names. No file is overwritten. */
export async function writeExample(
  path: string,
  values: { type: string; shortId?: string | undefined; chain?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { type, shortId = basename(path).replace(/\.ya?ml$/, "") } = values;
  if (type !== "demand" && type !== "term") throw new CommandError("--type must be demand or term");
  // Streams of readings have the product's name in 31 bytes.
  if (!shortIdSchema.max(31).safeParse(shortId).success)
    throw new CommandError(
      `"${shortId}" cannot be a short_id, which has 1 to 31 characters of a–z, 0–9 and -; name one by --short-id`,
    );
  const chainId = wholeOf("chain", values.chain, 1) ?? LOCAL_CHAIN_ID;
  const example = { type, shortId, chainId, now: new Date() } as const;
  const evidence = join(dirname(path), exampleEvidence(shortId));
  for (const file of [path, evidence])
    if (await exists(file)) throw new CommandError(`${file} exists already; no file is overwritten`);
  await mkdir(dirname(resolve(path)), { recursive: true });
  await writeFile(path, exampleText(example), { flag: "wx" });
  await writeFile(evidence, evidenceText(example), { flag: "wx" });
  terminal.out(
    `Written: ${path} and the document that it names, ${evidence}\nEdit both; \`aqua product plan ${path}\` checks them.\n`,
  );
}

/** `aqua product document`: writes the document and the files that it names into a server's folder of products. */
export async function writeDocument(
  path: string,
  values: { out?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { product, documentBytes, document, evidenceFiles } = await readProductFile(path, new Date());
  const folder = values.out ?? terminal.environment.PRODUCTS_DIR?.trim() ?? "";
  if (folder === "") throw new CommandError("--out or PRODUCTS_DIR must be a server's folder of products");
  const documents = join(folder, "documents");
  await mkdir(documents, { recursive: true });
  const written: string[] = [];
  for (const source of evidenceFiles.map((file) => file.path)) {
    const target = join(documents, basename(source));
    if (resolve(source) !== resolve(target)) await copyFile(source, target);
    written.push(target);
  }
  const picture = join(dirname(path), document.image);
  const shown = join(folder, document.image);
  if ((await exists(picture)) && resolve(picture) !== resolve(shown)) await copyFile(picture, shown);
  const file = join(folder, `${product.shortId}.json`);
  await writeFile(file, documentBytes);
  const lines = [`Written: ${[file, ...written].join(", ")}`, `Hash     ${product.documentHash}`];
  if (!(await exists(shown))) lines.push(`Put the picture ${document.image} into ${folder} too.`);
  terminal.out(`${lines.join("\n")}\n`);
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
