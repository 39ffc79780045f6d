import { webhookStates, webhookTypes } from "@aqua/sdk/api/rules";
import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import {
  addSections,
  type Context,
  commandGroup,
  operatorSettings,
  withJson,
  withReason,
} from "../commandDeclaration.ts";

export function declareWebhook(program: CommandUnknownOpts, { terminal }: Context): void {
  const load = () => import("./webhook.ts");
  const webhook = commandGroup(program, "webhook", "events for your own systems, and their deliveries");
  withJson(webhook.command("list"))
    .summary("the events of the last 30 days and their deliveries, the newest first")
    .addOption(new Option("--type <type>", "only events of this type").choices(webhookTypes))
    .addOption(new Option("--state <state>", "only events in this state").choices(webhookStates))
    .option("--page <n>", "a page of the list", "1")
    .action(async (options) => (await load()).listWebhooks(options, terminal));
  withReason(withJson(webhook.command("replay")))
    .summary("sends events again: one by its id, or those of a span of time")
    .description(
      "Sends events again, also those that were delivered. Each has the webhook-id and the bytes of its first delivery. The receiver ignores an id that it has processed.",
    )
    .argument("[event]", "the id of one event; without it --from is needed")
    .option("--from <moment>", "in UTC, such as 2026-03-01 or 2026-03-01T08:30Z: what happened from then on")
    .option("--to <moment>", "the end of the span (default: now)")
    .addOption(new Option("--state <state>", "only events in this state").choices(webhookStates))
    .action(async (event, options) => (await load()).replayWebhooks(event, options, terminal));
  addSections(webhook, {
    examples: [
      "webhook list --state failed",
      "webhook replay evt_0f3a…",
      "webhook replay --from 2026-03-01T08:30Z --state failed",
    ],
    settings: operatorSettings,
  });
}
