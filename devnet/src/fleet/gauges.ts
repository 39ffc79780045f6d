import { DAY, HOUR } from "@aqua/sdk/durations";
import { dayFactor, doneOfDay, outputOf, seasonOn, TIDE, weatherOn } from "./output.ts";

/** The true figure of a place at a moment (Unix seconds), in the metric's unit, before the sensor's own noise. */
export type Gauge = (at: number) => number;

const YEAR = 365.2425;
const degrees = Math.PI / 180;

function wave(position: number): number {
  return Math.cos(2 * Math.PI * position);
}

/**
 * Returns the sine of the sun's height; below 0 at night. Declination by Cooper's formula, without the equation of
 * time.
 */
function sunHeight(latitude: number, longitude: number, at: number): number {
  const ofYear = (at / DAY) % YEAR;
  const declination = -23.44 * degrees * wave((ofYear + 10) / YEAR);
  const hour = (((at % DAY) / HOUR + longitude / 15 - 12) * 15 * Math.PI) / 180;
  const phi = latitude * degrees;
  return Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.cos(hour);
}

/** Returns the weather of `shortId`, interpolated from one noon to the next, −1 … 1. */
function drift(shortId: string, at: number): number {
  const day = Math.floor(at / DAY - 0.5);
  const part = at / DAY - 0.5 - day;
  const of = (on: number) => weatherOn(shortId, on, 1000) / 1000;
  return of(day) * (1 - part) + of(day + 1) * part;
}

/** Returns the season's figure, interpolated from day to day, as a factor. */
function seasonAt(season: readonly number[], at: number): number {
  const day = Math.floor(at / DAY);
  const part = at / DAY - day;
  return (seasonOn(season, day) * (1 - part) + seasonOn(season, day + 1) * part) / 1000;
}

/** Global radiation on the level ground, W/m². */
export function irradiance(shortId: string, latitude: number, longitude: number): Gauge {
  return (at) => {
    const clearness = Math.max(0.3, Math.min(1, 0.92 + 0.35 * drift(shortId, at)));
    return 1_060 * Math.max(0, sunHeight(latitude, longitude, at)) ** 1.15 * clearness;
  };
}

/** Power that an array of pumps takes from its solar field, kW; its control draws a little at night. */
export function solarPumps({
  shortId,
  latitude,
  longitude,
  rated,
}: {
  shortId: string;
  latitude: number;
  longitude: number;
  rated: number;
}): Gauge {
  const sun = irradiance(shortId, latitude, longitude);
  return (at) => {
    const works = dayFactor(shortId, Math.floor(at / DAY)) > 0;
    return 0.5 + (works ? rated * (sun(at) / 1_000) ** 0.85 : 0);
  };
}

/** Level of a tower that is filled in daylight and used in the evening and the morning, m. */
export function tower(longitude: number): Gauge {
  return (at) => 4.3 + 1.6 * wave((at % DAY) / DAY + longitude / 360 - 16 / 24);
}

/** Power of a plant whose consumption follows its output, kW: `each` kWh a unit, plus `always`. */
export function powerOf(shortId: string, each: number, always: number): Gauge {
  const { daily } = outputOf(shortId);
  return (at) => {
    const quarter = Math.floor(at / 900) * 900;
    const done = quarter % DAY === DAY - 900 ? 1_000_000 : doneOfDay(shortId, quarter + 900);
    const part = (done - doneOfDay(shortId, quarter)) / 1_000_000;
    return always + (each * daily * dayFactor(shortId, Math.floor(at / DAY)) * part * 4) / 1_000;
  };
}

/** Salt left in the water, mg/l: it rises as membranes age, and falls when they are cleaned, every 91 days. */
export const salinity: Gauge = (at) => 212 + (55 * ((at / DAY) % 91)) / 91;

/** A mountain river, m³/s: by season and weather, and in the months of melt by the hour. */
export const river: Gauge = (at) => {
  const { season } = outputOf("alps-hydro");
  const melt = seasonAt(season, at);
  const hour = melt > 1 ? 0.07 * wave((at % DAY) / DAY - 19 / 24) : 0;
  return 0.5 + 3.8 * melt * (1 + 0.19 * drift("alps-hydro", at) + hour);
};

/** Its level at the weir, m. */
export const riverLevel: Gauge = (at) => 0.42 + 0.31 * Math.sqrt(river(at));

/** Current of a strait, m/s: by the tide, stronger at new and full moon. */
export const current: Gauge = (at) =>
  0.06 + 2.75 * Math.abs(Math.sin((Math.PI * at) / TIDE)) * (0.84 + 0.16 * wave(at / (14.7653 * DAY)));

/** Pressure in the mains, bar: high at night, when little water is used. */
export function mains(mean: number): Gauge {
  return (at) =>
    mean +
    0.55 * wave((at % DAY) / DAY - 0.5 / 24) +
    0.12 * wave((2 * (at % DAY)) / DAY - 13 / 24) +
    0.15 * drift("amman-mains", at);
}

/** A heated digester, °C. */
export function digester(mean: number, days: number): Gauge {
  return (at) => mean + 0.6 * wave(at / (days * DAY)) + 0.2 * drift("jutland-biogas", at);
}

/** Water in the soil, % by volume: wet in the southern summer. */
export function soil(mean: number): Gauge {
  return (at) => mean + 7 * wave((at / DAY - 20) / YEAR) + 4.5 * drift("atlantic-forest", at);
}

/** Air under young trees, °C. */
export const forestAir: Gauge = (at) =>
  21.4 +
  3.9 * wave((at / DAY - 25) / YEAR) +
  5.6 * wave((at % DAY) / DAY - 17.5 / 24) -
  1.5 * drift("atlantic-forest", at);
