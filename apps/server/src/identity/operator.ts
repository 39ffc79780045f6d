import { envelope } from "@aqua/sdk/api/envelope";
import {
  approveBody,
  caseListQuery,
  type IdentityCaseDetail,
  type IdentityCaseLine,
  identityCaseDetail,
  identityCaseList,
  rejectBody,
  revokeBody,
} from "@aqua/sdk/api/operator";
import { DAY_MS } from "@aqua/sdk/durations";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { findById } from "../account/store.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { type OperatorAccess, operatorOnly } from "../operators/access.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import { linkedWallets } from "../records/store.ts";
import type { Decisions } from "./decisions.ts";
import { type CaseOfAccount, documentFacts, listCases, personOf, readCase, readDocument } from "./store.ts";

export interface OperatorParts {
  db: Database;
  keys: Keys;
  decisions: Decisions;
  writer: Pick<LogWriter, "look">;
  access: OperatorAccess;
}

const tags = ["operator"];
const params = z.object({ id: z.string().max(100) });
const detailAnswer = { 200: envelope(identityCaseDetail) };

/** The operator's calls: pending cases, their documents, and the decisions. */
export function operatorRoutes({ db, keys, decisions, writer, access }: OperatorParts): FastifyPluginAsyncZod {
  async function found(id: string) {
    const row = await readCase(db.orm, id);
    if (row === null) throw new ApiError("not_found", "There is no such case");
    return row;
  }

  async function detail(id: string): Promise<IdentityCaseDetail> {
    const row = await found(id);
    const [owner, wallets] = await Promise.all([findById(db.orm, row.accountId), linkedWallets(db.orm, row.accountId)]);
    if (owner === null) throw new ApiError("not_found", "There is no such case");
    return {
      ...lineOf({ row, email: owner.email }),
      ...personOf(keys, row),
      document: await documentFacts(db.orm, id),
      wallets: wallets.map(({ address, current }) => ({ address, current })),
    };
  }

  return async (app) => {
    operatorOnly(app, access, "identity");
    app.get(
      "/operator/identity",
      {
        schema: {
          summary: "Cases of a status, those that wait longest first",
          tags,
          querystring: caseListQuery,
          response: { 200: envelope(identityCaseList) },
        },
      },
      async ({ query }) => {
        const { status, page, page_size } = query;
        const { cases, total } = await listCases(db.orm, { status, page, pageSize: page_size });
        return { data: { items: cases.map(lineOf), total, page, page_size } };
      },
    );
    app.get(
      "/operator/identity/:id",
      { schema: { summary: "One case with what was submitted", tags, params, response: detailAnswer } },
      async ({ params: { id } }) => ({ data: await detail(id) }),
    );
    app.get(
      "/operator/identity/:id/document",
      { schema: { summary: "The submitted document, as a file", tags, params } },
      async ({ params: { id }, act }, reply) => {
        await found(id);
        const document = await readDocument(db.orm, keys, id);
        if (document === null) throw new ApiError("not_found", "The document was deleted");
        await db.transaction((tx) => writer.look(tx, "identity document", act));
        return reply
          .type(document.type)
          .header("content-disposition", `attachment; filename="${id}.${document.type.split("/")[1]}"`)
          .header("cache-control", "no-store")
          .send(Buffer.from(document.content));
      },
    );
    app.post(
      "/operator/identity/:id/approve",
      { schema: { summary: "Verifies the person", tags, params, body: approveBody, response: detailAnswer } },
      async ({ params: { id }, body, act }) => {
        await decisions.decide(id, { kind: "verified", validUntil: Date.now() + body.valid_days * DAY_MS }, { act });
        return { data: await detail(id) };
      },
    );
    app.post(
      "/operator/identity/:id/reject",
      { schema: { summary: "Turns the submission down", tags, params, body: rejectBody, response: detailAnswer } },
      async ({ params: { id }, body, act }) => {
        await decisions.decide(id, { kind: "rejected", reason: body.reason }, { act });
        return { data: await detail(id) };
      },
    );
    app.post(
      "/operator/identity/:id/revoke",
      { schema: { summary: "Takes a verification back", tags, params, body: revokeBody, response: detailAnswer } },
      async ({ params: { id }, body, act }) => {
        await decisions.revoke(id, body.reason, act);
        return { data: await detail(id) };
      },
    );
  };
}

function lineOf({ row, email }: CaseOfAccount): IdentityCaseLine {
  return {
    id: row.id,
    status: row.status,
    provider: row.provider,
    email,
    country: row.country,
    document_kind: row.documentKind,
    submitted_at: row.submitTime,
    decided_at: row.decideTime,
    valid_until: row.validUntil,
    reason: row.reason,
  };
}
