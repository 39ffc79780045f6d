import { chainId } from "@aqua/sdk/api/envelope";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../errors.ts";
import { networkOf, networksOf } from "../limits/network.ts";
import { createFairQueue, QueueFull, type QueueLimits } from "../limits/queue.ts";
import { BATCH_COST_MAX, BATCH_MAX, costOf, type RpcCall, refusalOf, rpcBody, withCappedGas } from "../rpc/policy.ts";
import { createUpstream, NodeUnavailable, type RpcOutcome, type UpstreamOptions } from "../rpc/upstream.ts";
import type { ServedChain } from "./chains.ts";
import { tooMany } from "./limits.ts";

const BODY_MAX = 512 * 1024;

export interface RpcSettings extends UpstreamOptions {
  /** What the calls of a minute from one network may cost; see `costOf`. */
  perMinute: number;
  /** Requests to one chain's node at once. */
  queue?: QueueLimits;
}

/**
 * The indexer, the jobs and the watcher ask the node by clients of their own and never wait here. What visitors may have
 * under way leaves the node room for them.
 */
const visitors: QueueLimits = {
  running: { total: 16, perNetwork: 4, perSite: 8 },
  waiting: { total: 256, perNetwork: 32, perSite: 64 },
  waitMs: 3_000,
};

/** POST /rpc/:chainId: the wallet's way to the node, so that a browser needs no other host than this one. */
export async function registerRpc(app: FastifyInstance, chains: readonly ServedChain[], settings: RpcSettings) {
  await app.register(rateLimit, { global: false });
  const spend = app.createRateLimit({
    max: settings.perMinute,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => networkOf(ip),
  });
  const nodes = new Map(
    chains.map((chain) => {
      const queue = createFairQueue(settings.queue ?? visitors);
      return [chain.chainId, { chain, queue, send: createUpstream(chain.rpcUrls, settings) }];
    }),
  );

  app.withTypeProvider<ZodTypeProvider>().post(
    "/rpc/:chainId",
    {
      bodyLimit: BODY_MAX,
      schema: {
        summary: "JSON-RPC of a chain's node: reading, and sending what a wallet signed",
        description: `One call or a batch of at most ${BATCH_MAX}; gas is capped, state and block overrides are refused. Answers follow JSON-RPC 2.0, not the envelope of the API.`,
        tags: ["rpc"],
        params: z.object({ chainId }),
        body: rpcBody,
      },
    },
    async (request, reply) => {
      const node = nodes.get(request.params.chainId);
      if (node === undefined) throw new ApiError("not_found", "This instance does not serve that chain");
      const calls = Array.isArray(request.body) ? request.body : [request.body];
      const head = node.chain.status()?.head?.block ?? null;
      const cost = calls.reduce((sum, call) => sum + costOf(call, head), 0);
      if (calls.length > 1 && cost > BATCH_COST_MAX) {
        throw new ApiError("validation_error", "This batch asks too much of the node at once; send its calls apart");
      }
      for (let unit = 0; unit < cost; unit += 1) {
        const limit = await spend(request);
        if (!limit.isAllowed && limit.isExceeded) {
          reply.header("retry-after", String(limit.ttlInSeconds));
          throw tooMany(limit.ttl);
        }
      }
      const refusals = calls.map((call) => refusalOf(call, head));
      const passed = calls.filter((_, index) => refusals[index] === null).map(withCappedGas);
      const outcomes =
        passed.length === 0
          ? []
          : await node
              .queue(networksOf(request.ip), () => node.send(passed))
              .catch((error: unknown) => unavailable(error, passed));
      if (outcomes.some((outcome) => outcome === UNAVAILABLE || outcome === BUSY)) {
        if (outcomes.includes(UNAVAILABLE)) {
          request.log.warn({ chain_id: node.chain.chainId }, "no node of the chain answers");
        }
        reply.code(503).header("retry-after", "1");
      }
      let next = 0;
      const answers = calls.map(({ id }, index) => {
        const refusal = refusals[index];
        const outcome: RpcOutcome | undefined = refusal ? { error: refusal } : outcomes[next++];
        return { jsonrpc: "2.0", id, ...outcome };
      });
      return reply.header("cache-control", "no-store").send(Array.isArray(request.body) ? answers : answers[0]);
    },
  );
}

const UNAVAILABLE: RpcOutcome = {
  error: {
    code: -32000,
    message: "The node of this chain does not answer",
    data: { error_code: "chain_unavailable" },
  },
};

const BUSY: RpcOutcome = {
  error: {
    code: -32005,
    message: "Too many calls wait for the node; try again in a moment",
    data: { error_code: "too_many_requests" },
  },
};

function unavailable(error: unknown, calls: readonly RpcCall[]): RpcOutcome[] {
  if (error instanceof QueueFull) return calls.map(() => BUSY);
  if (error instanceof NodeUnavailable) return calls.map(() => UNAVAILABLE);
  throw error;
}
