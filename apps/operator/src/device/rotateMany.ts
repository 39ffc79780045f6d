import { CommandError } from "../api.ts";
import { nothingSent, openChain } from "../chainSession.ts";
import type { Terminal } from "../terminal.ts";
import { isSameKey, type KeyValues, lastKey, textOf } from "./device.ts";
import { type Fault, readKeyFile, refuse } from "./deviceFile.ts";
import { prepareRegistrations, together } from "./registrations.ts";

/**
 * `aqua device rotate` of a CSV or YAML file: gives many devices another key. Checks the whole file at the chain before it
 * sends anything. A key that is on chain already is left as it is, so that an interrupted run goes on where it stopped.
 */
export async function rotateMany(
  file: string,
  values: KeyValues & { first?: true | undefined },
  terminal: Terminal,
): Promise<void> {
  if (values.key !== undefined) throw new CommandError("--key is for one device; here each line has its key");
  const listed = readKeyFile(file, await textOf(file));
  const desk = await openChain(values, terminal);
  const faults: Fault[] = [];
  const found = await together(listed, async (one) => {
    const held = await lastKey(desk, one.name);
    const isDone = isSameKey(held, one.key);
    const fault = (message: string) => faults.push({ line: one.line, message: `${one.name} ${message}` });
    if (held.kind === 0 && values.first !== true) fault("has no key on chain; --first registers the first keys of all");
    if (held.kind !== 0 && values.first === true && !isDone) fault("has a key on chain; run rotate without --first");
    return { one, isDone };
  });
  refuse(file, faults);
  const keys = found.filter(({ isDone }) => !isDone).map(({ one }) => one);
  const send = await prepareRegistrations(file, { keys, desk, values });
  if (values.dryRun)
    return terminal.out(
      `Of ${listed.length} devices: keys to register ${keys.length}. The others are done.\n${nothingSent}`,
    );
  await send();
  terminal.out(`Of ${listed.length} devices: keys registered ${keys.length}. The others were before.\n`);
}
