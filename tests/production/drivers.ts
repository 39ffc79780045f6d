import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { ApiConnectionError, ApiResponseError, createClient } from "@aqua/sdk/api/client";
import type { SignedReading, TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { type Address, encodeFunctionData, type Hex, keccak256 } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import type { TestDevice } from "../../apps/server/test/telemetry/devices.ts";
import { connectDevice } from "../../apps/server/test/telemetry/mqtt/support.ts";
import { LOCAL_CHAIN_ID, Rpc } from "../../devnet/src/rpc.ts";
import type { ReceivedMail } from "./parts.ts";

/** Attempts of a call or a wait, with a pause after each. Only a day that stands still uses them up. */
const ATTEMPTS = 600;
const PAUSE_MS = 250;

/** Aborted when the day ends early, so that nothing waits for a part that is gone. */
export const dayEnds = new AbortController();

async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = await look();
    if (found !== undefined) return found;
    dayEnds.signal.throwIfAborted();
    await sleep(PAUSE_MS);
  }
  throw new Error(`${what} did not happen`);
}

/** Something that acts again and again until it is stopped. */
export interface Driver {
  /** Number of acknowledged things. */
  count(): number;
  /** Lets the current step end, and begins no other before `resume`. */
  pause(): Promise<void>;
  resume(): void;
  /** Rejects if a step failed. */
  stop(): Promise<void>;
}

function drive(count: () => number, step: (number: number) => Promise<void>): Driver {
  let stopped = false;
  let paused = false;
  let current: Promise<void> = Promise.resolve();
  const run = async () => {
    for (let number = 0; !stopped; number += 1) {
      while (paused && !stopped) await sleep(PAUSE_MS);
      if (stopped) return;
      current = step(number);
      await current;
      await sleep(PAUSE_MS);
    }
  };
  const running = run();
  // `stop` and `count` report it.
  let failure: unknown = null;
  running.catch((error: unknown) => {
    failure = error;
  });
  return {
    count() {
      if (failure !== null) throw failure;
      return count();
    },
    async pause() {
      paused = true;
      await current;
    },
    resume() {
      paused = false;
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** A device that keeps each reading until the platform says that it is stored. */
export function startDevice(device: TestDevice, port: number, password: string): Driver & { stored: Set<number> } {
  const stored = new Set<number>();
  const kept: SignedReading[] = [];
  const answers = new Map<string, TelemetryAnswer>();
  const connecting = connectDevice(port, device.name, { password, clean: false, reconnectPeriod: 500 });
  const topic = `aqua/answers/${device.name}`;
  connecting.then(
    (client) =>
      client
        .on("error", () => {})
        .on("message", (_topic, payload, { properties }) => {
          answers.set(`${properties?.correlationData}`, JSON.parse(`${payload}`));
        })
        .subscribe(topic, { qos: 1 }),
    () => {},
  );
  const driver = drive(
    () => stored.size,
    async () => {
      const client = await connecting;
      kept.push(await device.next());
      const readings = kept.slice(0, 100);
      const name = randomUUID();
      const properties = { responseTopic: topic, correlationData: Buffer.from(name) };
      client.publish(`aqua/readings/${device.name}`, JSON.stringify({ readings }), { qos: 1, properties }, () => {});
      // Without an answer the next step sends them again.
      for (let attempt = 0; attempt < 20 && !answers.has(name); attempt += 1) await sleep(100);
      const answer = answers.get(name);
      if (answer === undefined) return;
      const rejected = new Set(answer.rejected.map(({ index }) => index));
      for (const [index, reading] of readings.entries()) {
        if (rejected.has(index)) continue;
        stored.add(reading.seq);
        kept.splice(kept.indexOf(reading), 1);
      }
    },
  );
  return {
    ...driver,
    stored,
    async stop() {
      await driver.stop();
      await (await connecting).endAsync(true);
    },
  };
}

export interface People {
  registered: string[];
  /** Tokens of log-ins that were answered. */
  tokens: string[];
  /** Failed requests at the proxy. */
  failures: string[];
}
export const passwordOfAll = "moon over the tide";

/** People who register with a code by mail and log in, each call repeated until it is answered. */
export function startPeople(url: string, send: typeof fetch, mails: readonly ReceivedMail[]): Driver & People {
  const people: People = { registered: [], tokens: [], failures: [] };
  const client = createClient({ baseUrl: `${url}/api/v2`, fetch: send });
  const insist = <T>(what: string, call: () => Promise<T>) =>
    until(what, () =>
      call().catch((error: unknown) => {
        people.failures.push(`${what}: ${error}`);
        const isTemporary =
          error instanceof ApiConnectionError || (error instanceof ApiResponseError && error.status >= 500);
        if (!isTemporary) throw error;
        return undefined;
      }),
    );
  const driver = drive(
    () => people.tokens.length,
    async (number) => {
      const email = `person-${number}@aqua.example`;
      const [verifying, registering] = [randomUUID(), randomUUID()];
      await insist("send a code", () => client.sendVerificationCode({ email, purpose: "register" }));
      const code = await until(`a code for ${email}`, () => codeIn(mails, email));
      const { ticket } = await insist("verify", () =>
        client.verifyEmail({ email, code, purpose: "register" }, verifying),
      );
      const person = { email, password: passwordOfAll, ticket, country: "FR" };
      await insist("register", () => client.register(person, registering));
      people.registered.push(email);
      const { token } = await insist("log in", () => client.login({ email, password: passwordOfAll }));
      people.tokens.push(token);
    },
  );
  return { ...driver, ...people };
}

function codeIn(mails: readonly ReceivedMail[], email: string): string | undefined {
  const mail = mails.find(({ to }) => to === email);
  return mail && /\b\d{6}\b/.exec(mail.text.slice(mail.text.indexOf("\r\n\r\n")))?.[0];
}

export interface Deposit {
  hash: Hex;
  /** Units of the test dollar. */
  amount: bigint;
}

/** A wallet that deposits, and sends each transaction until its receipt is there. */
export function startDeposits(
  chainUrl: string,
  { wallet, vault, nonce }: { wallet: PrivateKeyAccount; vault: Address; nonce: number },
): Driver & { deposits: Deposit[] } {
  const deposits: Deposit[] = [];
  const rpc = new Rpc(chainUrl);
  const driver = drive(
    () => deposits.length,
    async (number) => {
      const amount = 10_000_000n + BigInt(number);
      const raw = await wallet.signTransaction({
        ...{ type: "eip1559", chainId: LOCAL_CHAIN_ID, nonce: nonce + number, gas: 600_000n, to: vault },
        ...{ maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1n },
        data: encodeFunctionData({
          abi: demandVaultAbi,
          functionName: "deposit",
          args: [amount, wallet.address],
        }),
      });
      const hash = keccak256(raw);
      const { status } = await until(`deposit ${number}`, async () => {
        // The node refuses a transaction that it has already.
        await rpc.call("eth_sendRawTransaction", [raw]).catch(() => {});
        const receipt = rpc.call<{ status: Hex } | null>("eth_getTransactionReceipt", [hash]);
        return (await receipt.catch(() => null)) ?? undefined;
      });
      if (status !== "0x1") throw new Error(`deposit ${number} failed on the chain`);
      deposits.push({ hash, amount });
    },
  );
  return { ...driver, deposits };
}
