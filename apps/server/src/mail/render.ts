import { isRejectionCode } from "@aqua/sdk/api/rules";
import type { LanguageCode } from "@aqua/sdk/languages";
import { codeMinutes, type MailContent, type MailKind } from "./content.ts";
import { mailTexts } from "./texts.ts";

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** The page an action leads to. */
const pages: Partial<Record<MailKind, string>> = {
  account_exists: "/sign-in",
  password_changed: "/forgot-password",
  wallet_linked: "/account",
  wallet_switched: "/account",
  identity_verified: "/account",
  identity_rejected: "/account",
};

/** A mail as text and as HTML that needs no other file. @param publicUrl origin of the instance */
export function renderMail(content: MailContent, language: LanguageCode, publicUrl: string): RenderedMail {
  const { mails, rejections, footer } = mailTexts[language];
  const { subject, paragraphs, action } = mails[content.kind];
  const values: Record<string, string> = {
    ...content,
    host: new URL(publicUrl).host,
    minutes: String(codeMinutes),
  };
  if (values.reason !== undefined && isRejectionCode(values.reason)) values.reason = rejections[values.reason];
  // A value goes into a mail as one line, so that it cannot pass for a part of ours.
  const fill = (text: string) => text.replace(/{(\w+)}/g, (_, name: string) => oneLine(values[name] ?? ""));
  const page = pages[content.kind];
  const link = action !== undefined && page !== undefined ? { label: action, url: `${publicUrl}${page}` } : null;
  const code = "code" in content ? content.code : null;

  const blocks = [...paragraphs.map(fill)];
  const text = [
    ...(code === null ? blocks : [blocks[0], `    ${code}`, ...blocks.slice(1)]),
    ...(link === null ? [] : [`${link.label}: ${link.url}`]),
    `-- \n${fill(footer)}`,
  ];
  const parts = blocks.map((block) => `<p style="margin:0 0 16px">${escaped(block)}</p>`);
  if (code !== null) parts.splice(1, 0, codeBlock(code));
  if (link !== null) parts.push(button(link));
  parts.push(`<p style="margin:24px 0 0;font-size:14px;color:#4a6572">${escaped(fill(footer))}</p>`);
  return { subject, text: `${text.join("\n\n")}\n`, html: pageOf(language, subject, parts.join("\n")) };
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

function oneLine(value: string): string {
  return value.replace(/\s+/g, " ").trim().slice(0, 500);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
