import { readFile } from "node:fs/promises";
import type { ImportedBatches } from "@aqua/sdk/api/operator";
import type { DeclaredLoss, LossList } from "@aqua/sdk/api/telemetry";
import { CommandError, UsageError } from "./api.ts";
import { operatorApi, type Reasoned } from "./operatorApi.ts";
import { askServer } from "./publicApi.ts";
import { jsonText, type Terminal } from "./terminal.ts";

interface Options {
  json?: true | undefined;
}

/** `aqua batches list`: batches of readings that the chain holds and the server lacks. */
export async function listMissing({ json }: Options, { environment, out }: Terminal): Promise<void> {
  const data = await askServer(environment, (client) => client.readingLosses());
  out(json ? jsonText(data) : listText(data));
}

function listText({ missing, declared }: LossList): string {
  const lines = [
    ...missing.map(({ short_id, from, to }) => `missing   ${short_id}  batches ${from} to ${to}\n`),
    ...declared.map((loss) => `declared  ${lossText(loss)}\n`),
  ];
  return lines.length === 0 ? "The server has all batches that the chain holds.\n" : lines.join("");
}

function lossText({ short_id, batch, device, after_seq, reason, time }: DeclaredLoss): string {
  const what = batch === null ? `readings of ${device} after ${after_seq}` : `batch ${batch}`;
  return `${short_id}  ${what}  ${new Date(time).toISOString().slice(0, 10)}  ${reason}`;
}

/** `aqua batches import`: uploads batch files, in the order of their numbers. */
export async function importFiles(
  files: readonly string[],
  { json, reason }: Options & Reasoned,
  terminal: Terminal,
): Promise<void> {
  const api = operatorApi(terminal, reason);
  const sum: ImportedBatches = { imported: 0, known: 0, readings: 0 };
  for (const file of files) {
    const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(`${file} cannot be read: ${error.code}`);
    });
    const { imported, known, readings } = await api
      .ndjson<ImportedBatches>("batches", content)
      .catch((error: unknown) => {
        if (error instanceof CommandError) error.message = `${file}: ${error.message}`;
        throw error;
      });
    sum.imported += imported;
    sum.known += known;
    sum.readings += readings;
  }
  const text = `${sum.imported} batches with ${sum.readings} readings were imported; ${sum.known} were known.\n`;
  terminal.out(json ? jsonText(sum) : text);
}

/** `aqua batches declare-lost`: states that a batch has no file any more. */
export async function declareLost({
  shortId,
  number,
  options: { reason, json },
  terminal,
}: {
  shortId: string;
  number: string;
  options: Options & { reason: string };
  terminal: Terminal;
}): Promise<void> {
  if (!/^[1-9]\d{0,9}$/.test(number)) throw new UsageError(`${number} is not the number of a batch`);
  const body = { short_id: shortId, number: Number(number), reason };
  const data = await operatorApi(terminal).json<DeclaredLoss>("batches/declare-lost", body);
  terminal.out(json ? jsonText(data) : `Declared lost, for all to see: ${lossText(data)}\n`);
}
