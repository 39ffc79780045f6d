import { isRejectionCode } from "@aqua/sdk/api/rules";
import { withoutReordering } from "@aqua/sdk/api/text";
import type { LanguageCode } from "@aqua/sdk/languages";
import { codeMinutes, type IncomeLine, type MailContent, type MailKind, requiredKinds } from "./content.ts";
import { mailTexts } from "./texts.ts";

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  /** Beside those of every mail; names in lower case. */
  headers: Record<string, string>;
}

export interface MailToRender {
  content: MailContent;
  language: LanguageCode;
  /** Token that ends mails of this kind without a log-in; left out where they cannot be ended. */
  unsubscribe?: string | undefined;
}

/** The page an action leads to. */
const pages: Partial<Record<MailKind, string>> = {
  account_exists: "/sign-in",
  password_changed: "/forgot-password",
  wallet_linked: "/account",
  wallet_switched: "/account",
  wallet_unlinked: "/account",
  email_changed: "/about#contact",
  password_replaced: "/forgot-password",
  new_device: "/account#security",
  password_entered: "/forgot-password",
  many_failures: "/account#security",
  exported: "/account#security",
  factor_added: "/account#security",
  factor_removed: "/account#security",
  recovery_codes_made: "/account#security",
  recovery_code_used: "/account#security",
  switch_stopped: "/forgot-password",
  identity_verified: "/account",
  identity_rejected: "/account",
};

/** A mail as text and as HTML that needs no other file. @param publicUrl origin of the instance */
export function renderMail({ content, language, unsubscribe }: MailToRender, publicUrl: string): RenderedMail {
  const texts = mailTexts[language];
  const { subject: title, paragraphs, line, action } = texts.mails[content.kind];
  const links = unsubscribe === undefined ? null : unsubscribeLinks(unsubscribe, publicUrl);
  const values = valuesOf(content, {
    host: new URL(publicUrl).host,
    minutes: String(codeMinutes),
    settings: `${publicUrl}/account#emails`,
    unsubscribe: links?.page ?? "",
  });
  if (values.reason !== undefined && isRejectionCode(values.reason)) values.reason = texts.rejections[values.reason];
  if ("factor" in content) values.factor = texts.factors[content.factor];
  if ("device" in content) values.device = content.device ?? texts.unknownProgram;
  const fillFrom = (text: string, from: Record<string, string>) =>
    // A value goes into a mail as one line, so that it cannot pass for a part of ours.
    text.replace(/{(\w+)}/g, (_, name: string) => oneLine(from[name] ?? ""));
  const fill = (text: string) => fillFrom(text, values);
  const subject = fill(title);
  const page = "path" in content ? content.path : pages[content.kind];
  const link = action !== undefined && page !== undefined ? { label: action, url: `${publicUrl}${page}` } : null;
  const code = "code" in content ? content.code : null;
  const lines: readonly IncomeLine[] = "lines" in content ? content.lines : [];
  const notes = "notes" in content ? (content.notes ?? []) : [];

  const [first = "", ...others] = paragraphs.map(fill);
  const listed = lines.map((one) => fillFrom(line ?? "", { ...one }));
  const added = [...notes.map((note) => fill(texts.notes[note])), ...("block" in content ? [fill(texts.figures)] : [])];
  const blocks = [first, ...listed, ...others, ...added];
  const footer = [
    ...(requiredKinds.has(content.kind) ? [texts.required] : []),
    ...(links === null ? [] : [texts.unsubscribe, texts.settings]),
    texts.footer,
  ].map(fill);

  const text = [
    ...(code === null ? blocks : [blocks[0], `    ${code}`, ...blocks.slice(1)]),
    ...(link === null ? [] : [`${link.label}: ${link.url}`]),
    `-- \n${footer.join("\n")}`,
  ];
  const parts = blocks.map((block) => `<p style="margin:0 0 16px">${escaped(block)}</p>`);
  if (code !== null) parts.splice(1, 0, codeBlock(code));
  if (link !== null) parts.push(button(link));
  const small = footer.map((one) => withLinks(escaped(one), [links?.page, values.settings]));
  parts.push(`<p style="margin:24px 0 0;font-size:14px;color:#4a6572">${small.join("<br>\n")}</p>`);
  const headers = links?.headers ?? {};
  return { subject, text: `${text.join("\n\n")}\n`, html: pageOf(language, subject, parts.join("\n")), headers };
}

/** The values of a mail that are text. */
function valuesOf(content: MailContent, common: Record<string, string>): Record<string, string> {
  const own = Object.entries(content).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return { ...Object.fromEntries(own), ...common };
}

/** The page that asks, and the headers by which a mail program unsubscribes with one click (RFC 8058). */
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

/** Makes our own addresses in an escaped text links. */
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

/** Without line ends and other control characters; spaces that never break, as French figures have, stay what they are. */
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
