import type { DeviceBody } from "@aqua/sdk/api/telemetry";
import type { Metric } from "@aqua/sdk/telemetry/metrics";
import * as gauges from "./gauges.ts";

interface Common extends DeviceBody {
  metric: Metric;
  /** Simulators sign with secp256k1, hardware with P-256. */
  key: "p256" | "secp256k1";
  /** Milliseconds between two readings while the world runs: its interval then, never more than the one it is enrolled with. */
  pace: number;
}

/** A meter: `share` of its product's output, in parts per thousand, and what its dial showed before the first day. */
interface Register extends Common {
  kind: "register";
  share: number;
  dial: number;
}

/** A sensor: what stands there, and how far it strays from it, in the metric's unit. */
interface Sensor extends Common {
  kind: "gauge";
  at: gauges.Gauge;
  noise: number;
}

export type FleetDevice = Register | Sensor;
/** Whoever has a key on the local chain. */
export type KeyHolder = Pick<FleetDevice, "name" | "key">;

/** A reading an hour is what a device owes, a simulator one in four hours; most say more while the world runs. */
const HOURLY = 3_600_000;
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

/** @param step most it may count in an hour */
function meter(
  name: string,
  shortId: string,
  metric: keyof typeof meterModels,
  where: Place,
  { exponent, share, dial, step }: { exponent: number; share: number; dial: number; step: string },
): Register {
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

function sensor(
  name: string,
  shortId: string,
  metric: Metric,
  where: Place,
  [min, max, maxStep]: Bounds,
  rest: Pick<Sensor, "at" | "noise" | "exponent" | "model" | "trust"> & { key?: Sensor["key"]; pace?: number },
): Sensor {
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
  meter("sahel-meter-north", "sahel-solar", "volume", ["Keur Momar Sarr, trunk main", 15.9295, -15.9702], {
    exponent: -2,
    share: 400,
    dial: 1_204_310,
    step: "3500",
  }),
  meter("sahel-meter-centre", "sahel-solar", "volume", ["Louga, trunk main", 15.6198, -16.2217], {
    exponent: -2,
    share: 340,
    dial: 988_742,
    step: "3500",
  }),
  meter("sahel-meter-south", "sahel-solar", "volume", ["Kébémer, trunk main", 15.3701, -16.4436], {
    exponent: -2,
    share: 260,
    dial: 640_155,
    step: "3500",
  }),
  sensor("sahel-sun", "sahel-solar", "irradiance", ferlo, ["-10", "1400", "900"], {
    at: gauges.irradiance("sahel-solar", ferlo[1], ferlo[2]),
    noise: 1.6,
    exponent: -1,
    model: "Kipp & Zonen SMP10",
    trust: "secure_element",
  }),
  sensor("sahel-pump", "sahel-solar", "power", ferlo, ["0", "130", "110"], {
    at: gauges.solarPumps("sahel-solar", ferlo[1], ferlo[2], 112),
    noise: 0.25,
    exponent: -2,
    model: "Lorentz PSk3 controller",
    trust: "software_key",
  }),
  sensor("sahel-tower", "sahel-solar", "level", ["Louga, water tower 3", 15.6127, -16.2305], ["0", "8", "3"], {
    at: gauges.tower(-16.2305),
    noise: 0.03,
    exponent: -3,
    model: "Vega Vegapuls C 21",
    trust: "declared",
    pace: HOURLY,
  }),

  meter("aegean-meter-east", "aegean-water", "volume", ["Katapola, outlet to the eastern villages", 36.8299, 25.8655], {
    exponent: -2,
    share: 580,
    dial: 412_806,
    step: "500",
  }),
  meter("aegean-meter-west", "aegean-water", "volume", ["Katapola, outlet to the western villages", 36.8291, 25.861], {
    exponent: -2,
    share: 420,
    dial: 297_340,
    step: "500",
  }),
  sensor("aegean-salinity", "aegean-water", "salinity", amorgos, ["40", "600", "80"], {
    at: gauges.salinity,
    noise: 3.5,
    exponent: -1,
    model: "E+H Condumax CLS82",
    trust: "secure_element",
  }),
  sensor("aegean-power", "aegean-water", "power", amorgos, ["0", "1500", "900"], {
    at: gauges.powerOf("aegean-water", 3, 34),
    noise: 2.5,
    exponent: -1,
    model: "Aqua simulator 1",
    trust: "software_key",
    key: "secp256k1",
  }),

  meter("alps-meter-1", "alps-hydro", "energy", ["Gluringen, turbine house", 46.4712, 8.2371], {
    exponent: -2,
    share: 380,
    dial: 18_830_410,
    step: "1800",
  }),
  {
    ...meter("alps-meter-2", "alps-hydro", "energy", ["Ulrichen, grid feed-in", 46.5058, 8.3092], {
      exponent: -2,
      share: 350,
      dial: 17_022_951,
      step: "1800",
    }),
    trust: "co_signed",
    co_signer: "goms-grid",
  },
  meter("alps-meter-3", "alps-hydro", "energy", ["Oberwald, turbine house", 46.5346, 8.3489], {
    exponent: -2,
    share: 270,
    dial: 12_644_078,
    step: "1800",
  }),
  sensor("alps-river", "alps-hydro", "flow", ["Rotten above Ulrichen", 46.5081, 8.3127], ["0", "25", "3"], {
    at: gauges.river,
    noise: 0.06,
    exponent: -3,
    model: "Sommer RQ-30",
    trust: "attested",
  }),
  sensor("alps-level", "alps-hydro", "level", ["Weir of Oberwald", 46.5352, 8.3504], ["0", "4", "1"], {
    at: gauges.riverLevel,
    noise: 0.012,
    exponent: -3,
    model: "Keller PR-36XW",
    trust: "secure_element",
    pace: HOURLY,
  }),

  meter("lofoten-meter", "lofoten-tidal", "energy", ["Nappstraumen, platform", 68.1412, 13.4395], {
    exponent: -2,
    share: 1000,
    dial: 904_113,
    step: "1200",
  }),
  sensor("lofoten-current", "lofoten-tidal", "speed", ["Nappstraumen, mid-strait", 68.1398, 13.4431], ["0", "5", "4"], {
    at: gauges.current,
    noise: 0.04,
    exponent: -3,
    model: "Aqua simulator 2",
    trust: "software_key",
    key: "secp256k1",
  }),

  meter("amman-district", "amman-mains", "volume", ["Jabal Amman, inlet of district 7", 31.9496, 35.9228], {
    exponent: -2,
    share: 1000,
    dial: 5_310_294,
    step: "2500",
  }),
  sensor(
    "amman-pressure-1",
    "amman-mains",
    "pressure",
    ["Jabal Amman, 3rd Circle", 31.9508, 35.9179],
    ["0", "10", "2"],
    {
      at: gauges.mains(3.6),
      noise: 0.05,
      exponent: -3,
      model: "Sensus PermaNet+",
      trust: "secure_element",
    },
  ),
  sensor("amman-pressure-2", "amman-mains", "pressure", ["Jabal al-Weibdeh", 31.9589, 35.9203], ["0", "10", "2"], {
    at: gauges.mains(3.1),
    noise: 0.05,
    exponent: -3,
    model: "Sensus PermaNet+",
    trust: "secure_element",
  }),
  sensor(
    "amman-pressure-3",
    "amman-mains",
    "pressure",
    ["Abdoun, valve chamber 14", 31.9467, 35.8861],
    ["0", "10", "2"],
    {
      at: gauges.mains(4.2),
      noise: 0.05,
      exponent: -3,
      model: "Sensus PermaNet+",
      trust: "software_key",
    },
  ),

  meter("jutland-gas", "jutland-biogas", "gas", ["Skive, grid injection", 56.5701, 9.0304], {
    exponent: -2,
    share: 1000,
    dial: 61_240_877,
    step: "3500",
  }),
  sensor(
    "jutland-digester-1",
    "jutland-biogas",
    "temperature",
    ["Skive, digester 1", 56.5694, 9.0283],
    ["5", "60", "2"],
    {
      at: gauges.digester(38.6, 9),
      noise: 0.05,
      exponent: -3,
      model: "JUMO dTRANS T06",
      trust: "attested",
    },
  ),
  sensor(
    "jutland-digester-2",
    "jutland-biogas",
    "temperature",
    ["Skive, digester 2", 56.5691, 9.0291],
    ["5", "60", "2"],
    {
      at: gauges.digester(39.1, 11),
      noise: 0.05,
      exponent: -3,
      model: "JUMO dTRANS T06",
      trust: "attested",
    },
  ),

  sensor(
    "forest-soil-1",
    "atlantic-forest",
    "moisture",
    ["Corridor 3, plot 18", -22.4481, -52.3127],
    ["0", "65", "15"],
    {
      at: gauges.soil(27),
      noise: 0.3,
      exponent: -2,
      model: "Sentek Drill & Drop",
      trust: "secure_element",
      pace: HOURLY,
    },
  ),
  sensor(
    "forest-soil-2",
    "atlantic-forest",
    "moisture",
    ["Corridor 7, plot 41", -22.4712, -52.2836],
    ["0", "65", "15"],
    {
      at: gauges.soil(23),
      noise: 0.3,
      exponent: -2,
      model: "Sentek Drill & Drop",
      trust: "declared",
      pace: HOURLY,
    },
  ),
  sensor(
    "forest-air",
    "atlantic-forest",
    "temperature",
    ["Nursery of Ribeirão Bonito", -22.4526, -52.3008],
    ["-5", "50", "25"],
    {
      at: gauges.forestAir,
      noise: 0.15,
      exponent: -2,
      model: "Aqua simulator 3",
      trust: "software_key",
      key: "secp256k1",
      pace: HOURLY,
    },
  ),
];

/** Who signs readings of devices as well: the grid operator, whose metering point stands behind the same transformer. */
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
