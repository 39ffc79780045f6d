import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Ingest, IngestWatcher } from "./ingest.ts";

export interface IngestMetrics extends IngestWatcher {
  busy(): void;
  register(registry: Registry, ingest: Pick<Ingest, "depth">): void;
}

/** Creates the Prometheus metrics of the ingest. Labels are reasons, never devices. */
export function createIngestMetrics(): IngestMetrics {
  const readings = new Counter({
    name: "aqua_telemetry_readings_total",
    help: "Readings by what became of them: accepted, flawed (kept, counts for nothing), duplicate, or why refused",
    labelNames: ["outcome"],
    registers: [],
  });
  const rejected = new Counter({
    name: "aqua_telemetry_deliveries_rejected_total",
    help: "Deliveries rejected because too many readings waited",
    registers: [],
  });
  const commit = new Histogram({
    name: "aqua_telemetry_commit_duration_seconds",
    help: "Time to check and store a group of readings",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [],
  });
  return {
    committed({ outcomes }, ms) {
      commit.observe(ms / 1_000);
      for (const outcome of outcomes) {
        const { as } = outcome;
        readings.inc({
          outcome: as === "refused" ? outcome.reason : as === "accepted" && outcome.flaw ? "flawed" : as,
        });
      }
    },
    busy: () => rejected.inc(),
    register(registry, ingest) {
      for (const metric of [readings, rejected, commit]) registry.registerMetric(metric as never);
      new Gauge({
        name: "aqua_telemetry_readings_queued",
        help: "Readings that wait or are being stored",
        registers: [registry],
        collect() {
          this.set(ingest.depth());
        },
      });
    },
  };
}
