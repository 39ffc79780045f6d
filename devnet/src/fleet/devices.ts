import type { DeviceBody } from "@aqua/sdk/api/telemetry";
import { HOUR_MS } from "@aqua/sdk/durations";
import type { Metric } from "@aqua/sdk/telemetry/metrics";
import * as gauges from "./gauges.ts";

interface Common extends DeviceBody {
  metric: Metric;
  /** Simulators sign with secp256k1, hardware with P-256. */
  key: "p256" | "secp256k1";
  /** Milliseconds between two readings while the world runs, at most the interval with which it is enrolled. */
  pace: number;
}

/**
 * A meter: its `share` of the product's output, in parts per thousand, and the value of its dial before the first day.
 */
interface Register extends Common {
  kind: "register";
  share: number;
  dial: number;
}

/** A sensor: the true figure, and its error, in the metric's unit. */
interface Sensor extends Common {
  kind: "gauge";
  at: gauges.Gauge;
  noise: number;
}

export type FleetDevice = Register | Sensor;
/** A holder of a key on the local chain. */
export type KeyHolder = Pick<FleetDevice, "name" | "key">;

/** A device owes a reading an hour, a simulator one in four hours. Most send more while the world runs. */
const HOURLY = HOUR_MS;
const FOUR_HOURLY = 4 * HOURLY;
const METER_PACE = 10_000;
const SENSOR_PACE = 5_000;

type Place = readonly [place: string, latitude: number, longitude: number];

function place([name, latitude, longitude]: Place) {
  return { place: name, latitude, longitude };
}

const meterModels = {
  volume: { model: "Itron Flostar M with Aqua signer", trust: "secure_element" },
  energy: { model: "Landis+Gyr E650 with Aqua signer", trust: "attested" },
  gas: { model: "Elster TRZ2 with Aqua signer", trust: "secure_element" },
} as const;

/** @param step highest count in an hour */
function meter({
  name,
  shortId,
  metric,
  where,
  model: { exponent, share, dial, step },
}: {
  name: string;
  shortId: string;
  metric: keyof typeof meterModels;
  where: Place;
  model: { exponent: number; share: number; dial: number; step: string };
}): Register {
  return {
    kind: "register",
    name,
    short_id: shortId,
    metric,
    exponent,
    ...place(where),
    ...meterModels[metric],
    key: "p256",
    min: "0",
    max: "1000000000",
    max_step: step,
    interval: HOURLY,
    pace: METER_PACE,
    share,
    dial,
  };
}

type Bounds = readonly [min: string, max: string, maxStep: string];

function sensor({
  name,
  shortId,
  metric,
  where,
  bounds: [min, max, maxStep],
  rest,
}: {
  name: string;
  shortId: string;
  metric: Metric;
  where: Place;
  bounds: Bounds;
  rest: Pick<Sensor, "at" | "noise" | "exponent" | "model" | "trust"> & { key?: Sensor["key"]; pace?: number };
}): Sensor {
  return {
    kind: "gauge",
    name,
    short_id: shortId,
    metric,
    ...place(where),
    key: "p256",
    ...rest,
    min,
    max,
    max_step: maxStep,
    pace: rest.pace ?? SENSOR_PACE,
    interval: rest.key === "secp256k1" ? FOUR_HOURLY : HOURLY,
  };
}

const ferlo: Place = ["Keur Momar Sarr, solar field 12", 15.9312, -15.9684];
const amorgos: Place = ["Katapola, desalination hall", 36.8296, 25.8631];

