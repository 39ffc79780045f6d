import { rejectionCodes } from "@aqua/sdk/api/rules";
import { languageCodes } from "@aqua/sdk/languages";
import { describe, expect, it } from "vitest";
import type { MailContent } from "../../src/mail/content.ts";
import { renderMail } from "../../src/mail/render.ts";

const address = "0x8C3229EC621644789d7F61FAa82c6d0E5F97d43D";
const contents: MailContent[] = [
  { kind: "register_code", code: "042137" },
  { kind: "reset_code", code: "042137" },
  { kind: "account_exists" },
  { kind: "password_changed" },
  { kind: "wallet_linked", address },
  { kind: "wallet_switched", address, former: "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f" },
  { kind: "identity_verified" },
  { kind: "identity_rejected", reason: "The document has expired" },
];
const render = (content: MailContent, language: (typeof languageCodes)[number] = "en-US") =>
  renderMail(content, language, "https://aqua.example:8443");

describe.each(languageCodes)("mails in %s", (language) => {
  it.each(contents)("$kind says every value in text and in HTML, and leaves no placeholder", (content) => {
    const { subject, text, html } = render(content, language);
    expect(html).toContain(`<html lang="${language}">`);
    expect(subject).not.toBe("");
    const { kind: _, ...values } = content;
    for (const value of [...Object.values(values), "aqua.example:8443"]) {
      expect(text).toContain(value);
      expect(html).toContain(value);
    }
    expect(`${subject}${text}${html}`).not.toMatch(/[{}]|undefined/);
  });

  it("shares no text with English where it is another language", () => {
    if (language === "en-US") return;
    for (const content of contents) expect(render(content, language).subject).not.toBe(render(content).subject);
  });
});

it.each(languageCodes)("a rejection by code is worded in %s", (language) => {
  const texts = rejectionCodes.map((reason) => render({ kind: "identity_rejected", reason }, language).text);
  expect(new Set(texts).size).toBe(rejectionCodes.length);
  for (const text of texts) expect(text).not.toMatch(/_/);
});

it("a mail needs nothing from anywhere: no picture, style, script or link but ours", () => {
  for (const content of contents) {
    const { html } = render(content);
    expect(html).not.toMatch(/<(img|script|link|iframe|object)|url\(|@import/i);
    for (const [, url] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      expect(url).toMatch(/^https:\/\/aqua\.example:8443\/(sign-in|forgot-password|account)$/);
    }
  }
});

it("the subject never contains the code: it may show on a locked screen", () => {
  for (const content of contents) expect(render(content).subject).not.toMatch(/\d/);
});

it("a value cannot pass for a part of the mail", () => {
  const reason = `<a href="https://evil.example">"log in'</a> & {code}\r\n\r\nYour code: 1 ${"x".repeat(2_000)}`;
  const { text, html } = render({ kind: "identity_rejected", reason });
  expect(html).not.toContain('<a href="https://evil');
  expect(html).toContain(
    "&lt;a href=&quot;https://evil.example&quot;&gt;&quot;log in&#39;&lt;/a&gt; &amp; {code} Your code: 1 x",
  );
  expect(text).not.toMatch(/^Your code/m);
  expect(text.length).toBeLessThan(1_500);
});

it("a code is alone on its line, to be read out and copied", () => {
  expect(render({ kind: "register_code", code: "042137" }).text).toMatch(/^ {4}042137$/m);
});
