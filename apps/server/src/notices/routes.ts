import { envelope, shortId } from "@aqua/sdk/api/envelope";
import {
  announcements,
  announcementsQuery,
  notifications,
  notificationsBody,
  unsubscribeQuery,
  unsubscription,
} from "@aqua/sdk/api/notices";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Sessions } from "../account/sessions.ts";
import type { AnnouncementService } from "./announcements.ts";
import type { NotificationService } from "./service.ts";

const tags = ["account"];
const security = [{ session: [] }];

export function noticeRoutes(parts: {
  service: NotificationService;
  announced: AnnouncementService;
  sessions: Pick<Sessions, "require">;
}): FastifyPluginAsyncZod {
  const { service, announced, sessions } = parts;
  return async (app) => {
    // The body that a mail program sends with its one click (RFC 8058) adds nothing to the link, so it is ignored.
    const forms = ["application/x-www-form-urlencoded", "multipart/form-data"];
    app.addContentTypeParser(forms, { parseAs: "string", bodyLimit: 4_096 }, (_request, _body, done) => done(null, {}));

    app.get(
      "/product/:shortId/announcements",
      {
        config: { cached: { unless: ["wallets"] } },
        schema: {
          summary: "Changes of fee and custodian that are scheduled, beside the exit of some wallets",
          tags: ["product"],
          params: z.object({ shortId }),
          querystring: announcementsQuery,
          response: { 200: envelope(announcements) },
        },
      },
      async ({ params, query }) => ({ data: await announced.of(params.shortId, query) }),
    );
    app.get(
      "/account/notifications",
      {
        schema: {
          summary: "Which e-mails are sent, and in which language",
          tags,
          security,
          response: { 200: envelope(notifications) },
        },
      },
      async ({ headers }) => {
        const { accountId } = await sessions.require(headers.authorization);
        return { data: await service.show(accountId) };
      },
    );
    app.post(
      "/account/notifications",
      {
        schema: {
          summary: "Switch e-mails on or off, or choose their language",
          tags,
          security,
          body: notificationsBody,
          response: { 200: envelope(notifications) },
        },
      },
      async ({ body, headers }) => {
        const { accountId } = await sessions.require(headers.authorization);
        return { data: await service.change(accountId, body) };
      },
    );
    app.get(
      "/account/unsubscribe",
      {
        schema: {
          summary: "What the link in an e-mail stops; it changes nothing",
          tags,
          querystring: unsubscribeQuery,
          response: { 200: envelope(unsubscription) },
        },
      },
      async ({ query }) => ({ data: await service.showLink(query.token) }),
    );
    app.post(
      "/account/unsubscribe",
      {
        schema: {
          summary: "Stop the e-mails a link is about, without a log-in; also with one click (RFC 8058)",
          tags,
          querystring: unsubscribeQuery,
          response: { 200: envelope(unsubscription) },
        },
      },
      async ({ query }) => ({ data: await service.unsubscribe(query.token) }),
    );
  };
}
