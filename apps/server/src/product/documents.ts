import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ProductDocument } from "@aqua/sdk/api/document";
import { faultText, readDocument } from "@aqua/sdk/api/documentFile";
import type { LanguageCode } from "@aqua/sdk/languages";
import { type Hex, keccak256 } from "viem";
import type { Database, Orm } from "../db/database.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import { documentsBeside, isIntact, storeDocument } from "./documentStore.ts";

/** Product documents, keyed by the keccak-256 of their exact bytes. The registry commits to the same hash. */
export type Documents = ReadonlyMap<Hex, ProductDocument>;

export type DocumentsLog = { warn(fields: object, message: string): void };

export interface OpenDocuments {
  /** Every version that any server on this database has found. The map grows while the server runs. */
  documents: Documents;
  /**
   * Loads the documents that other servers have stored since the last call. It reads through `tx` if that is given,
   * and otherwise reads the current rows.
   */
  refresh(tx?: Orm): Promise<void>;
  /** Does the same if another number of documents is stored than was loaded. */
  refreshTo(stored: number): Promise<void>;
  stop(): void;
}

/**
 * Reads every .json file of a folder now and every `everyMs`. It stores each valid product document under its hash
 * and loads all stored documents. A replaced version therefore remains available until the chain commits to the next
 * one, also after a restart and on servers with another folder. An invalid file is logged once, with the faults and
 * their positions.
 */
export async function openDocuments({
  db,
  folder,
  writer,
  log,
  everyMs = 2_000,
}: {
  db: Pick<Database, "orm" | "transaction">;
  writer: LogWriter;
  folder: string;
  log: DocumentsLog;
  everyMs?: number;
}): Promise<OpenDocuments> {
  const documents = new Map<Hex, ProductDocument>();
  /** Includes hashes of documents that this version of the server cannot read. */
  const readHashes = new Set<Hex>();
  /** Hashes whose stored bytes somebody changed. They are read again until they are right. */
  const altered = new Set<Hex>();
  /** State of the folder and of each file at the last look. */
  const known = new Map<string, string>();
  const isNew = (path: string, like: string) => known.get(path) !== like && known.set(path, like);

  async function refresh(tx: Orm = db.orm) {
    for (const { hash, content } of await documentsBeside(tx, readHashes)) {
      if (!isIntact({ hash, content })) {
        if (!altered.has(hash))
          log.warn(
            { hash },
            "a stored document is not the one that its hash names; it is not shown until its file is back",
          );
        altered.add(hash);
        continue;
      }
      const { document, faults } = readDocument(Buffer.from(content).toString("utf8"));
      if (document) documents.set(hash, document);
      else if (!readHashes.has(hash))
        log.warn({ hash, faults: faults.map(faultText) }, "a stored document is not valid");
      readHashes.add(hash);
    }
  }

  async function readFolder() {
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
      if (known.get(path) === like) continue;
      const content = await readFile(path).catch((error: Error) => error);
      if (content instanceof Error) {
        log.warn({ err: content, file: name }, "a product document cannot be read");
      } else {
        const { document, faults } = readDocument(content.toString("utf8"));
        const hash = keccak256(content);
        // Marks the file as read only after it is stored, so that it is read again if the database was unavailable.
        if (document && !readHashes.has(hash)) {
          await db.transaction(async (tx) => {
            // A document that another server stored meanwhile is stated already.
            if (await storeDocument(tx, { hash, content }, Date.now()))
              await writer.row(tx, "product_document", { subject: hash });
          });
        }
        if (!document)
          log.warn({ file: name, faults: faults.map(faultText) }, "a product document is not valid and is not shown");
      }
      known.set(path, like);
    }
  }

  async function look() {
    await readFolder();
    await refresh();
  }

  await refresh();
  await look();
  let looking = false;
  let failure = "";
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    try {
      await look();
      failure = "";
    } catch (error) {
      if (String(error) !== failure) log.warn({ err: error }, "product documents cannot be stored or read");
      failure = String(error);
    } finally {
      looking = false;
    }
  }, everyMs).unref();
  const refreshTo = async (stored: number) => {
    if (stored !== readHashes.size) await refresh();
  };
  return { documents, refresh, refreshTo, stop: () => clearInterval(timer) };
}

/**
 * Returns a document with its texts in a language. Texts without a translation are in English, and so are all texts
 * if no language is given.
 */
export function documentIn(
  document: ProductDocument | undefined,
  language: LanguageCode | undefined,
): ProductDocument | null {
  if (!document) return null;
  const texts = language && language !== "en-US" && document.translations[language];
  if (!texts) return document;
  const { location, holder, evidence = [], risks = [], other_income = [], ...whole } = texts;
  return {
    ...document,
    ...whole,
    location: { ...document.location, ...location },
    holder: { ...document.holder, ...holder },
    evidence: document.evidence.map((paper, index) => ({ ...paper, ...evidence[index] })),
    risks: document.risks.map((risk, index) => ({ ...risk, ...risks[index] })),
    other_income: document.other_income.map((one, index) => ({ ...one, ...other_income[index] })),
  };
}
