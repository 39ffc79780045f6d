import type { List } from "@aqua/sdk/api/envelope";
import type { Device, Fleet, ReadingSeries, RefusedReading, StoredReading } from "@aqua/sdk/api/telemetry";
import { csvFormatOf } from "@aqua/sdk/csv";
import { DAY_MS } from "@aqua/sdk/durations";
import type { LanguageCode } from "@aqua/sdk/languages";
import { eq } from "drizzle-orm";
import type { Database, Orm } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { OpenFindings, Withheld } from "../../findings/open.ts";
import type { IndexedChain } from "../../indexer/stamp.ts";
import { type Documents, documentIn } from "../../product/documents.ts";
import { findCurrent } from "../../product/find.ts";
import { device } from "../schema.ts";
import { type Enrolled, enrolledDevices, ofProduct } from "./deviceStore.ts";
import { devicesOf } from "./devices.ts";
import { checkLength, csvOf, fileName } from "./file.ts";
import { fleetOf } from "./fleet.ts";
import { type Resolution, seriesOf } from "./readings.ts";
import type { Span } from "./seriesStore.ts";
import { refusedReadings, storedReadings } from "./storedReadings.ts";

interface ReadingsFilter {
  device?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  resolution?: Resolution | undefined;
  lang?: LanguageCode | undefined;
}

export interface TelemetryReader {
  devices(shortId: string): Promise<Device[]>;
  readings(shortId: string, filter: ReadingsFilter): Promise<ReadingSeries>;
  /** The same readings as a file, read while it is sent. */
  readingsFile(shortId: string, filter: ReadingsFilter): Promise<{ name: string; text: AsyncIterable<string> }>;
  /** `lang`: language of the products' names, where a product has a name in it. */
  fleet(lang?: LanguageCode): Promise<Fleet>;
  deviceReadings(name: string, page: { before?: number | undefined; limit: number }): Promise<StoredReading[]>;
  refused(filter: {
    device?: string | undefined;
    reason?: RefusedReading["reason"] | undefined;
    page: number;
    page_size: number;
  }): Promise<List<RefusedReading>>;
}

/** Default span of readings. */
const USUAL_DAYS = 30;

/** Reads devices, their state and their measurements. `now`: Unix milliseconds. */
export function createTelemetryReader(parts: {
  db: Database;
  chains: readonly IndexedChain[];
  documents: Documents;
  findings: OpenFindings;
  now?: () => number;
}): TelemetryReader {
  const { db, documents, findings, now = Date.now } = parts;
  const chains = parts.chains.filter((chain) => chain.deployment !== null);
  const snapshot = <T>(read: (tx: Orm) => Promise<T>) => db.transaction(read, "repeatable read");

  /** Returns the devices whose readings are requested, and the requested span. */
  async function askedFor(tx: Orm, shortId: string, filter: ReadingsFilter) {
    const { current } = await findCurrent(tx, chains, shortId);
    const asked = { product: shortId, device: filter.device };
    (await findings.read()).demand("The readings", ["readings"], asked);
    const all = (await enrolledDevices(tx, ofProduct(current.product))).map(({ device }) => device);
    const devices = filter.device === undefined ? all : all.filter(({ name }) => name === filter.device);
    if (filter.device !== undefined && devices.length === 0) throw unknownDevice();
    return { devices, span: spanOf(filter, now()) };
  }

  return {
    devices: (shortId) =>
      snapshot(async (tx) => {
        const { current } = await findCurrent(tx, chains, shortId);
        const withheld = await findings.read();
        return (await devicesOf(tx, current.product, now())).map((one) => withholdDevice(one, withheld));
      }),

    readings: (shortId, filter) =>
      snapshot(async (tx) => {
        const { devices, span } = await askedFor(tx, shortId, filter);
        return { short_id: shortId, ...(await seriesOf(tx, { devices, span, resolution: filter.resolution })) };
      }),

    async readingsFile(shortId, filter) {
      const { devices, span } = await snapshot((tx) => askedFor(tx, shortId, filter));
      const resolution = filter.resolution ?? "raw";
      if (resolution === "raw") await checkLength(db, devices, span);
      return {
        name: fileName(shortId, filter.device, span),
        text: csvOf(db, { devices, span, resolution, format: csvFormatOf(filter.lang) }),
      };
    },

    fleet: (lang) =>
      snapshot((tx) => {
        const nameOf = async (shortId: string) => {
          const found = await findCurrent(tx, chains, shortId).catch(() => null);
          return (found && documentIn(documents.get(found.current.state.metadataHash), lang)?.name) ?? shortId;
        };
        return fleetOf(tx, { chains, nameOf, now: now() });
      }),

    deviceReadings: (name, page) =>
      snapshot(async (tx) => {
        const found = await findDevice(tx, name);
        (await findings.read()).demand("The readings", ["readings", "batches"], {
          product: found.shortId,
          device: name,
        });
        return storedReadings(tx, found, page);
      }),

    refused: ({ page, page_size, ...filter }) =>
      snapshot(async (tx) => {
        const span = { limit: page_size, offset: (page - 1) * page_size };
        const { rows, total } = await refusedReadings(tx, filter, span);
        return { items: rows, total, page, page_size };
      }),
  };
}

/** Returns the device without its figures and its key if an open finding concerns them. */
function withholdDevice(device: Device, withheld: Withheld): Device {
  const { name, short_id: product } = device;
  const ofKey = withheld.concerns(["keys"], { product, device: name });
  const ofReadings = withheld.concerns(["readings"], { product, device: name });
  if (!ofKey && !ofReadings) return device;
  const known = { ...device, withheld: true, ...(ofKey && { key: null }) };
  if (!ofReadings) return known;
  return {
    ...known,
    last: null,
    last_seen: null,
    readings: null,
    availability: null,
    quality: { score: null, reasons: [] },
  };
}

async function findDevice(tx: Orm, name: string): Promise<Enrolled> {
  const [found] = await enrolledDevices(tx, eq(device.name, name));
  if (!found) throw unknownDevice();
  return found.device;
}

function spanOf(filter: ReadingsFilter, now: number): Span {
  const to = Math.min(filter.to ?? now, now);
  const from = filter.from ?? Math.max(0, to - USUAL_DAYS * DAY_MS);
  if (from < to) return { from, to };
  const message = "The end must come after the beginning, and the beginning must have come";
  throw new ApiError("validation_error", message, { details: [{ path: "from", message }] });
}

const unknownDevice = () => new ApiError("not_found", "There is no device with this name");
