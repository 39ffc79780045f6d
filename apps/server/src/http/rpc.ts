import { setTimeout as sleep } from "node:timers/promises";
import { chainId } from "@aqua/sdk/api/envelope";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../errors.ts";
import { networkOf, networksOf } from "../limits/network.ts";
import { createFairQueue, QueueFull, type QueueLimits } from "../limits/queue.ts";
import { BATCH_MAX, type RpcCall, refusalOf, rpcBody, workOf } from "../rpc/policy.ts";
import {
  createUpstream,
  LARGE_ANSWER,
  NodeUnavailable,
  type RpcOutcome,
  type UpstreamOptions,
} from "../rpc/upstream.ts";
import type { ServedChain } from "./chains.ts";
import { countedAs, type SharedBudgets, tooMany } from "./limits.ts";

const BODY_MAX = 512 * 1024;

export interface RpcSettings extends UpstreamOptions {
  /** Cost that one network's calls may add up to in a minute; see `workOf`, and `BYTES_PER_UNIT` for the responses. */
  perMinute: number;
  budgets?: SharedBudgets;
  /** Requests to one chain's node at once. */
  queue?: QueueLimits;
  /** Processing of responses above `LARGE_ANSWER`, and the mean number of their bytes per millisecond. */
  large?: QueueLimits & { bytesPerMs: number };
}

/**
 * The indexer, the jobs and the watcher use their own clients for the node and never wait here. The limits for
 * visitors leave the node free for them.
 */
const visitors: QueueLimits = {
  running: { total: 16, perNetwork: 4, perSite: 8 },
  waiting: { total: 256, perNetwork: 32, perSite: 64 },
  waitMs: 3_000,
};

/**
 * Processes the large responses of all chains one after the other, at 4 MiB a second. Each uses the main thread for
 * some milliseconds. Between two of them, other work can run.
 */
const largeAnswers = {
  running: { total: 1, perNetwork: 1 },
  waiting: { total: 16, perNetwork: 4, perSite: 8 },
  waitMs: 10_000,
  bytesPerMs: (4 * 1024 * 1024) / 1_000,
};

/** Bytes of a response that add 1 to its cost. */
const BYTES_PER_UNIT = 16 * 1024;

/** POST /rpc/:chainId: forwards a wallet's calls to the node, so that a browser needs no other host than this one. */
export async function registerRpc(app: FastifyInstance, chains: readonly ServedChain[], settings: RpcSettings) {
  await app.register(rateLimit, { global: false, ...countedAs("rpc", settings.budgets) });
  const spend = app.createRateLimit({
    max: settings.perMinute,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => networkOf(ip),
  });
  const { bytesPerMs, ...large } = settings.large ?? largeAnswers;
  const inTurn = createFairQueue(large);
  /** Waits until a large response of this size may be processed. The next one waits for this one. */
  const turnOf = (networks: readonly string[], bytes: number) =>
    inTurn(networks, async (hold) => hold(sleep(bytes / bytesPerMs, undefined, { ref: false })));
  const nodes = new Map(
    chains.map((chain) => {
      const queue = createFairQueue(settings.queue ?? visitors);
      return [
        chain.chainId,
        {
          chain,
          queue,
          send: createUpstream(chain.rpcUrls, { ...settings, ...(chain.nodeFailed && { failed: chain.nodeFailed }) }),
        },
      ];
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
      const refusals = calls.map((call) => refusalOf(call, head));
      const passed = calls.filter((_, index) => refusals[index] === null);
      const work = workOf(passed, head);
      if (work === null) {
        throw new ApiError("validation_error", "This batch asks too much of the node at once; send its calls apart");
      }
      const cost = work.cost + calls.length - passed.length;
      for (let unit = 0; unit < cost; unit += 1) {
        const limit = await spend(request);
        if (!limit.isAllowed && limit.isExceeded) {
          reply.header("retry-after", String(limit.ttlInSeconds));
          throw tooMany(limit.ttl, "rpc");
        }
      }
      const networks = networksOf(request.ip);
      const ask = async () => {
        const { bytes, outcomes } = await node.queue(networks, (hold) => node.send(work, hold));
        if (bytes > LARGE_ANSWER) await turnOf(networks, bytes);
        return outcomes();
      };
      const outcomes = passed.length === 0 ? [] : await ask().catch((error: unknown) => unavailable(error, passed));
      if (outcomes.some((outcome) => outcome === UNAVAILABLE || outcome === BUSY)) {
        if (outcomes.includes(UNAVAILABLE)) {
          request.log.warn({ chain_id: node.chain.chainId }, "no node of the chain answers");
        }
        reply.code(503).header("retry-after", "1");
      }
      let next = 0;
      const answers = calls.map(({ id }, index) => {
        const refusal = refusals[index];
        return answerOf(id, refusal ? { error: refusal } : (outcomes[next++] ?? UNAVAILABLE));
      });
      const bytes = Array.isArray(request.body) ? arrayOf(answers) : Buffer.concat(answers.flat());
      // The cost is known only now, so it counts towards the next request.
      for (let unit = BYTES_PER_UNIT; unit <= bytes.length; unit += BYTES_PER_UNIT) await spend(request);
      return reply.header("cache-control", "no-store").type("application/json; charset=utf-8").send(bytes);
    },
  );
}

/** Returns the parts of a response's JSON. A result is copied as the node sent it. */
function answerOf(id: RpcCall["id"], outcome: RpcOutcome): Buffer[] {
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
  if ("error" in outcome) return [Buffer.from(`${start}"error":${JSON.stringify(outcome.error)}}`)];
  return [Buffer.from(`${start}"result":`), outcome.result, Buffer.from("}")];
}

function arrayOf(answers: readonly Buffer[][]): Buffer {
  const comma = Buffer.from(",");
  const pieces = answers.flatMap((answer, n) => (n === 0 ? answer : [comma, ...answer]));
  return Buffer.concat([Buffer.from("["), ...pieces, Buffer.from("]")]);
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
  // A large response is parsed only after its place was released, so parsing errors arrive here too.
  if (error instanceof NodeUnavailable || error instanceof SyntaxError || error instanceof z.ZodError)
    return calls.map(() => UNAVAILABLE);
  throw error;
}
