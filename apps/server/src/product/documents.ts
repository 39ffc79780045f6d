import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ProductDocument, productDocument } from "@aqua/sdk/api/document";
import type { LanguageCode } from "@aqua/sdk/languages";
import { type Hex, keccak256 } from "viem";

/** Product documents by the keccak-256 of their exact bytes, the hash the registry commits to. */
export type Documents = ReadonlyMap<Hex, ProductDocument>;

export type DocumentsLog = { warn(fields: object, message: string): void };

/** Reads every .json of a folder. A file that is no product document is reported and left out; so is a missing folder. */
export async function loadDocuments(folder: string, log: DocumentsLog): Promise<Documents> {
  const { documents, read } = reader(folder, log);
  await read();
  return documents;
}

export interface WatchedDocuments {
  documents: Documents;
  stop(): void;
}

/**
 * As `loadDocuments`, and again every `everyMs`: what was written or edited meanwhile is served from then on, beside
 * its former versions, since the chain commits to the one and then to the other. A file that cannot be read is logged
 * once.
 */
export async function watchDocuments(folder: string, log: DocumentsLog, everyMs = 2_000): Promise<WatchedDocuments> {
  const { documents, read } = reader(folder, log);
  await read();
  const timer = setInterval(() => void read(), everyMs).unref();
  return { documents, stop: () => clearInterval(timer) };
}

function reader(folder: string, log: DocumentsLog): { documents: Documents; read: () => Promise<void> } {
  const documents = new Map<Hex, ProductDocument>();
  /** What each file, and the folder, was like when it was looked at last. */
  const known = new Map<string, string>();
  const isNew = (path: string, like: string) => known.get(path) !== like && known.set(path, like);

  async function read() {
    let names: string[] = [];
    try {
      names = await readdir(folder);
      known.delete(folder);
    } catch (error) {
      if (isNew(folder, String(error))) log.warn({ err: error }, "the folder of product documents cannot be read");
    }
    for (const name of names.filter((file) => file.endsWith(".json")).sort()) {
      const path = join(folder, name);
      const like = await stat(path).then(({ mtimeMs, size }) => `${mtimeMs} ${size}`, String);
      if (!isNew(path, like)) continue;
      try {
        const bytes = await readFile(path);
        documents.set(keccak256(bytes), productDocument.parse(JSON.parse(bytes.toString("utf8"))));
      } catch (error) {
        log.warn({ err: error, file: name }, "a product document is not valid and is not shown");
      }
    }
  }
  return { documents, read };
}

/** A document with its texts in a language; what is not translated, and all of it without a language, in English. */
export function documentIn(
  document: ProductDocument | undefined,
  language: LanguageCode | undefined,
): ProductDocument | null {
  if (!document) return null;
  const texts = language && language !== "en-US" && document.translations[language];
  if (!texts) return document;
  const { location, holder, evidence = [], risks = [], ...whole } = texts;
  return {
    ...document,
    ...whole,
    location: { ...document.location, ...location },
    holder: { ...document.holder, ...holder },
    evidence: document.evidence.map((paper, index) => ({ ...paper, ...evidence[index] })),
    risks: document.risks.map((risk, index) => ({ ...risk, ...risks[index] })),
  };
}
