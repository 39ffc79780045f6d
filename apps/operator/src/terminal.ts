import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Settings and output of a command. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  out(text: string): void;
  error(text: string): void;
  /** Asks a person for a line that is not shown. Absent if the input is no terminal. */
  askHidden?: ((question: string) => Promise<string>) | undefined;
}

/** Prints the question and reads a line without printing what is typed. Ctrl-C ends the process. */
export async function askHidden(
  question: string,
  { input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream },
): Promise<string> {
  output.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: true });
  try {
    lines.on("SIGINT", () => process.exit(130));
    return await lines.question("");
  } finally {
    lines.close();
    output.write("\n");
  }
}

/** The answer of a command with `--json`. */
export const jsonText = (data: unknown) => `${JSON.stringify(data, null, 2)}\n`;
