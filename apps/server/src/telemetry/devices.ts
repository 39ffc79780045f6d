import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { OperatorDevice } from "@aqua/sdk/api/operator";
import type { deviceBody, enrolledDevice, intervalBody } from "@aqua/sdk/api/telemetry";
import { DAY_MS } from "@aqua/sdk/durations";
import { figureOf, stepsOf } from "@aqua/sdk/telemetry/figure";
import { type DueEvery, intervalAt } from "@aqua/sdk/telemetry/quality";
import type { z } from "zod";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Act, LogWriter } from "../publicLog/writer.ts";
import * as store from "./deviceStore.ts";
import { toEnrolled } from "./enrolled.ts";
import { readIntervals, upsertInterval } from "./intervals.ts";

export interface DevicesParts {
  db: Pick<Database, "orm" | "transaction">;
  /** The chains of this instance, in order of preference. */
  chainIds: readonly number[];
  writer: LogWriter;
}

export interface Devices {
  /** Enrols a device. Its password is returned only this once. */
  enrol(body: z.output<typeof deviceBody>, act?: Act): Promise<z.infer<typeof enrolledDevice>>;
  /** Replaces the password of a device. */
  renewSecret(name: string, act?: Act): Promise<z.infer<typeof enrolledDevice>>;
  /**
   * Changes the reporting interval of a device from now on, or from a past time on. An interval that is set for a
   * later time remains.
   */
  changeInterval(name: string, body: z.output<typeof intervalBody>, act?: Act): Promise<OperatorDevice>;
  /** Retires a device. Its later readings are rejected, and its earlier ones are preserved. */
  retire(name: string, act?: Act): Promise<OperatorDevice>;
  list(): Promise<OperatorDevice[]>;
  /** Returns whether this is the password of a device in service. */
  checkSecret(name: string, secret: string): Promise<boolean>;
}

const hashOf = (secret: string) => createHash("sha256").update(secret).digest();
// The secret has 256 random bits, so a slow hash would add no protection.
const newSecret = () => randomBytes(32).toString("base64url");
/** Hash to compare with if there is no such device, so that the response takes the same time. */
const nobody = hashOf(newSecret());

export function createDevices({ db, chainIds, writer }: DevicesParts): Devices {
  async function list(): Promise<OperatorDevice[]> {
    const all = await store.listDevices(db.orm);
    const intervals = await readIntervals(
      db.orm,
      all.map(({ row }) => row),
    );
    return all.map((one) => toDevice(one, intervals.of(one.row)));
  }
  async function found(name: string): Promise<OperatorDevice> {
    return (await list()).find((one) => one.name === name) ?? notFound();
  }

  return {
    async enrol({ name, short_id: shortId, min, max, max_step, co_signer: coSigner, ...body }, act = null) {
      const listing = await store.chainsOfProduct(db.orm, shortId);
      const chainId = chainIds.find((id) => listing.includes(id));
      if (chainId === undefined) throw new ApiError("pool_not_found", "There is no such product");
      const bounds = { min: bound("min", min, body.exponent), max: bound("max", max, body.exponent) };
      if (bounds.min > bounds.max) throw invalid("max", "Must not be below min");
      const maxStep = max_step === null ? null : bound("max_step", max_step, body.exponent);
      if (maxStep !== null && maxStep <= 0n) throw invalid("max_step", "Must be more than 0");
      if (await store.standsForBoth(db.orm, { name, coSigner })) {
        throw new ApiError("conflict", "A co-signer is no device: one of these names stands for the other already");
      }
      const secret = newSecret();
      const row = { ...body, ...bounds, name, shortId, chainId, maxStep, coSigner };
      const enrolled = await db.transaction(async (tx) => {
        await writer.requireRow(tx, "device", name);
        const isNew = await store.insertDevice(tx, { ...row, secretHash: hashOf(secret), createTime: Date.now() });
        if (isNew) await writer.row(tx, "device", { subject: name, act });
        return isNew;
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
        await store.retireDevice(tx, name, Date.now());
        await writer.row(tx, "device", { subject: name, act });
      });
      return found(name);
    },
    list,
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

function bound(path: string, figure: string, exponent: number): bigint {
  let steps: bigint;
  try {
    steps = stepsOf(figure, exponent);
  } catch {
    throw invalid(path, `Must be a multiple of 10^${exponent}, as the device's readings are`);
  }
  if (steps >= 2n ** 63n || steps < -(2n ** 63n)) throw invalid(path, "Is out of range");
  return steps;
}

function invalid(path: string, message: string): ApiError {
  return new ApiError("validation_error", message, { details: [{ path, message }] });
}