/** Every device of the local world, in the order of its products. */
export const fleet: readonly FleetDevice[] = [
  meter({
    name: "sahel-meter-north",
    shortId: "sahel-solar",
    metric: "volume",
    where: ["Keur Momar Sarr, trunk main", 15.9295, -15.9702],
    model: {
      exponent: -2,
      share: 400,
      dial: 1_204_310,
      step: "3500",
    },
  }),
  meter({
    name: "sahel-meter-centre",
    shortId: "sahel-solar",
    metric: "volume",
    where: ["Louga, trunk main", 15.6198, -16.2217],
    model: {
      exponent: -2,
      share: 340,
      dial: 988_742,
      step: "3500",
    },
  }),
  meter({
    name: "sahel-meter-south",
    shortId: "sahel-solar",
    metric: "volume",
    where: ["Kébémer, trunk main", 15.3701, -16.4436],
    model: {
      exponent: -2,
      share: 260,
      dial: 640_155,
      step: "3500",
    },
  }),
  sensor({
    name: "sahel-sun",
    shortId: "sahel-solar",
    metric: "irradiance",
    where: ferlo,
    bounds: ["-10", "1400", "900"],
    rest: {
      at: gauges.irradiance("sahel-solar", ferlo[1], ferlo[2]),
      noise: 1.6,
      exponent: -1,
      model: "Kipp & Zonen SMP10",
      trust: "secure_element",
    },
  }),
  sensor({
    name: "sahel-pump",
    shortId: "sahel-solar",
    metric: "power",
    where: ferlo,
    bounds: ["0", "130", "110"],
    rest: {
      at: gauges.solarPumps({ shortId: "sahel-solar", latitude: ferlo[1], longitude: ferlo[2], rated: 112 }),
      noise: 0.25,
      exponent: -2,
      model: "Lorentz PSk3 controller",
      trust: "software_key",
    },
  }),
  sensor({
    name: "sahel-tower",
    shortId: "sahel-solar",
    metric: "level",
    where: ["Louga, water tower 3", 15.6127, -16.2305],
    bounds: ["0", "8", "3"],
    rest: {
      at: gauges.tower(-16.2305),
      noise: 0.03,
      exponent: -3,
      model: "Vega Vegapuls C 21",
      trust: "declared",
      pace: HOURLY,
    },
  }),

  meter({
    name: "aegean-meter-east",
    shortId: "aegean-water",
    metric: "volume",
    where: ["Katapola, outlet to the eastern villages", 36.8299, 25.8655],
    model: {
      exponent: -2,
      share: 580,
      dial: 412_806,
      step: "500",
    },
  }),
  meter({
    name: "aegean-meter-west",
    shortId: "aegean-water",
    metric: "volume",
    where: ["Katapola, outlet to the western villages", 36.8291, 25.861],
    model: {
      exponent: -2,
      share: 420,
      dial: 297_340,
      step: "500",
    },
  }),
  sensor({
    name: "aegean-salinity",
    shortId: "aegean-water",
    metric: "salinity",
    where: amorgos,
    bounds: ["40", "600", "80"],
    rest: {
      at: gauges.salinity,
      noise: 3.5,
      exponent: -1,
      model: "E+H Condumax CLS82",
      trust: "secure_element",
    },
  }),
  sensor({
    name: "aegean-power",
    shortId: "aegean-water",
    metric: "power",
    where: amorgos,
    bounds: ["0", "1500", "900"],
    rest: {
      at: gauges.powerOf("aegean-water", 3, 34),
      noise: 2.5,
      exponent: -1,
      model: "Aqua simulator 1",
      trust: "software_key",
      key: "secp256k1",
    },
  }),

  meter({
    name: "alps-meter-1",
    shortId: "alps-hydro",
    metric: "energy",
    where: ["Gluringen, turbine house", 46.4712, 8.2371],
    model: {
      exponent: -2,
      share: 380,
      dial: 18_830_410,
      step: "1800",
    },
  }),
  {
    ...meter({
      name: "alps-meter-2",
      shortId: "alps-hydro",
      metric: "energy",
      where: ["Ulrichen, grid feed-in", 46.5058, 8.3092],
      model: {
        exponent: -2,
        share: 350,
        dial: 17_022_951,
        step: "1800",
      },
    }),
    trust: "co_signed",
    co_signer: "goms-grid",
  },
  meter({
    name: "alps-meter-3",
    shortId: "alps-hydro",
    metric: "energy",
    where: ["Oberwald, turbine house", 46.5346, 8.3489],
    model: {
      exponent: -2,
      share: 270,
      dial: 12_644_078,
      step: "1800",
    },
  }),
  sensor({
    name: "alps-river",
    shortId: "alps-hydro",
    metric: "flow",
    where: ["Rotten above Ulrichen", 46.5081, 8.3127],
    bounds: ["0", "25", "3"],
    rest: {
      at: gauges.river,
      noise: 0.06,
      exponent: -3,
      model: "Sommer RQ-30",
      trust: "attested",
    },
  }),
  sensor({
    name: "alps-level",
    shortId: "alps-hydro",
    metric: "level",
    where: ["Weir of Oberwald", 46.5352, 8.3504],
    bounds: ["0", "4", "1"],
    rest: {
      at: gauges.riverLevel,
      noise: 0.012,
      exponent: -3,
      model: "Keller PR-36XW",
      trust: "secure_element",
      pace: HOURLY,
    },
  }),

  meter({
    name: "lofoten-meter",
    shortId: "lofoten-tidal",
    metric: "energy",
    where: ["Nappstraumen, platform", 68.1412, 13.4395],
    model: {
      exponent: -2,
      share: 1000,
      dial: 904_113,
      step: "1200",
    },
  }),
  sensor({
    name: "lofoten-current",
    shortId: "lofoten-tidal",
    metric: "speed",
    where: ["Nappstraumen, mid-strait", 68.1398, 13.4431],
    bounds: ["0", "5", "4"],
    rest: {
      at: gauges.current,
      noise: 0.04,
      exponent: -3,
      model: "Aqua simulator 2",
      trust: "software_key",
      key: "secp256k1",
    },
  }),

  meter({
    name: "amman-district",
    shortId: "amman-mains",
    metric: "volume",
    where: ["Jabal Amman, inlet of district 7", 31.9496, 35.9228],
    model: {
      exponent: -2,
      share: 1000,
      dial: 5_310_294,
      step: "2500",
    },
  }),
  sensor({
    name: "amman-pressure-1",
    shortId: "amman-mains",
    metric: "pressure",
    where: ["Jabal Amman, 3rd Circle", 31.9508, 35.9179],
    bounds: ["0", "10", "2"],
    rest: {
      at: gauges.mains(3.6),
      noise: 0.05,
      exponent: -3,
      model: "Sensus PermaNet+",
      trust: "secure_element",
    },
  }),
  sensor({
    name: "amman-pressure-2",
    shortId: "amman-mains",
    metric: "pressure",
    where: ["Jabal al-Weibdeh", 31.9589, 35.9203],
    bounds: ["0", "10", "2"],
    rest: {
      at: gauges.mains(3.1),
      noise: 0.05,
      exponent: -3,
      model: "Sensus PermaNet+",
      trust: "secure_element",
    },
  }),
  sensor({
    name: "amman-pressure-3",
    shortId: "amman-mains",
    metric: "pressure",
    where: ["Abdoun, valve chamber 14", 31.9467, 35.8861],
    bounds: ["0", "10", "2"],
    rest: {
      at: gauges.mains(4.2),
      noise: 0.05,
      exponent: -3,
      model: "Sensus PermaNet+",
      trust: "software_key",
    },
  }),

  meter({
    name: "jutland-gas",
    shortId: "jutland-biogas",
    metric: "gas",
    where: ["Skive, grid injection", 56.5701, 9.0304],
    model: {
      exponent: -2,
      share: 1000,
      dial: 61_240_877,
      step: "3500",
    },
  }),
  sensor({
    name: "jutland-digester-1",
    shortId: "jutland-biogas",
    metric: "temperature",
    where: ["Skive, digester 1", 56.5694, 9.0283],
    bounds: ["5", "60", "2"],
    rest: {
      at: gauges.digester(38.6, 9),
      noise: 0.05,
      exponent: -3,
      model: "JUMO dTRANS T06",
      trust: "attested",
    },
  }),
  sensor({
    name: "jutland-digester-2",
    shortId: "jutland-biogas",
    metric: "temperature",
    where: ["Skive, digester 2", 56.5691, 9.0291],
    bounds: ["5", "60", "2"],
    rest: {
      at: gauges.digester(39.1, 11),
      noise: 0.05,
      exponent: -3,
      model: "JUMO dTRANS T06",
      trust: "attested",
    },
  }),

  sensor({
    name: "forest-soil-1",
    shortId: "atlantic-forest",
    metric: "moisture",
    where: ["Corridor 3, plot 18", -22.4481, -52.3127],
    bounds: ["0", "65", "15"],
    rest: {
      at: gauges.soil(27),
      noise: 0.3,
      exponent: -2,
      model: "Sentek Drill & Drop",
      trust: "secure_element",
      pace: HOURLY,
    },
  }),
  sensor({
    name: "forest-soil-2",
    shortId: "atlantic-forest",
    metric: "moisture",
    where: ["Corridor 7, plot 41", -22.4712, -52.2836],
    bounds: ["0", "65", "15"],
    rest: {
      at: gauges.soil(23),
      noise: 0.3,
      exponent: -2,
      model: "Sentek Drill & Drop",
      trust: "declared",
      pace: HOURLY,
    },
  }),
  sensor({
    name: "forest-air",
    shortId: "atlantic-forest",
    metric: "temperature",
    where: ["Nursery of Ribeirão Bonito", -22.4526, -52.3008],
    bounds: ["-5", "50", "25"],
    rest: {
      at: gauges.forestAir,
      noise: 0.15,
      exponent: -2,
      model: "Aqua simulator 3",
      trust: "software_key",
      key: "secp256k1",
      pace: HOURLY,
    },
  }),
];

/** The co-signer of devices' readings: the grid operator, whose metering point is behind the same transformer. */
export const coSigners: readonly KeyHolder[] = [{ name: "goms-grid", key: "p256" }];

export function keyHolderOf(name: string): KeyHolder {
  return coSigners.find((candidate) => candidate.name === name) ?? deviceOf(name);
}

export function deviceOf(name: string): FleetDevice {
  const device = fleet.find((candidate) => candidate.name === name);
  if (device === undefined) throw new Error(`The local world has no device "${name}".`);
  return device;
}

export function devicesOf(shortId: string): readonly FleetDevice[] {
  return fleet.filter((device) => device.short_id === shortId);
}
