import {
  type Document,
  type DocumentOptions,
  LineCounter,
  type ParseOptions,
  parseDocument,
  type SchemaOptions,
} from "yaml";
import { CommandError } from "./api.ts";

/**
 * Parses the text of a YAML file. Returns the document and the line (from 1) of an offset in the text.
 * @throws CommandError that names the file and the line of the first fault
 */
export function parseYaml(
  file: string,
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions = {},
): { document: Document; lineAt(offset: number): number } {
  const lineCounter = new LineCounter();
  const document: Document = parseDocument(text, { ...options, lineCounter, prettyErrors: false });
  const lineAt = (offset: number) => Math.max(1, lineCounter.linePos(offset).line);
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) throw new CommandError(`${file}, line ${lineAt(fault.pos[0])}: ${fault.message}`);
  return { document, lineAt };
}
