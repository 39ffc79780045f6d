import { createHash } from "node:crypto";
import { ApiResponseError, createClient } from "@aqua/sdk/api/client";
import type { OperatorDevice } from "@aqua/sdk/api/operator";
import type { CheckedDevice } from "@aqua/sdk/api/telemetry";
import { stepsOf } from "@aqua/sdk/telemetry/figure";
import { CommandError, serverUrl } from "../api.ts";
import { type ChainSession, nothingSent, openChain } from "../chainSession.ts";
import { type OperatorApi, operatorApi, type Reasoned } from "../operatorApi.ts";
import type { Terminal } from "../terminal.ts";
import { checkAttestation } from "./attestation.ts";
import { isSameKey, type KeyValues, lastKey, textOf } from "./device.ts";
import { type Fault, type ListedDevice, readDeviceFile, refuse } from "./deviceFile.ts";
import { newPassword, readPasswords, writeMosquittoFile, writePasswords } from "./passwordFile.ts";
import { prepareRegistrations, progress, together } from "./registrations.ts";

export interface EnrolManyValues extends KeyValues, Reasoned {
  root?: string | undefined;
  passwords?: string | undefined;
  mosquitto?: string | undefined;
}

/** What is left to do for a device. */
interface Plan {
  device: ListedDevice;
  isOnChain: boolean;
  isEnrolled: boolean;
}

/**
 * `aqua device enrol` of a CSV or YAML file: puts the keys of all devices on chain and enrols them. Checks the whole file
 * at chain and server before it sends anything. Passwords are made here and stored before the server knows them, so that
 * an interrupted run goes on where it stopped.
 */
export async function enrolMany(file: string, values: EnrolManyValues, terminal: Terminal): Promise<void> {
  if (values.key !== undefined)
    throw new CommandError("--key is for a file with one device; here each line has its key");
  if (values.passwords === undefined)
    throw new CommandError("--passwords must name the file for the devices' passwords, which are not shown");
  const devices = readDeviceFile(file, await textOf(file));
  await checkAttested(file, devices, values.root);
  const passwords = await readPasswords(values.passwords);
  const api = operatorApi(terminal, values.reason);
  const desk = await openChain(values, terminal);
  const plans = await planOf(file, { devices, desk, api });
  const unregistered = plans.filter(({ isOnChain }) => !isOnChain).map(({ device }) => device);
  const unenrolled = plans.filter(({ isEnrolled }) => !isEnrolled).map(({ device }) => device);
  const register = await prepareRegistrations(file, { keys: unregistered, desk, values });

  if (values.dryRun) {
    const left = `keys to register ${unregistered.length}, to enrol ${unenrolled.length}`;
    return terminal.out(`Of ${devices.length} devices: ${left}. The others are done.\n${nothingSent}`);
  }
  for (const { body } of unenrolled) if (!passwords.has(body.name)) passwords.set(body.name, newPassword());
  await writePasswords(values.passwords, passwords);
  await register();
  for (const [index, { body }] of unenrolled.entries()) {
    const secret_hash = createHash("sha256")
      .update(passwords.get(body.name) ?? "")
      .digest("hex");
    await api.json("devices", { ...body, secret_hash });
    progress(terminal, "enrolled at the server", [index + 1, unenrolled.length]);
  }
  terminal.out(
    `Of ${devices.length} devices: keys registered ${unregistered.length}, enrolled ${unenrolled.length}. The others were before.\n`,
  );
  const names = new Set(devices.map(({ body }) => body.name));
  const held = new Map([...passwords].filter(([name]) => names.has(name)));
  terminal.out(`${values.passwords} has the passwords for MQTT of ${held.size} of them, one a line: device:password\n`);
  if (values.mosquitto === undefined) return;
  await writeMosquittoFile(values.mosquitto, held);
  terminal.out(`${values.mosquitto} has them hashed, for the password_file of Mosquitto\n`);
}

