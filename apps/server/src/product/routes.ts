import { envelope, lang, listOf, pageQuery, shortId } from "@aqua/sdk/api/envelope";
import { home } from "@aqua/sdk/api/home";
import { productTransactionQuery, transaction } from "@aqua/sdk/api/portfolio";
import {
  liquidity,
  performance,
  product,
  productDetail,
  productListQuery,
  productSummary,
  queueQuery,
  range,
  withdrawalRequest,
} from "@aqua/sdk/api/product";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { ProductService } from "./service.ts";

const params = z.object({ shortId });
const tags = ["product"];

export function productRoutes(service: ProductService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/product/list",
      {
        config: { cached: { unless: ["q"] } },
        schema: {
          summary: "Products",
          tags,
          querystring: productListQuery.extend({
            page: pageQuery.shape.page,
            page_size: pageQuery.shape.page_size.default(100),
          }),
          response: { 200: envelope(listOf(product)) },
        },
      },
      async ({ query }) => ({ data: await service.list(query) }),
    );
    app.get(
      "/product/summary",
      {
        config: { cached: { unless: [], forMs: 5_000 } },
        schema: {
          summary: "Deposits and income over all products",
          tags,
          response: { 200: envelope(productSummary) },
        },
      },
      async () => ({ data: await service.summary() }),
    );
    app.get(
      "/product/home",
      {
        config: { cached: { unless: [] } },
        schema: {
          summary: "All that the first page shows: figures, featured products, a followed report, latest events",
          tags,
          querystring: z.object({ lang }),
          response: { 200: envelope(home) },
        },
      },
      async ({ query }) => ({ data: await service.home(query.lang) }),
    );
    app.get(
      "/product/:shortId",
      {
        config: { cached: { unless: [] } },
        schema: {
          summary: "One product",
          tags,
          params,
          querystring: z.object({ lang }),
          response: { 200: envelope(productDetail) },
        },
      },
      async ({ params, query }) => ({ data: await service.detail(params.shortId, query.lang) }),
    );
    app.get(
      "/product/:shortId/performance",
      {
        config: { cached: { unless: [] } },
        schema: {
          summary: "Share price, APY, assets and income reports of a product",
          tags,
          params,
          querystring: z.object({ range: range.default("all") }),
          response: { 200: envelope(performance) },
        },
      },
      async ({ params, query }) => ({ data: await service.performance(params.shortId, query.range) }),
    );
    app.get(
      "/product/:shortId/liquidity",
      {
        config: { cached: { unless: [] } },
        schema: {
          summary: "What can leave a product, and what came and went",
          tags,
          params,
          response: { 200: envelope(liquidity) },
        },
      },
      async ({ params }) => ({ data: await service.liquidity(params.shortId) }),
    );
    app.get(
      "/product/:shortId/queue",
      {
        config: { cached: { unless: ["wallets"] } },
        schema: {
          summary: "Requests that wait in a product's redemption queue",
          tags,
          params,
          querystring: queueQuery,
          response: { 200: envelope(listOf(withdrawalRequest)) },
        },
      },
      async ({ params, query }) => ({ data: await service.queue(params.shortId, query) }),
    );
    app.get(
      "/product/:shortId/transactions",
      {
        config: { cached: { unless: ["hash", "from", "to"] } },
        schema: {
          summary: "Deposits, withdrawals and transfers of a product, newest first",
          tags,
          params,
          querystring: productTransactionQuery,
          response: { 200: envelope(listOf(transaction)) },
        },
      },
      async ({ params, query }) => ({ data: await service.transactions(params.shortId, query) }),
    );
  };
}
