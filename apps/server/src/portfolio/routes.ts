import { address, envelope, idempotencyHeaders, listOf } from "@aqua/sdk/api/envelope";
import {
  holding,
  holdQuery,
  pendingTransactionBody,
  pendingTransactionQuery,
  profitQuery,
  redemptionRequest,
  requestsQuery,
  statement,
  statementQuery,
  together,
  totalHoldValue,
  totalProfit,
  transaction,
  transactionQuery,
} from "@aqua/sdk/api/portfolio";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Once } from "../idempotency/once.ts";
import { statementCsv, statementFileName } from "./csv.ts";
import type { PortfolioService } from "./service.ts";

const params = z.object({ address });
const tags = ["account"];
/** Limit for one address. */
const ANNOUNCEMENTS_A_MINUTE = 60;

export function portfolioRoutes(service: PortfolioService, once: Once): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/account/totalHoldValue/:address",
      {
        schema: {
          summary: "Value of everything a wallet holds, in USD",
          tags,
          params,
          querystring: together,
          response: { 200: envelope(totalHoldValue) },
        },
      },
      async ({ params, query }) => ({ data: await service.totalHoldValue(params.address, query) }),
    );
    app.get(
      "/account/hold/:address",
      {
        schema: {
          summary: "Holdings of a wallet",
          tags,
          params,
          querystring: holdQuery,
          response: { 200: envelope(listOf(holding)) },
        },
      },
      async ({ params, query }) => ({ data: await service.hold(params.address, query) }),
    );
    app.get(
      "/account/transaction/:address",
      {
        schema: {
          summary: "What a wallet did, newest first, with what is pending or failed",
          tags,
          params,
          querystring: transactionQuery,
          response: { 200: envelope(listOf(transaction)) },
        },
      },
      async ({ params, query }) => ({ data: await service.transactions(params.address, query) }),
    );
    app.get(
      "/account/totalProfit/:address",
      {
        schema: {
          summary: "Profit of a wallet since its first deposit; the range is that of the series",
          tags,
          params,
          querystring: profitQuery,
          response: { 200: envelope(totalProfit) },
        },
      },
      async ({ params, query }) => ({ data: await service.totalProfit(params.address, query) }),
    );
    app.get(
      "/account/requests/:address",
      {
        schema: {
          summary: "Requests of a wallet that wait in a redemption queue, oldest first",
          tags,
          params,
          querystring: requestsQuery,
          response: { 200: envelope(z.array(redemptionRequest)) },
        },
      },
      async ({ params, query }) => ({ data: await service.requests(params.address, query) }),
    );
    app.get(
      "/account/statement/:address",
      {
        schema: {
          summary: "What a wallet had, got and paid in a period, line by line; as JSON or as one CSV file",
          tags,
          params,
          querystring: statementQuery,
          response: {
            200: {
              description: "The statement",
              content: { "application/json": { schema: envelope(statement) }, "text/csv": { schema: z.string() } },
            },
          },
        },
      },
      async ({ params, query }, reply) => {
        const { format, ...filter } = query;
        const data = await service.statement(params.address, filter);
        if (format === "json") return { data };
        reply.header("content-type", "text/csv; charset=utf-8");
        reply.header("content-disposition", `attachment; filename="${statementFileName(data)}"`);
        return statementCsv(data, query.lang);
      },
    );
    app.post(
      "/account/addPendingTransaction",
      {
        // Each announcement can cause a lookup at the node. A person sends a few a minute.
        config: { rateLimit: { max: ANNOUNCEMENTS_A_MINUTE, timeWindow: 60_000, groupId: "pending" } },
        schema: {
          summary: "Announce a transaction that was sent",
          description:
            "It is shown once the node knows it as the wallet's call of a listed product, worded from that call: what the body " +
            "says of kind, product, amount and in words is not kept.",
          tags,
          headers: idempotencyHeaders,
          body: pendingTransactionBody,
          response: { 200: envelope(transaction) },
        },
      },
      async ({ body, headers }) => {
        const route = "POST account/addPendingTransaction";
        const call = { key: headers["idempotency-key"], route, caller: "", body: JSON.stringify(body) };
        return { data: await once(call, () => service.addPending(body)) };
      },
    );
    app.get(
      "/account/getPendingTransaction",
      {
        schema: {
          summary: "Announced transactions that are not indexed yet",
          tags,
          querystring: pendingTransactionQuery,
          response: { 200: envelope(listOf(transaction)) },
        },
      },
      async ({ query }) => ({ data: await service.pending(query) }),
    );
  };
}
