import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { ApiError } from "../errors.ts";
import type { Trouble } from "../feature.ts";
import type { ServedChain } from "./chains.ts";

/** GET /metrics in the format of Prometheus. Labels are route patterns, never addresses or hashes. */
export function registerMetrics({
  app,
  chains,
  degradedParts,
  features,
}: {
  app: FastifyInstance;
  chains: readonly ServedChain[];
  degradedParts: () => readonly Trouble[];
  features: readonly ((registry: Registry) => void)[];
}): Registry {
  const registry = new Registry();
  for (const register of features) register(registry);
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: "aqua_http_request_duration_seconds",
    help: "Time from the request to the end of its answer",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Gauge({
    name: "aqua_indexer_block",
    help: "Newest block in the tables",
    labelNames: ["chain_id"],
    registers: [registry],
    collect() {
      for (const { chainId, status } of chains) {
        const block = status()?.cursor?.block;
        if (block !== undefined) this.set({ chain_id: chainId }, Number(block));
      }
    },
  });
  new Gauge({
    name: "aqua_indexer_live",
    help: "1 while the tables follow the head of the chain",
    labelNames: ["chain_id"],
    registers: [registry],
    collect() {
      for (const { chainId, status } of chains) {
        this.set({ chain_id: chainId }, status()?.state === "live" ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: "aqua_chain_head_block",
    help: "Newest block that the indexer saw at the node",
    labelNames: ["chain_id"],
    registers: [registry],
    collect() {
      for (const { chainId, status } of chains) {
        const head = status()?.head;
        if (head) this.set({ chain_id: chainId }, head.block);
      }
    },
  });
  new Gauge({
    name: "aqua_chain_head_age_seconds",
    help: "Time since the newest block that the indexer saw at the node",
    labelNames: ["chain_id"],
    registers: [registry],
    collect() {
      for (const { chainId, status } of chains) {
        const head = status()?.head;
        if (head) this.set({ chain_id: chainId }, Math.max(0, Date.now() - head.time) / 1_000);
      }
    },
  });
  new Gauge({
    name: "aqua_indexer_lag_blocks",
    help: "Blocks of the node that are not in the tables yet",
    labelNames: ["chain_id"],
    registers: [registry],
    collect() {
      for (const { chainId, status } of chains) {
        const { head, cursor } = status() ?? {};
        if (head && cursor) this.set({ chain_id: chainId }, Math.max(0, head.block - cursor.block));
      }
    },
  });
  new Gauge({
    name: "aqua_indexer_lag_seconds",
    help: "Time between the newest block in the tables and the newest one of the node",
    labelNames: ["chain_id"],
    registers: [registry],
    collect() {
      for (const { chainId, status } of chains) {
        const { head, cursor } = status() ?? {};
        if (head && cursor) this.set({ chain_id: chainId }, Math.max(0, head.time - cursor.time) / 1_000);
      }
    },
  });
  const reached = new Counter({
    name: "aqua_limits_reached_total",
    help: "Requests refused because a limit was reached, by limit",
    labelNames: ["limit"],
    registers: [registry],
  });
  app.addHook("onError", async (_request, _reply, error) => {
    if (error instanceof ApiError && error.code === "too_many_requests") reached.inc({ limit: error.limit ?? "other" });
  });
  new Gauge({
    name: "aqua_degraded",
    help: "1 for each part that does not work fully, with the reason",
    labelNames: ["part", "reason"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { part, reason } of degradedParts()) this.set({ part, reason }, 1);
    },
  });
  new Gauge({
    name: "aqua_attester_out_of_gas",
    help: "1 while wallets' records wait because the attester cannot pay for them",
    labelNames: ["chain_id"],
    registers: [registry],
    collect() {
      for (const { chainId, attesterOutOfGas } of chains) {
        if (attesterOutOfGas) this.set({ chain_id: chainId }, attesterOutOfGas() ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: "aqua_anchorer_out_of_gas",
    help: "1 while batches of readings wait because the anchorer cannot pay for them",
    labelNames: ["chain_id"],
    registers: [registry],
    collect() {
      for (const { chainId, anchoring } of chains) {
        if (anchoring) this.set({ chain_id: chainId }, anchoring.outOfGas ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: "aqua_anchoring_stopped",
    help: "1 for each product whose readings are not anchored until a person has seen to it; the log says why",
    labelNames: ["chain_id", "short_id"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { chainId, anchoring } of chains) {
        for (const shortId of anchoring?.stopped.keys() ?? []) this.set({ chain_id: chainId, short_id: shortId }, 1);
      }
    },
  });

  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  app.get(
    "/metrics",
    { schema: { summary: "Figures for Prometheus", tags: ["operations"] } },
    async (_request, reply) => {
      return reply
        .type(registry.contentType)
        .header("cache-control", "no-store")
        .send(await registry.metrics());
    },
  );
  return registry;
}
