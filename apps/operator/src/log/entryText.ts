import type { LogEntry } from "@aqua/sdk/proofs/log/entry";
import type { PlacedEntry } from "./entries.ts";

export const minute = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;

/** An entry in words, on one line. */
export function entryText({ index, entry }: PlacedEntry): string {
  const signer = entry.act === null ? [] : [shortAddress(entry.act.operator)];
  const by = [entry.by ?? [], signer].flat().join(" ") || "the server";
  const why = entry.reason === undefined ? "" : `; reason: ${entry.reason}`;
  return `${index}  ${minute(entry.time)}  ${by}  ${changeText(entry)}${why}\n`;
}

function changeText(entry: LogEntry): string {
  const { kind, subject, version, content } = entry;
  if (kind === "operators") return `operators: ${list(content?.keys)}`;
  if (kind === "act") return subject;
  if (kind === "look") return `looked at: ${subject}`;
  if (content === null) return `${kind} ${subject}: removed`;
  switch (kind) {
    case "device":
      return `device ${subject}: ${deviceText(version, content)}`;
    case "device_interval":
      return `device ${intervalText(subject, content.interval)}`;
    case "declared_loss":
      return `declared lost, ${lossText(content)}: ${content.reason}`;
    case "product_document":
      return `product document ${subject}, ${content.size} bytes`;
    case "operator":
      return `operator ${subject}: ${typeof content.revoke_time === "number" ? "revoked" : content.scopes}`;
    case "account":
      return `account ${subject}, version ${version}`;
    case "restore":
      return `restore: the checkpoint of ${content.size} entries is no longer a part of the log: ${content.reason}`;
  }
}

const list = (keys: unknown) => (Array.isArray(keys) && keys.length > 0 ? keys.join(", ") : "none");

function deviceText(version: number, { short_id, retired_time }: Readonly<Record<string, unknown>>): string {
  if (typeof retired_time === "number") return "retired";
  return version === 1 ? `enrolled for ${short_id}` : "changed";
}

function lossText({ short_id, batch, device, after_seq }: Readonly<Record<string, unknown>>): string {
  return batch === null ? `readings of ${device} after number ${after_seq}` : `batch ${batch} of ${short_id}`;
}

function intervalText(subject: string, interval: unknown): string {
  const [name, since] = subject.split(" ");
  return `${name}: every ${interval} ms since ${minute(Number(since))}`;
}