async function checkAttested(file: string, devices: readonly ListedDevice[], root: string | undefined): Promise<void> {
  const attested = devices.filter(({ body }) => body.trust === "attested");
  if (attested.length === 0) return;
  if (root === undefined) throw new CommandError("attested devices need --root with their root certificates");
  const rootPem = await textOf(root);
  const faults = attested.flatMap(({ line, key, certificates }) => {
    if (key.kind !== "p256" || certificates === null) return [];
    try {
      checkAttestation({ chainPem: certificates, rootPem, key, now: new Date() });
      return [];
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return [{ line, message: `certificates: ${error.message}` }];
    }
  });
  refuse(file, faults);
}

/** Compares the file with chain and server. @throws CommandError that names each line which cannot be carried out */
async function planOf(
  file: string,
  { devices, desk, api }: { devices: readonly ListedDevice[]; desk: ChainSession; api: OperatorApi },
): Promise<Plan[]> {
  const known = new Map((await api.json<OperatorDevice[]>("devices")).map((one) => [one.name, one]));
  const faults: Fault[] = [];
  const missing = await missingProducts(devices, desk.terminal);
  const coSigners = new Set(devices.flatMap(({ body }) => body.co_signer ?? []));
  const unsigned = new Set<string>();
  await together([...coSigners], async (name) => {
    if ((await lastKey(desk, name)).kind === 0) unsigned.add(name);
  });
  const plans = await together(devices, async (device): Promise<Plan> => {
    const { body, key, line } = device;
    const fault = (message: string) => faults.push({ line, message: `${body.name} ${message}` });
    const enrolled = known.get(body.name);
    const differs = enrolled === undefined ? null : differenceOf(body, enrolled);
    const held = await lastKey(desk, body.name);
    const isOnChain = isSameKey(held, key);
    const change = `\`aqua device rotate ${body.name}\` changes its key`;
    if (differs !== null) fault(`is enrolled already, ${differs}`);
    else if (!isOnChain && enrolled !== undefined) fault(`is enrolled already with another key; ${change}`);
    else if (!isOnChain && held.kind !== 0)
      fault(`has another key on chain, and is not enrolled at this server; ${change}`);
    if (missing.has(body.short_id)) fault(`belongs to ${body.short_id}, and the server has no such product`);
    if (body.co_signer !== null && unsigned.has(body.co_signer))
      fault(
        `has the co-signer ${body.co_signer} without a key on chain; \`aqua device rotate ${body.co_signer} --first\` registers it`,
      );
    return { device, isOnChain, isEnrolled: enrolled !== undefined };
  });
  refuse(file, faults);
  return plans;
}

/** How an enrolled device differs from the file. Null if it does not. */
function differenceOf(body: CheckedDevice, enrolled: OperatorDevice): string | null {
  if (enrolled.retired_at !== null) return "and was taken out of service";
  const { min, max, max_step, interval, ...rest } = body;
  const steps = (figure: string | null) => figure && stepsOf(figure, body.exponent);
  const isEqual = (Object.keys(rest) as (keyof typeof rest)[]).every((field) => enrolled[field] === rest[field]);
  const figures = { min, max, max_step };
  const isBound = (Object.keys(figures) as (keyof typeof figures)[]).every(
    (field) => enrolled.exponent === body.exponent && steps(enrolled[field]) === steps(figures[field]),
  );
  return isEqual && isBound && enrolled.intervals[0]?.interval === interval ? null : "with other data than in the file";
}

/** The products of the file that the server does not have. */
async function missingProducts(devices: readonly ListedDevice[], { environment }: Terminal): Promise<Set<string>> {
  const client = createClient({ baseUrl: new URL("/api/v2", serverUrl(environment)).href });
  const missing = new Set<string>();
  await together([...new Set(devices.map(({ body }) => body.short_id))], async (shortId) => {
    // Figures of a product that cannot be answered now do not matter here.
    const error = await client.product(shortId).catch((error: unknown) => error);
    if (error instanceof ApiResponseError && error.code === "pool_not_found") missing.add(shortId);
  });
  return missing;
}
