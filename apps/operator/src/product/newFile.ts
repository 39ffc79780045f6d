import { access, copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { LOCAL_CHAIN_ID } from "@aqua/contracts/deploy/config";
import { shortId as shortIdSchema } from "@aqua/sdk/api/envelope";
import { CommandError } from "../api.ts";
import { wholeOf } from "../chainOptions.ts";
import { openChain } from "../chainSession.ts";
import type { Terminal } from "../terminal.ts";
import { evidenceText, exampleEvidence, exampleText } from "./example.ts";
import { readProductFile } from "./file.ts";
import { listedFileText } from "./listedFile.ts";

interface InitOptions {
  type: string;
  shortId?: string | undefined;
  chain?: string | undefined;
  fromChain?: true | undefined;
  rpc?: string | undefined;
  deployments?: string | undefined;
  products?: string | undefined;
}

/** `aqua product init`: writes an example, or a listed product's file. No file is overwritten. */
export async function writeNewFile(path: string, values: InitOptions, terminal: Terminal): Promise<void> {
  const { shortId = basename(path).replace(/\.ya?ml$/, "") } = values;
  // Streams of readings have the product's name in 31 bytes.
  if (!shortIdSchema.max(31).safeParse(shortId).success)
    throw new CommandError(
      `"${shortId}" cannot be a short_id, which has 1 to 31 characters of a–z, 0–9 and -; name one by --short-id`,
    );
  const files = values.fromChain
    ? new Map([[path, await listedText(path, { ...values, shortId }, terminal)]])
    : exampleFiles(path, { ...values, shortId });
  for (const file of files.keys())
    if (await exists(file)) throw new CommandError(`${file} exists already; no file is overwritten`);
  await mkdir(dirname(resolve(path)), { recursive: true });
  for (const [file, text] of files) await writeFile(file, text, { flag: "wx" });
  const [, evidence] = files.keys();
  const [and, edit] = evidence === undefined ? ["", "it"] : [` and the document that it names, ${evidence}`, "both"];
  terminal.out(`Written: ${path}${and}\nEdit ${edit}; \`aqua product plan ${path}\` checks the result.\n`);
}

function exampleFiles(path: string, values: InitOptions & { shortId: string }): Map<string, string> {
  const { type, shortId } = values;
  if (type !== "demand" && type !== "term") throw new CommandError("--type must be demand or term");
  const chainId = wholeOf("chain", values.chain, 1) ?? LOCAL_CHAIN_ID;
  const example = { type, shortId, chainId, now: new Date() } as const;
  return new Map([
    [path, exampleText(example)],
    [join(dirname(path), exampleEvidence(shortId)), evidenceText(example)],
  ]);
}

async function listedText(path: string, values: InitOptions & { shortId: string }, terminal: Terminal) {
  const products = values.products ?? terminal.environment.PRODUCTS_DIR?.trim() ?? "";
  if (products === "")
    throw new CommandError("--products or PRODUCTS_DIR must be the folder with the product's document");
  const session = await openChain(values, terminal);
  return listedFileText(session, values.shortId, { path, products });
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
