import type { List } from "@aqua/sdk/api/envelope";
import type { Replayed, WebhookLine } from "@aqua/sdk/api/webhooks";
import { CommandError } from "../api.ts";
import { shown, table } from "../caseTable.ts";
import { momentOf } from "../chainOptions.ts";
import { operatorApi, type Reasoned } from "../operatorApi.ts";
import { jsonText, type Terminal } from "../terminal.ts";

interface Filter {
  state?: string | undefined;
  json?: true | undefined;
}

/** `aqua webhook list` */
export async function listWebhooks(
  { type, state, page, json }: Filter & { type?: string | undefined; page: string },
  terminal: Terminal,
): Promise<void> {
  const query = new URLSearchParams({ page, ...(type && { type }), ...(state && { state }) });
  const list = await operatorApi(terminal).json<List<WebhookLine>>(`webhooks?${query}`);
  terminal.out(json ? jsonText(list) : textOf(list));
}

function textOf({ items, total }: List<WebhookLine>): string {
  if (total === 0) return "No events.\n";
  const rows = items.map(({ id, type, time, state, tries, last_try }) => {
    return [id, type, momentText(time), state, String(tries), last_try === null ? "" : shown(last_try.answer)];
  });
  return `${table(["EVENT", "TYPE", "HAPPENED (UTC)", "STATE", "TRIES", "LAST ANSWER"], rows)}${items.length} of ${total}\n`;
}

const momentText = (time: number) => new Date(time).toISOString().slice(0, 19).replace("T", " ");

/** `aqua webhook replay` */
export async function replayWebhooks(
  event: string | undefined,
  { from, to, state, reason, json }: Filter & Reasoned & { from?: string | undefined; to?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const isSpan = from !== undefined || to !== undefined || state !== undefined;
  if (event !== undefined && isSpan) throw new CommandError("name an event, or a span of time by --from, not both");
  const body = event !== undefined ? { id: event } : spanOf({ from, to, state });
  const answer = await operatorApi(terminal, reason).json<Replayed>("webhooks/replay", body);
  terminal.out(json ? jsonText(answer) : `${wordsOf(answer)}\n`);
}

function spanOf({
  from,
  to,
  state,
}: {
  from?: string | undefined;
  to?: string | undefined;
  state?: string | undefined;
}) {
  if (from === undefined) throw new CommandError("name the id of an event, or --from for those of a span of time");
  return {
    from: momentOf("from", from),
    ...(to !== undefined && { to: momentOf("to", to) }),
    ...(state !== undefined && { state }),
  };
}

function wordsOf({ replayed }: Replayed): string {
  if (replayed === 0) return "There is no such event.";
  return replayed === 1 ? "1 event is sent again now." : `${replayed} events are sent again now.`;
}
