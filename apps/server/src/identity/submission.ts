import { type IdentityFields, identityFields } from "@aqua/sdk/api/identity";
import { adultAge, documentSize, documentTypes } from "@aqua/sdk/api/rules";
import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import type { IdentityDocument } from "./store.ts";

export interface Submission {
  fields: IdentityFields;
  document: IdentityDocument;
}

const OLDEST = 130;
const MEGABYTE = 1024 * 1024;

/**
 * Reads the form of POST account/identity: its fields and the file `document`.
 * @throws ApiError validation_error that names every invalid field
 */
export async function readSubmission(request: FastifyRequest, now = new Date()): Promise<Submission> {
  if (!request.isMultipart()) {
    throw new ApiError("validation_error", "The body must be a form with a file (multipart/form-data)");
  }
  const values: Record<string, string> = {};
  let file: Uint8Array | "too large" | null = null;
  const limits = { fileSize: documentSize, files: 1, fields: 10, fieldSize: 1_000, parts: 12, headerPairs: 50 };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === "file") file = await contentOf(part);
      else if (typeof part.value === "string") values[part.fieldname] = part.value;
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("validation_error", "The form is incomplete or holds more than it should");
  }
  const details: { path: string; message: string }[] = [];
  const entries = Object.fromEntries(Object.keys(identityFields.shape).map((name) => [name, values[name] ?? ""]));
  const fields = identityFields.safeParse(entries);
  for (const { path, message } of fields.error?.issues ?? []) details.push({ path: path.join("."), message });
  const age = ageProblem(values.birth_date ?? "", now);
  if (age !== null && !details.some(({ path }) => path === "birth_date"))
    details.push({ path: "birth_date", message: age });
  const document = checkDocument(file);
  if (typeof document === "string") details.push({ path: "document", message: document });
  if (!fields.success || typeof document === "string" || details.length > 0) {
    throw new ApiError("validation_error", details[0]?.message ?? "Invalid form", { details });
  }
  return { fields: fields.data, document };
}

async function contentOf(part: MultipartFile): Promise<Uint8Array | "too large" | null> {
  const content = await part.toBuffer();
  if (part.file.truncated) return "too large";
  return part.fieldname === "document" ? content : null;
}

/** The first bytes of a file of each type: the signature and, for a PNG, its first chunk. */
const beginnings: Record<(typeof documentTypes)[number], Buffer> = {
  "image/jpeg": Buffer.from("ffd8ff", "hex"),
  "image/png": Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  "application/pdf": Buffer.from("%PDF-"),
};

/**
 * Checks the document. Returns it, or the problem as text. It reads only the first bytes, so that no content makes the
 * check expensive.
 */
export function checkDocument(file: Uint8Array | "too large" | null): IdentityDocument | string {
  if (file === null || file.length === 0) return "Choose a picture or a PDF of the document";
  if (file === "too large") return `A document has at most ${documentSize / MEGABYTE} MB`;
  // The type is derived from the content, because the name and the declared type can be chosen freely.
  const type = documentTypes.find((one) => beginnings[one].equals(file.subarray(0, beginnings[one].length)));
  return type === undefined ? "A document is a JPEG, a PNG or a PDF" : { type, content: file };
}

/** The problem with a date of birth (YYYY-MM-DD). Null if there is none. Days are in UTC. */
function ageProblem(birthDate: string, now: Date): string | null {
  const yearsAgo = (years: number) => `${now.getUTCFullYear() - years}${now.toISOString().slice(4, 10)}`;
  if (birthDate > yearsAgo(0) || birthDate < yearsAgo(OLDEST)) return "Enter a date of birth";
  return birthDate > yearsAgo(adultAge) ? `Only people of ${adultAge} years or more can be verified` : null;
}
