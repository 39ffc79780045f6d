import { readFile } from "node:fs/promises";
import type { RevertWords } from "@aqua/contracts/deploy/reverts";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import type { OperatorDevice } from "@aqua/sdk/api/operator";
import { type DeclaredLoss, deviceBody, deviceName, intervalBody } from "@aqua/sdk/api/telemetry";
import { DAY, DAY_MS, HOUR_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { type Address, getAddress, type Hex, isAddress, pad } from "viem";
import { CommandError } from "../api.ts";
import { table } from "../caseTable.ts";
import { momentOf, wholeOf } from "../chainOptions.ts";
import { type ActOptions, type ChainSession, nothingSent, openChain, sendOrTry } from "../chainSession.ts";
import { type OperatorApi, operatorApi, type Reasoned } from "../operatorApi.ts";
import { jsonText, type Terminal } from "../terminal.ts";
import { checkAttestation } from "./attestation.ts";

interface ChainValues extends Pick<ActOptions, "dryRun" | "from"> {
  chain?: string | undefined;
  rpc?: string | undefined;
  deployments?: string | undefined;
}

export interface KeyValues extends ChainValues {
  key?: string | undefined;
  inSeconds?: string | undefined;
}

export type DeviceKey = { kind: "p256"; x: Hex; y: Hex } | { kind: "secp256k1"; signer: Address };
const noKey = pad("0x");

/** `aqua device list` */
export async function listDevices({ json }: { json?: true | undefined }, terminal: Terminal): Promise<void> {
  const devices = await operatorApi(terminal).json<OperatorDevice[]>("devices");
  if (json) return terminal.out(jsonText(devices));
  if (devices.length === 0) return terminal.out("No devices.\n");
  const rows = devices.map((one) => [
    one.name,
    one.short_id,
    one.metric,
    lengthText(one.interval),
    one.co_signer === null ? one.trust : `${one.trust} by ${one.co_signer}`,
    one.retired_at === null ? "" : "retired",
  ]);
  terminal.out(table(["DEVICE", "PRODUCT", "METRIC", "EVERY", "TRUST", ""], rows));
}

/** `aqua device enrol` */
export async function enrol(
  file: string,
  values: KeyValues & Reasoned & { root?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { body, certificates } = enrolmentOf(file, await textOf(file));
  const key = keyOf(values.key);
  if (body.trust === "attested") {
    if (certificates === undefined || values.root === undefined) {
      throw new CommandError(
        "an attested device needs `certificates` in its file, and --root with their root certificates",
      );
    }
    if (key.kind !== "p256") throw new CommandError("an attested device has a P-256 key");
    checkAttestation({ chainPem: certificates, rootPem: await textOf(values.root), key, now: new Date() });
  }
  const api = operatorApi(terminal, values.reason);
  const desk = await openChain(values, terminal);
  if (body.co_signer !== null && (await lastKey(desk, body.co_signer)).kind === 0) {
    const how = `\`aqua device rotate ${body.co_signer} --first\` registers it`;
    throw new CommandError(`the co-signer ${body.co_signer} has no key on chain: ${how}`);
  }
  await requireNoOtherKey({ api, desk, name: body.name, key });
  await register({ desk, name: body.name, key, values });
  if (values.dryRun) return terminal.out(`Enrol ${body.name} at the server\n${nothingSent}`);
  const { secret: password } = await api.json<{ secret: string }>("devices", body);
  terminal.out(`Enrolled ${body.name}\n${passwordText(password)}`);
}

/** `aqua device rotate` */
export async function rotate(
  subject: string,
  values: KeyValues & { first?: true | undefined },
  terminal: Terminal,
): Promise<void> {
  const [name, key] = [nameOf(subject), keyOf(values.key)];
  const desk = await openChain(values, terminal);
  const held = await lastKey(desk, name);
  if (held.kind === 0 && values.first !== true) {
    const how = "--first registers a co-signer's first key, or a device's next key after `aqua device revoke`";
    throw new CommandError(`${name} has no key on chain; ${how}`);
  }
  if (held.kind !== 0 && values.first === true && !isSameKey(held, key)) {
    throw new CommandError(`${name} has a key on chain; run rotate without --first to change it`);
  }
  const isKnown = await register({ desk, name, key, values });
  if (values.dryRun && !isKnown) terminal.out(nothingSent);
}

/** `aqua device revoke` */
export async function revoke(subject: string, values: ChainValues, terminal: Terminal): Promise<void> {
  const name = nameOf(subject);
  const means = `from now on ${name} has no key. Its earlier signatures remain verifiable.\n`;
  const desk = await openChain(values, terminal);
  const call = { functionName: "revokeKey", args: [nameHex(name)] };
  const sent = await send(desk, { values, call, plan: `Revoke: ${means}` });
  terminal.out(sent ? `Revoked: ${means}` : nothingSent);
}

/** `aqua device declare-lost` */
export async function declareLost(subject: string, { reason }: { reason: string }, terminal: Terminal): Promise<void> {
  const name = nameOf(subject);
  const body = { reason };
  const { after_seq: after } = await operatorApi(terminal).json<DeclaredLoss>(`devices/${name}/declare-lost`, body);
  terminal.out(`Declared lost, for all to see: readings of ${name} after number ${after}\n`);
}

/** `aqua device retire` */
export async function retire(subject: string, { reason }: Reasoned, terminal: Terminal): Promise<void> {
  await atDevice(operatorApi(terminal, reason), subject, "retire");
  terminal.out(`Retired ${subject}: its readings are no longer accepted. \`aqua device revoke\` ends its key.\n`);
}

/** `aqua device secret` */
export async function renewSecret(subject: string, { reason }: Reasoned, terminal: Terminal): Promise<void> {
  const { secret: password } = await atDevice(operatorApi(terminal, reason), subject, "secret");
  terminal.out(passwordText(password));
}

/** `aqua device interval` */
export async function changeInterval(
  subject: string,
  values: Reasoned & { every?: string | undefined; since?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const body = {
    interval: lengthOf(values.every),
    ...(values.since !== undefined && { since: momentOf("since", values.since) }),
  };
  const device = await operatorApi(terminal, values.reason).json<OperatorDevice>(
    `devices/${nameOf(subject)}/interval`,
    body,
  );
  const rows = device.intervals.map((one) => [
    one.since === null ? "at enrolment" : `${momentText(one.since)} UTC`,
    lengthText(one.interval),
  ]);
  terminal.out(`${subject} is to report every ${lengthText(device.interval)}\n${table(["SINCE", "EVERY"], rows)}`);
}

const units = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

/** 10s, 15m, 1h, 1d, in milliseconds. */
function lengthOf(text: string | undefined): number {
  const length = parseLength(text);
  if (intervalBody.safeParse({ interval: length }).success) return length;
  throw new CommandError("--every must say how often, from 1s to 7d, such as 10s, 15m, 1h or 1d");
}

/** Milliseconds of a length such as 10s, 15m, 1h or 1d. NaN if it is none. */
export function parseLength(text: string | undefined): number {
  const [, count, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(text ?? "") ?? [];
  return Number(count) * units[unit as keyof typeof units];
}

/** Uses the largest unit that divides the length. */
export function lengthText(length: number): string {
  const fits = Object.entries(units).findLast(([, unit]) => length % unit === 0);
  return fits === undefined ? `${length}ms` : `${length / fits[1]}${fits[0]}`;
}

const momentText = (moment: number) => new Date(moment).toISOString().replace("T", " ").slice(0, 19);

function atDevice(api: OperatorApi, name: string, what: "retire" | "secret"): Promise<{ secret: string }> {
  return api.json(`devices/${nameOf(name)}/${what}`, {});
}

const passwordText = (password: string) =>
  `Password for MQTT, shown only once: ${password}\nThe embedded broker knows it. A broker of your own (MQTT_URL) must be given it.\n`;

/** Returns the current key of a device or co-signer, or a registered one that is not yet in force. */
export async function lastKey(desk: ChainSession, name: string) {
  const { timestamp } = await desk.client.getBlock();
  const [kind, x, y] = await desk.client.readContract({
    address: anchorOf(desk),
    abi: telemetryAnchorAbi,
    functionName: "keyAt",
    args: [nameHex(name), timestamp + BigInt(31 * DAY)],
  });
  return { kind, x, y, timestamp };
}

export type HeldKey = Awaited<ReturnType<typeof lastKey>>;

export const wireKey = (key: DeviceKey) =>
  key.kind === "p256" ? ([1, key.x, key.y] as const) : ([2, pad(key.signer), noKey] as const);

export function isSameKey({ kind, x, y }: HeldKey, key: DeviceKey): boolean {
  const [itsKind, itsX, itsY] = wireKey(key);
  return kind === itsKind && x === itsX.toLowerCase() && y === itsY;
}

/**
 * Checks a name before anything is sent. The server refuses a taken name only after the key is on chain, and by then
 * the key of the device or co-signer with that name has been replaced.
 * @throws CommandError when the name is enrolled, or has another key on chain
 */
async function requireNoOtherKey({
  api,
  desk,
  name,
  key,
}: {
  api: OperatorApi;
  desk: ChainSession;
  name: string;
  key: DeviceKey;
}): Promise<void> {
  const held = await lastKey(desk, name);
  if (isSameKey(held, key)) return;
  const how = `\`aqua device rotate ${name}\` changes its key`;
  const devices = await api.json<OperatorDevice[]>("devices");
  if (devices.some((device) => device.name === name)) throw new CommandError(`${name} is enrolled already; ${how}`);
  if (held.kind === 0) return;
  const whose = "a co-signer, or another server's device";
  throw new CommandError(`${name} has another key on chain, and is not enrolled at this server: ${whose}; ${how}`);
}

/** The call that registers a key for a name, in force from `from` on, Unix seconds. */
export const registration = (name: string, key: DeviceKey, from: bigint) =>
  key.kind === "p256"
    ? ({ functionName: "registerP256Key", args: [nameHex(name), key.x, key.y, from] } as const)
    : ({ functionName: "registerSecp256k1Key", args: [nameHex(name), key.signer, from] } as const);

/** Seconds from now until a new key begins. */
export const leadOf = ({ inSeconds }: KeyValues) => wholeOf("in-seconds", inSeconds, 1) ?? 300;

/**
 * Registers the key on chain, in force from some seconds ahead, or with --dry-run shows that. Returns whether the key was
 * on chain before, so that nothing was to do.
 */
async function register({
  desk,
  name,
  key,
  values,
}: {
  desk: ChainSession;
  name: string;
  key: DeviceKey;
  values: KeyValues;
}): Promise<boolean> {
  const held = await lastKey(desk, name);
  if (isSameKey(held, key)) {
    desk.terminal.out(`The key of ${name} is on chain already\n`);
    return true;
  }
  const from = held.timestamp + BigInt(leadOf(values));
  const means = `${name} signs with this key from ${momentText(Number(from) * 1_000)} UTC on\n`;
  const sent = await send(desk, { values, call: registration(name, key, from), plan: `Register: ${means}` });
  if (sent) desk.terminal.out(`Registered: ${means}`);
  return false;
}

export function anchorOf({ deployment, chainId }: ChainSession): Address {
  const { telemetry_anchor } = deployment;
  if (telemetry_anchor === undefined) throw new CommandError(`chain ${chainId} has no TelemetryAnchor`);
  return getAddress(telemetry_anchor);
}

export const registrar = { role: "registrar", keySetting: "REGISTRAR_PRIVATE_KEY" };

/** Sends a call, or with --dry-run shows it. Returns whether it was sent. */
function send(
  desk: ChainSession,
  {
    values,
    call,
    plan,
  }: { values: ChainValues; call: { functionName: string; args: readonly unknown[] }; plan: string },
): Promise<boolean> {
  const toAnchor = { ...call, address: anchorOf(desk), abi: telemetryAnchorAbi };
  return sendOrTry({ session: desk, options: values, caller: registrar, call: toAnchor, refusals, plan });
}

export const refusals: RevertWords = {
  InvalidKey: () => "the key is not a point of its curve",
  KeyAlreadyUsed: () => "a device has used this key before; each key belongs to one device and is used once",
  InvalidKeyTime: () => "the key must begin in the future, at most 30 days ahead; see --in-seconds",
  NoKey: () => "the device has no key",
};

function keyOf(text: string | undefined): DeviceKey {
  const key = parseKey(text ?? "");
  if (key !== null) return key;
  throw new CommandError(`--key must be ${keyForm}`);
}

export const keyForm = "the coordinates of a P-256 key, 0x…,0x…, or the address of a secp256k1 key";

export function parseKey(text: string): DeviceKey | null {
  if (isAddress(text)) return { kind: "secp256k1", signer: getAddress(text) };
  const [, x, y] = /^(0x[0-9a-f]{64}),(0x[0-9a-f]{64})$/.exec(text.toLowerCase()) ?? [];
  return x === undefined || y === undefined ? null : { kind: "p256", x: x as Hex, y: y as Hex };
}

function nameOf(text: string): string {
  if (!deviceName.safeParse(text).success) throw new CommandError(`${text} is not the name of a device`);
  return text;
}

/** Contents of an enrolment file: the body of the server's call, and the certificates of an attested device. */
function enrolmentOf(file: string, text: string) {
  let content: { certificates?: unknown };
  try {
    content = JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is not JSON`);
  }
  const { certificates, ...body } = content;
  if (certificates !== undefined && typeof certificates !== "string") {
    throw new CommandError(`${file}: certificates: must be text in PEM, the device's own first`);
  }
  const { data, error } = deviceBody.safeParse(body);
  if (data) return { body: data, certificates };
  const [issue] = error.issues;
  throw new CommandError(`${file}: ${issue?.path.join(".") || "the file"}: ${issue?.message}`);
}

export async function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read: ${error.code}`);
  });
}
