import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { OperatorDevice } from "@aqua/sdk/api/operator";
import type { enrolBody, enrolledDevice, intervalBody } from "@aqua/sdk/api/telemetry";
import { DAY_MS } from "@aqua/sdk/durations";
import { figureOf, stepsOf } from "@aqua/sdk/telemetry/figure";
import { type DueEvery, intervalAt } from "@aqua/sdk/telemetry/quality";
import type { z } from "zod";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Act, LogWriter } from "../publicLog/writer.ts";
import * as store from "./deviceStore.ts";
import { toEnrolled } from "./enrolled.ts";
import { readIntervals, upsertInterval } from "./intervals.ts";

/** Devices read at once. */
const SLICE = 1_000;

export interface DevicesParts {
  db: Pick<Database, "orm" | "transaction">;
  /** The chains of this instance, in order of preference. */
  chainIds: readonly number[];
  writer: LogWriter;
}

export interface Devices {
  /** Enrols a device. A password that is made here is returned only this once. */
  enrol(body: z.output<typeof enrolBody>, act?: Act): Promise<z.infer<typeof enrolledDevice>>;
  /** Replaces the password of a device. */
  renewSecret(name: string, act?: Act): Promise<{ name: string; secret: string }>;
  /**
   * Changes the reporting interval of a device from now on, or from a past time on. An interval that is set for a
   * later time remains.
   */
  changeInterval(name: string, body: z.output<typeof intervalBody>, act?: Act): Promise<OperatorDevice>;
  /** Retires a device. Its later readings are rejected, and its earlier ones are preserved. */
  retire(name: string, act?: Act): Promise<OperatorDevice>;
  /** Yields all devices by name, in slices, so that a large fleet neither fills the memory nor holds the server up. */
  slices(): AsyncGenerator<OperatorDevice[]>;
  /** Returns whether this is the password of a device in service. */
  checkSecret(name: string, secret: string): Promise<boolean>;
}

const hashOf = (secret: string) => createHash("sha256").update(secret).digest();
// The secret has 256 random bits, so a slow hash would add no protection.
const newSecret = () => randomBytes(32).toString("base64url");
/** Hash to compare with if there is no such device, so that the response takes the same time. */
const nobody = hashOf(newSecret());

