import { withoutReordering } from "@aqua/sdk/api/text";
import type { LanguageCode } from "@aqua/sdk/languages";
import type { MailContent, MailDefinitions } from "./definition.ts";
import { isMailKey, type MailKey, mailKeysOf, mailText, type TextValues } from "./texts.ts";

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  /** Headers in addition to those of every mail. Names in lower case. */
  headers: Record<string, string>;
}

export interface MailToRender {
  content: MailContent;
  language: LanguageCode;
  /** Token that stops mails of this kind without a log-in. Omitted if they cannot be stopped. */
  unsubscribe?: string | undefined;
}

/**
 * Renders a mail as text and as HTML that needs no other file. @param publicUrl origin of the instance
 * @throws RangeError for a kind without a definition
 */
export function renderMail(
  { content, language, unsubscribe }: MailToRender,
  { definitions, publicUrl }: { definitions: MailDefinitions; publicUrl: string },
): RenderedMail {
  const { kind } = content;
  const definition = Object.hasOwn(definitions, kind) ? definitions[kind] : undefined;
  if (definition === undefined) throw new RangeError(`No mail of kind ${kind} is defined`);
  const { worded = {}, action, page } = definition;
  const links = unsubscribe === undefined ? null : unsubscribeLinks(unsubscribe, publicUrl);
  const settings = `${publicUrl}/account#emails`;
  const named = Object.entries(worded).map(([name, group]) => {
    const value = content[name as keyof MailContent] ?? "unknown";
    const key = `${group}.${value}`;
    return [name, isMailKey(key) ? mailText(language, key, {}) : value];
  });
  const common = { host: new URL(publicUrl).host, settings, unsubscribe: links?.page ?? "" };
  const values = textValues({ ...content, ...Object.fromEntries(named), ...common });
  const fill = (key: MailKey) => mailText(language, key, values);
  const subject = fill(`${kind}.subject`);
  const path = content.path ?? page;
  const link = action !== undefined && path !== undefined ? { label: fill(action), url: `${publicUrl}${path}` } : null;
  const code = "code" in content ? String(content.code) : null;

  const [first = "", ...others] = mailKeysOf(`${kind}.text.`).map(fill);
  const lines = mailKeysOf(`${kind}.line`).flatMap((key) =>
    (content.lines ?? []).map((line) => mailText(language, key, textValues(line))),
  );
  const notes = (content.notes ?? []).map((note) => fill(`note.${note}`));
  const blocks = [first, ...lines, ...others, ...notes, ...("block" in content ? [fill("figures")] : [])];
  const footer = [
    ...(definition.required ? (["footer.required"] as const) : []),
    ...(links === null ? [] : (["footer.unsubscribe", "footer.settings"] as const)),
    "footer.reason" as const,
  ].map(fill);

  const text = [
    ...(code === null ? blocks : [blocks[0], `    ${code}`, ...blocks.slice(1)]),
    ...(link === null ? [] : [`${link.label}: ${link.url}`]),
    `-- \n${footer.join("\n")}`,
  ];
  const parts = blocks.map((block) => `<p style="margin:0 0 16px">${escaped(block)}</p>`);
  if (code !== null) parts.splice(1, 0, codeBlock(code));
  if (link !== null) parts.push(button(link));
  const small = footer.map((one) => withLinks(escaped(one), [links?.page, settings]));
  parts.push(`<p style="margin:24px 0 0;font-size:14px;color:#4a6572">${small.join("<br>\n")}</p>`);
  const headers = links?.headers ?? {};
  return { subject, text: `${text.join("\n\n")}\n`, html: pageOf(language, subject, parts.join("\n")), headers };
}

/**
 * Selects the texts and numbers of some values. A text is put on one line, so that it cannot imitate another part of
 * the mail.
 */
function textValues(source: object): TextValues {
  const values: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(source)) {
    if (typeof value === "string") values[name] = oneLine(value);
    if (typeof value === "number") values[name] = value;
  }
  return values;
}

/** The page for unsubscribing, and the headers with which a mail program unsubscribes with one click (RFC 8058). */
function unsubscribeLinks(token: string, publicUrl: string) {
  const query = `unsubscribe?token=${encodeURIComponent(token)}`;
  return {
    page: `${publicUrl}/${query}`,
    headers: {
      "list-unsubscribe": `<${publicUrl}/api/v2/account/${query}>`,
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    },
  };
}

/** Converts our own addresses in an escaped text to links. */
function withLinks(html: string, urls: readonly (string | undefined)[]): string {
  return urls.reduce<string>((linked, url) => {
    if (url === undefined) return linked;
    const shown = escaped(url);
    return linked.replace(shown, `<a href="${shown}" style="color:#006c7a;word-break:break-all">${shown}</a>`);
  }, html);
}

const font = "'Instrument Sans',system-ui,-apple-system,'Segoe UI',sans-serif";

function pageOf(language: LanguageCode, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
</head>
<body style="margin:0;padding:24px;background:#f4f9fa;color:#0a2430;font:16px/1.5 ${font}">
<main style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #d8e5e9;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

function codeBlock(code: string): string {
  return `<p style="margin:0 0 16px;font:28px/1.4 'Geist Mono',ui-monospace,monospace;letter-spacing:4px">${escaped(code)}</p>`;
}

function button({ label, url }: { label: string; url: string }): string {
  const style =
    "display:inline-block;padding:12px 20px;border-radius:6px;background:#006c7a;color:#ffffff;text-decoration:none";
  return `<p style="margin:24px 0"><a href="${escaped(url)}" style="${style}">${escaped(label)}</a></p>`;
}

/** Removes line ends and other control characters. No-break spaces, as in French figures, are preserved. */
function oneLine(value: string): string {
  return withoutReordering(value)
    .replace(/[^\S\u00a0\u202f]+/g, " ")
    .trim()
    .slice(0, 500);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
