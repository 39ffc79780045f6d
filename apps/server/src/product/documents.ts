import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProductDocument, productDocument } from "@aqua/sdk/api/document";
import type { LanguageCode } from "@aqua/sdk/languages";
import { type Hex, keccak256 } from "viem";

/** Product documents by the keccak-256 of their exact bytes, the hash the registry commits to. */
export type Documents = ReadonlyMap<Hex, ProductDocument>;

/** Reads every .json of a folder. A file that is no product document is reported and left out; so is a missing folder. */
export async function loadDocuments(
  folder: string,
  log: { warn(fields: object, message: string): void },
): Promise<Documents> {
  const documents = new Map<Hex, ProductDocument>();
  const names = await readdir(folder).catch((error: unknown) => {
    log.warn({ err: error }, "the folder of product documents cannot be read");
    return [];
  });
  for (const name of names.filter((file) => file.endsWith(".json")).sort()) {
    try {
      const bytes = await readFile(join(folder, name));
      documents.set(keccak256(bytes), productDocument.parse(JSON.parse(bytes.toString("utf8"))));
    } catch (error) {
      log.warn({ err: error, file: name }, "a product document is not valid and is not shown");
    }
  }
  return documents;
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