export function createDevices({ db, chainIds, writer }: DevicesParts): Devices {
  async function toDevices(listed: Awaited<ReturnType<typeof store.devicesNamed>>): Promise<OperatorDevice[]> {
    const intervals = await readIntervals(
      db.orm,
      listed.map(({ row }) => row),
    );
    return listed.map((one) => toDevice(one, intervals.of(one.row)));
  }
  async function found(name: string): Promise<OperatorDevice> {
    return (await toDevices(await store.devicesNamed(db.orm, name)))[0] ?? notFound();
  }

  /** Whether a device in service was enrolled with exactly these data and this password. */
  async function isRepeated(tx: Orm, row: { name: string } & Partial<store.DeviceRow>, secretHash: Buffer) {
    const known = await store.readDevice(tx, row.name);
    if (known === null || known.retiredTime !== null || !secretHash.equals(known.secretHash)) return false;
    return (Object.keys(row) as (keyof typeof row)[]).every((field) => known[field] === row[field]);
  }

  return {
    async enrol({ short_id: shortId, min, max, max_step, co_signer: coSigner, secret_hash, ...body }, act = null) {
      const { name } = body;
      const listing = await store.chainsOfProduct(db.orm, shortId);
      const chainId = chainIds.find((id) => listing.includes(id));
      if (chainId === undefined) throw new ApiError("pool_not_found", "There is no such product");
      const steps = (figure: string) => stepsOf(figure, body.exponent);
      const bounds = { min: steps(min), max: steps(max), maxStep: max_step === null ? null : steps(max_step) };
      if (await store.standsForBoth(db.orm, { name, coSigner })) {
        throw new ApiError("conflict", "A co-signer is no device: one of these names stands for the other already");
      }
      const secret = secret_hash === undefined ? newSecret() : null;
      const secretHash = secret === null ? Buffer.from(secret_hash ?? "", "hex") : hashOf(secret);
      const row = { ...body, ...bounds, shortId, chainId, coSigner };
      const enrolled = await db.transaction(async (tx) => {
        await writer.requireRow(tx, "device", name);
        const isNew = await store.insertDevice(tx, { ...row, secretHash, createTime: Date.now() });
        if (isNew) await writer.row(tx, "device", { subject: name, act });
        return isNew || (await isRepeated(tx, row, secretHash));
      });
      if (!enrolled) throw new ApiError("conflict", "A device of this name is enrolled; its password was told then");
      return { name, secret };
    },
    async renewSecret(name, act = null) {
      const secret = newSecret();
      const isChanged = await db.transaction(async (tx) => {
        await writer.requireRow(tx, "device", name);
        const changed = await store.changeSecret(tx, name, hashOf(secret));
        if (changed) await writer.row(tx, "device", { subject: name, act });
        return changed;
      });
      if (isChanged) return { name, secret };
      await found(name);
      throw new ApiError("conflict", "This device was taken out of service");
    },
    async changeInterval(name, { interval, since }, act = null) {
      const row = (await store.readDevice(db.orm, name)) ?? notFound();
      const now = Date.now();
      const from = since ?? now;
      if (from > now) throw invalid("since", "Must not lie in the future");
      const began = Math.min(row.createTime, (await store.firstBucket(db.orm, row.id, DAY_MS)) ?? row.createTime);
      if (from < began) throw invalid("since", `Must not be before ${new Date(began).toISOString()}, when it began`);
      if (row.retiredTime !== null && from >= row.retiredTime) {
        throw new ApiError("conflict", "This device was taken out of service by then");
      }
      const held = (await readIntervals(db.orm, [row])).of(row);
      if (intervalAt(held, from) !== interval) {
        await db.transaction(async (tx) => {
          const subject = `${name} ${from}`;
          await writer.requireRow(tx, "device_interval", subject);
          await upsertInterval(tx, { device: row.id, since: from, interval });
          await writer.row(tx, "device_interval", { subject, act });
        });
      }
      return found(name);
    },
    async retire(name, act = null) {
      await db.transaction(async (tx) => {
        await writer.requireRow(tx, "device", name);
        if ((await store.readDevice(tx, name)) === null) notFound();
        await store.retireDevice(tx, name, Date.now());
        await writer.row(tx, "device", { subject: name, act });
      });
      return found(name);
    },
    async *slices() {
      for (let after = ""; ; ) {
        const slice = await store.devicesAfter(db.orm, after, SLICE);
        const last = slice.at(-1);
        if (last === undefined) return;
        yield await toDevices(slice);
        if (slice.length < SLICE) return;
        after = last.row.name;
      }
    },
    async checkSecret(name, secret) {
      const row = await store.readDevice(db.orm, name);
      const equal = timingSafeEqual(hashOf(secret), row?.secretHash ?? nobody);
      return equal && row !== null && row.retiredTime === null;
    },
  };
}

function notFound(): never {
  throw new ApiError("not_found", "There is no such device");
}

function toDevice(
  { row, seq, time }: { row: store.DeviceRow; seq: number; time: number },
  intervals: DueEvery[],
): OperatorDevice {
  return {
    ...toEnrolled(row),
    interval: intervalAt(intervals, Date.now()),
    intervals,
    max_step: row.maxStep === null ? null : figureOf(row.maxStep, row.exponent),
    enrolled_at: row.createTime,
    retired_at: row.retiredTime,
    last: seq === 0 ? null : { seq, time },
  };
}

function invalid(path: string, message: string): ApiError {
  return new ApiError("validation_error", message, { details: [{ path, message }] });
}
