import type { Figure, Finding } from "@aqua/sdk/audit/compare";
import type { LogEntry, OperatorAct } from "@aqua/sdk/proofs/log/entry";
import { stepsOf } from "@aqua/sdk/telemetry/figure";

type Fields = Readonly<Record<string, unknown>>;

/** An entry with the act that caused it, and the content of the subject before it. */
export interface ActedEntry {
  entry: LogEntry;
  act: OperatorAct;
  before: Fields | null;
}

/**
 * The fields of an entry that its act does not say. The paths are relative to the entry. The body of an act about a
 * person is not public, and its entry then has nothing that could be compared.
 */
export function compareWithAct(acted: ActedEntry): Finding[] {
  const { entry, act } = acted;
  const isHidden = act.body === null && bodyKinds.has(entry.kind);
  if (isHidden) return [differing("act.body", "the body, since it is not about a person", null)];
  switch (entry.kind) {
    case "device":
      return compareDevice(acted);
    case "device_interval":
      return compareInterval(acted);
    case "declared_loss":
      return compareLoss(acted);
    case "operator":
      return compareOperator(acted);
    case "act":
      return compareSubject(act.call, entry);
    case "restore":
      return compareRestore(acted);
    default:
      return [];
  }
}

const bodyKinds: ReadonlySet<string> = new Set(["device", "device_interval", "declared_loss", "operator", "restore"]);

const enrolment = "POST operator/devices";
const callPattern = /^POST operator\/devices\/([^/]+)\/(secret|retire|interval|declare-lost)$/;
/** The device that a call names in its path, and what the call does. */
const deviceCall = ({ call }: OperatorAct) => callPattern.exec(call)?.slice(1) ?? [];

/** The fields that a call changes of a device that is there. All others remain. */
const changes: Readonly<Record<string, string>> = { secret: "secret_hash", retire: "retired_time" };

function compareDevice(acted: ActedEntry): Finding[] {
  const { entry, act, before } = acted;
  if (act.call === enrolment) return compareEnrolment(acted);
  const [name, what = ""] = deviceCall(act);
  const changed = changes[what];
  if (name === undefined || changed === undefined) return [otherCall("a call that changes a device", act)];
  const kept = Object.entries(before ?? {}).filter(([field]) => field !== changed);
  return [
    ...compareSubject(name, entry),
    ...(before === null ? [differing("version", "a version after the enrolment", entry.version)] : []),
    ...compareFields(Object.fromEntries(kept), entry.content),
    ...(what === "retire" && typeof entry.content?.retired_time !== "number"
      ? [differing("content.retired_time", "a time", entry.content?.retired_time)]
      : []),
  ];
}

function compareEnrolment({ entry, act, before }: ActedEntry): Finding[] {
  const { name, ...body } = bodyOf(act);
  const steps = (figure: unknown) => stepsIn(figure, body.exponent);
  const expected = {
    ...body,
    co_signer: body.co_signer ?? null,
    min: steps(body.min),
    max: steps(body.max),
    max_step: steps(body.max_step),
    retired_time: null,
  };
  const again = before === null ? [] : [differing("version", "the first version", entry.version)];
  return [...again, ...compareSubject(name, entry), ...compareFields(expected, entry.content)];
}

/** A figure of a body as the log has it: whole steps of 10^exponent, as text. */
function stepsIn(figure: unknown, exponent: unknown): unknown {
  if (typeof figure !== "string" || typeof exponent !== "number") return figure ?? null;
  try {
    return stepsOf(figure, exponent).toString();
  } catch {
    return figure;
  }
}

function compareInterval({ entry, act }: ActedEntry): Finding[] {
  const [name, what] = deviceCall(act);
  if (what !== "interval") return [otherCall("a call that changes an interval", act)];
  const { interval, since } = bodyOf(act);
  const [device, from] = entry.subject.split(" ");
  return [
    ...(device === name ? [] : [differing("subject", `${name} and a time`, entry.subject)]),
    ...(since === undefined || String(since) === from ? [] : [differing("subject", `${name} ${since}`, entry.subject)]),
    ...compareFields({ interval }, entry.content),
  ];
}

function compareLoss({ entry, act }: ActedEntry): Finding[] {
  const [name, what] = deviceCall(act);
  const { short_id, number, reason } = bodyOf(act);
  const isBatch = act.call === "POST operator/batches/declare-lost";
  if (!isBatch && what !== "declare-lost") return [otherCall("a call that declares a loss", act)];
  const said = { reason: typeof reason === "string" ? reason.trim() : reason };
  const lost = isBatch ? { short_id, batch: number, device: null } : { batch: null, device: name };
  return compareFields({ ...lost, ...said }, entry.content);
}

/** The server adds the times and the hash of the token. */
function compareOperator({ entry, act, before }: ActedEntry): Finding[] {
  if (act.call === "POST operator/operators") {
    const { name, scopes, address = null } = bodyOf(act);
    const sorted = Array.isArray(scopes) ? [...new Set(scopes)].sort().join() : scopes;
    const again = before === null ? [] : [differing("version", "the first version", entry.version)];
    const expected = { scopes: sorted, address, revoke_time: null };
    return [...again, ...compareSubject(name, entry), ...compareFields(expected, entry.content)];
  }
  const [, name] = /^POST operator\/operators\/([^/]+)\/revoke$/.exec(act.call) ?? [];
  if (name === undefined) return [otherCall("a call that changes an operator", act)];
  const { revoke_time: _revoked, ...kept } = before ?? {};
  const isRevoked = typeof entry.content?.revoke_time === "number";
  return [
    ...compareSubject(name, entry),
    ...compareFields(kept, entry.content),
    ...(isRevoked ? [] : [differing("content.revoke_time", "a time", entry.content?.revoke_time)]),
  ];
}

function compareRestore({ entry, act }: ActedEntry): Finding[] {
  if (act.call !== "POST operator/log/restore") return [otherCall("POST operator/log/restore", act)];
  const { size, root, reason } = bodyOf(act);
  const expected = { size, root, reason: typeof reason === "string" ? reason.trim() : reason };
  return compareFields(expected, entry.content);
}

function bodyOf({ body }: OperatorAct): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body ?? "");
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Compared below as a body that says nothing.
  }
  return {};
}

function compareSubject(expected: unknown, { subject }: LogEntry): Finding[] {
  return expected === subject ? [] : [differing("subject", expected, subject)];
}

/** The fields that a body names must be in the content. The content may have more, such as times. */
function compareFields(expected: Fields, content: Fields | null): Finding[] {
  return Object.entries(expected)
    .filter(([field, value]) => JSON.stringify(content?.[field]) !== JSON.stringify(value))
    .map(([field, value]) => differing(`content.${field}`, value, content?.[field]));
}

const otherCall = (expected: string, { call }: OperatorAct) => differing("act.call", expected, call);

function differing(path: string, expected: unknown, found: unknown): Finding {
  return { path, expected: figureOf(expected), found: figureOf(found) };
}

function figureOf(value: unknown): Figure | undefined {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as Figure | undefined);
}
