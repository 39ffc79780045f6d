import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ApiResponseError, createClient } from "@aqua/sdk/api/client";
import type { ImportedBatches } from "@aqua/sdk/api/operator";
import type { DeclaredLoss, LossList } from "@aqua/sdk/api/telemetry";
import { CommandError, serverUrl, UsageError } from "./api.ts";
import { unknownCommand } from "./nearest.ts";
import { operatorApi } from "./operatorApi.ts";
import type { Terminal } from "./terminal.ts";
import { batchesUsage } from "./usage.ts";

const options = {
  reason: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Arguments = readonly string[];
const commands = { list, import: importFiles, "declare-lost": declareLost } satisfies Record<
  string,
  (subjects: Arguments, terminal: Terminal, reason: string | undefined) => Promise<{ data: unknown; text: string }>
>;

/** `aqua batches`: batches of readings that the chain holds and the server lacks. */
export async function runBatches(args: Arguments, terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [name = "", ...subjects] = positionals;
  if (values.help || name === "") return terminal.out(batchesUsage);
  if (!Object.hasOwn(commands, name)) throw new UsageError(unknownCommand(name, Object.keys(commands), "batches"));
  const { data, text } = await commands[name as keyof typeof commands](subjects, terminal, values.reason);
  terminal.out(values.json ? `${JSON.stringify(data, null, 2)}\n` : text);
}

async function list(subjects: Arguments, { environment }: Terminal) {
  if (subjects.length > 0) throw new UsageError("list takes no further words");
  const url = serverUrl(environment);
  const data = await createClient({ baseUrl: new URL("/api/v2", url).href })
    .readingLosses()
    .catch((error: unknown) => {
      throw new CommandError(
        error instanceof ApiResponseError
          ? error.message
          : `${url} does not answer; set AQUA_URL to where the server is`,
      );
    });
  return { data, text: listText(data) };
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

async function importFiles(files: Arguments, terminal: Terminal) {
  if (files.length === 0) throw new UsageError("import needs batch files, in the order of their numbers");
  const api = operatorApi(terminal);
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
  return { data: sum, text };
}

async function declareLost(subjects: Arguments, terminal: Terminal, reason: string | undefined) {
  const [shortId, number, ...rest] = subjects;
  if (shortId === undefined || number === undefined || rest.length > 0) {
    throw new UsageError("declare-lost needs a product and the number of a batch");
  }
  if (reason === undefined) throw new UsageError("declare-lost needs --reason, which everybody can read");
  if (!/^[1-9]\d{0,9}$/.test(number)) throw new UsageError(`${number} is not the number of a batch`);
  const body = { short_id: shortId, number: Number(number), reason };
  const data = await operatorApi(terminal).json<DeclaredLoss>("batches/declare-lost", body);
  return { data, text: `Declared lost, for all to see: ${lossText(data)}\n` };
}
