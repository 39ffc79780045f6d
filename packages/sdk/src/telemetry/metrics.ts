/**
 * Metrics of devices. A `register` only counts up, like a meter's dial. The amount delivered in a period is the
 * difference of two readings, so a lost reading does not change the sum. A `gauge` shows the current value.
 */
export const metrics = {
  energy: { kind: "register", unit: "kWh" },
  volume: { kind: "register", unit: "m³" },
  gas: { kind: "register", unit: "Nm³" },
  power: { kind: "gauge", unit: "kW" },
  irradiance: { kind: "gauge", unit: "W/m²" },
  flow: { kind: "gauge", unit: "m³/s" },
  level: { kind: "gauge", unit: "m" },
  pressure: { kind: "gauge", unit: "bar" },
  temperature: { kind: "gauge", unit: "°C" },
  salinity: { kind: "gauge", unit: "mg/l" },
  speed: { kind: "gauge", unit: "m/s" },
  moisture: { kind: "gauge", unit: "%" },
} as const satisfies Record<string, { kind: "register" | "gauge"; unit: string }>;

export type Metric = keyof typeof metrics;
export const metricNames = Object.keys(metrics) as [Metric, ...Metric[]];
