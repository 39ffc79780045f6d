import { rejectionCodes } from "@aqua/sdk/api/rules";
import { languageCodes } from "@aqua/sdk/languages";
import { describe, expect, it } from "vitest";
import { mails } from "../../src/instance.ts";
import type { ContentOf } from "../../src/mail/definition.ts";
import { mailFormat } from "../../src/mail/format.ts";
import { renderMail } from "../../src/mail/render.ts";
import { formatMessage, type MailKind, type MailNote, mailKeysOf } from "../../src/mail/texts.ts";

const address = "0x8C3229EC621644789d7F61FAa82c6d0E5F97d43D";
const former = "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f";
const figures = { block: "1,234", chain: "Aqua Local", read: "March 1, 2027", path: "/product/seine" };
const recovery = { ...figures, wallet: address, successor: former };
const proposed = { ...recovery, proposed: "1 March", from: "4 March", until: "18 March" };
const change = { ...figures, product: "Seine", from: "2 March", exit: "8 March", notes: ["exit_by"] } as const;
const held = { ...figures, product: "Seine", wallet: address };
const deposit = {
  receipt: "7",
  date: "9 March",
  maturity: "9 March, 14:05 UTC",
  principal: "40 tUSD",
  interest: "1 tUSD",
  term: "3 months",
  rate: "6%",
  rollEnd: "12 March, 14:05 UTC",
};
const verified = ["wallet_recorded", "verified_until"] as const;
type InstanceMail = ContentOf<typeof mails>;
const mailNotes = mailKeysOf("note.").map((key) => key.slice("note.".length) as MailNote);
const loss = {
  ...{ path: "/product/seine", product: "Seine", chain: "Aqua Local", id: "seine", chainId: "31337" },
  until: "March 9, 2027 at 2:05 PM UTC",
};
/** One mail of each kind. */
const byKind: { [Kind in MailKind]: InstanceMail & { kind: Kind } } = {
  register_code: { kind: "register_code", code: "042137", minutes: 10 },
  reset_code: { kind: "reset_code", code: "042137", minutes: 10 },
  account_exists: { kind: "account_exists" },
  password_changed: { kind: "password_changed", wallet: address, notes: ["wallet_logs_in"] },
  wallet_linked: { kind: "wallet_linked", address },
  wallet_switched: { kind: "wallet_switched", address, former },
  wallet_unlinked: { kind: "wallet_unlinked", address },
  confirm_code: { kind: "confirm_code", code: "042137", minutes: 10 },
  change_email_code: { kind: "change_email_code", code: "042137", minutes: 10 },
  email_changed: { kind: "email_changed", email: "new@aqua.example" },
  password_replaced: { kind: "password_replaced" },
  new_device: { kind: "new_device", time: "9 March, 14:05 UTC", device: "Firefox, Linux", place: "203.0.113.x" },
  password_entered: { kind: "password_entered", time: "9 March, 14:05 UTC", device: "Edge", place: "203.0.113.x" },
  many_failures: { kind: "many_failures", count: "5", device: "Firefox, Linux", place: "203.0.113.x" },
  exported: { kind: "exported" },
  factor_added: { kind: "factor_added", factor: "passkey" },
  factor_removed: { kind: "factor_removed", factor: "totp" },
  recovery_codes_made: { kind: "recovery_codes_made" },
  recovery_code_used: { kind: "recovery_code_used", left: "7" },
  switch_waits: { kind: "switch_waits", address, former, time: "9 March, 14:05 UTC", path: "/stop-switch?token=x" },
  switch_stopped: { kind: "switch_stopped", address, former },
  identity_verified: { kind: "identity_verified", wallet: address, date: "9 March", notes: verified },
  identity_rejected: { kind: "identity_rejected", reason: "The document has expired" },
  evidence_due: {
    kind: "evidence_due",
    ...{ path: "/product/seine", product: "Seine", chain: "Aqua Local", count: 2, days: 7 },
    lines: [
      { title: "Inspection", issuer: "Bureau Seine", date: "March 9, 2027 UTC" },
      { title: "Permit", issuer: "Ministry", date: "March 9, 2027 UTC" },
    ],
  },
  evidence_lapsed: {
    kind: "evidence_lapsed",
    ...{ path: "/product/seine", product: "Seine", chain: "Aqua Local", count: 1 },
    lines: [{ title: "Inspection", issuer: "Bureau Seine", date: "March 9, 2027 UTC" }],
  },
  evidence_until_due: {
    kind: "evidence_until_due",
    ...{ path: "/product/seine", product: "Seine", chain: "Aqua Local", until: "March 9, 2027, 08:00 UTC", days: 7 },
  },
  evidence_until_lapsed: {
    kind: "evidence_until_lapsed",
    ...{ path: "/product/seine", product: "Seine", chain: "Aqua Local", until: "March 9, 2027, 08:00 UTC" },
  },
  loss_to_judge: { kind: "loss_to_judge", ...loss },
  loss_to_settle: { kind: "loss_to_settle", ...loss },
  audit_findings: {
    kind: "audit_findings",
    ...{ count: 3, open: 1, tables: "report, reading" },
    lines: [{ row: "report · block 7, log 1 · delta", expected: "1", found: "2" }],
  },
  audit_corrected: { kind: "audit_corrected" },
  recovery_proposed: { kind: "recovery_proposed", ...proposed },
  recovery_pending: { kind: "recovery_pending", ...proposed },
  recovery_executed: { kind: "recovery_executed", ...recovery, time: "4 March" },
  fee_change: { kind: "fee_change", ...change, fee: "12%", formerFee: "10%" },
  custodian_change: {
    kind: "custodian_change",
    ...change,
    ...{ custodian: address, formerCustodian: former, buffer: "20%", formerBuffer: "10%" },
    notes: ["custodian_new", "buffer_new", "exit_by"],
  },
  withdrawal_ready: {
    kind: "withdrawal_ready",
    ...held,
    ...{ amount: "40 tUSD", rest: "7 tUSD", notes: ["withdrawal_part", "withdrawal_rest"] },
  },
  deposit_matures: { kind: "deposit_matures", ...held, ...deposit, notes: ["roll_principal", "roll_open"] },
  deposit_maturity_day: { kind: "deposit_maturity_day", ...held, ...deposit, notes: ["roll_all", "roll_closed"] },
  loss_reviewed: { kind: "loss_reviewed", ...figures, product: "Seine", until: "9 March, 08:00 UTC" },
  term_loss_reviewed: { kind: "term_loss_reviewed", ...figures, product: "Seine", until: "9 March, 08:00 UTC" },
  winding_down: { kind: "winding_down", ...figures, product: "Seine" },
  identity_expires: { kind: "identity_expires", path: "/account", date: "9 March" },
  evidence_expires: { kind: "evidence_expires", ...figures, product: "Seine", date: "9 March" },
  income_digest: {
    kind: "income_digest",
    ...figures,
    month: "February 2027",
    lines: [
      { product: "Seine", earned: "1.20 tUSD", value: "41.20 tUSD" },
      { product: "Sahel", earned: "−0.10 tUSD", value: "9.90 tUSD" },
    ],
  },
};
const contents: InstanceMail[] = Object.values(byKind);
const token = "sealed-token_of-A";
const render = (content: InstanceMail, language: (typeof languageCodes)[number] = "en-US", unsubscribe?: string) =>
  renderMail({ content, language, unsubscribe }, { definitions: mails, publicUrl: "https://aqua.example:8443" });

describe.each(languageCodes)("mails in %s", (language) => {
  it.each(contents)("$kind contains every value in text and in HTML, and leaves no placeholder", (content) => {
    const { subject, text, html } = render(content, language);
    expect(html).toContain(`<html lang="${language}">`);
    expect(subject).not.toBe("");
    const { kind: _, ...values } = content;
    const lines = "lines" in content ? content.lines.flatMap((line) => Object.values(line)) : [];
    const single = Object.entries(values).flatMap(([name, value]) =>
      typeof value === "string" && name !== "factor" ? [value] : [],
    );
    for (const value of [...single, ...lines, "aqua.example:8443"]) {
      expect(text).toContain(value);
      expect(html).toContain(value);
    }
    expect(`${subject}${text}${html}`).not.toMatch(/[{}]|undefined/);
  });

  it("have no English text if the language is another one", () => {
    if (language === "en-US") return;
    for (const content of contents) expect(render(content, language).subject).not.toBe(render(content).subject);
  });
});

it.each(languageCodes)("a rejection code is explained in %s", (language) => {
  const texts = rejectionCodes.map((reason) => render({ kind: "identity_rejected", reason }, language).text);
  expect(new Set(texts).size).toBe(rejectionCodes.length);
  for (const text of texts) expect(text).not.toMatch(/_/);
});

it("a mail loads nothing: it has no picture, style or script, and only our links", () => {
  for (const content of contents) {
    const { html } = render(content);
    expect(html).not.toMatch(/<(img|script|link|iframe|object)|url\(|@import/i);
    for (const [, url] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      expect(url).toMatch(
        /^https:\/\/aqua\.example:8443\/(sign-in|forgot-password|account(#security)?|about#contact|stop-switch\?token=x|transparency|product\/seine)$/,
      );
    }
  }
});

it("the subject never contains the code: it may show on a locked screen", () => {
  for (const content of contents) if ("code" in content) expect(render(content).subject).not.toMatch(/\d/);
});

it("a value cannot imitate another part of the mail", () => {
  const reason = `<a href="https://evil.example">"log in'</a> & {code}\r\n\r\nYour code: 1 ${"x".repeat(2_000)}`;
  const { text, html } = render({ kind: "identity_rejected", reason });
  expect(html).not.toContain('<a href="https://evil');
  expect(html).toContain(
    "&lt;a href=&quot;https://evil.example&quot;&gt;&quot;log in&#39;&lt;/a&gt; &amp; {code} Your code: 1 x",
  );
  expect(text).not.toMatch(/^Your code/m);
  expect(text.length).toBeLessThan(1_500);
});

describe.each(languageCodes)("external values in mails in %s", (language) => {
  const hostile = `</p><script>x</script> "evil" \u202e\u001b[31m\u0085\r\nBcc: all@evil.example\r\n\r\n-- \nYour code: 1`;
  /** Replaces each text that comes from outside, also in lists, with a different value. */
  const filled = (value: unknown): unknown => {
    if (typeof value === "string") return hostile;
    if (Array.isArray(value)) return value.map((one) => (mailNotes.includes(one as MailNote) ? one : filled(one)));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        ["kind", "code", "factor", "path"].includes(name) ? one : filled(one),
      ]),
    );
  };

  it.each(contents)(
    "$kind: renderMail puts them on one line, without markup, headers or control characters",
    (content) => {
      const { subject, text, html, headers } = render(filled(content) as InstanceMail, language);
      expect(subject).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e|^(Bcc|Your code)/mu);
      expect(html).not.toMatch(/[^\P{Cc}\n]|\u202e|<script|^Bcc/mu);
      expect(text.match(/^-- $/gm)).toHaveLength(1);
      expect(headers).toEqual({});
    },
  );

  it("renderMail names an unknown program as unknown, and a factor by its kind", () => {
    const { text } = render({ kind: "many_failures", count: "5", device: null, place: "203.0.113.x" }, language);
    expect(text).not.toMatch(/null|undefined/);
    const names = (["passkey", "totp"] as const).map(
      (factor) => render({ kind: "factor_added", factor }, language).text,
    );
    expect(new Set(names).size).toBe(2);
  });
});

it("renderMail does not interpret an escape sequence in a value", () => {
  const { text } = render({ kind: "identity_rejected", reason: "C:\\u000a\\u202e\\x41" });
  expect(text).toContain("C:\\u000a\\u202e\\x41");
});

it("renderMail rejects a kind that no feature defines", () => {
  const mail = { content: { kind: "exported" }, language: "en-US" } as const;
  expect(() => renderMail(mail, { definitions: {}, publicUrl: "https://aqua.example" })).toThrow(
    "No mail of kind exported is defined",
  );
});

it("formatMessage chooses the plural form of a number by the language, and requires a value for each placeholder", () => {
  const message = "{place}: {n, plural, =0 {none} one {# heure} other {# heures}}";
  const hours = [0, 1, 1.5, 2, 1_200].map((n) => formatMessage("fr-FR", message, { place: "x", n }));
  expect(hours).toEqual(["x: none", "x: 1 heure", "x: 1,5 heure", "x: 2 heures", "x: 1\u202f200 heures"]);
  expect(() => formatMessage("en-US", message, { n: 1 })).toThrow(RangeError);
  expect(() => formatMessage("en-US", message, { place: "x", n: "1" })).toThrow(RangeError);
});

it("a code is alone on its line, so that it can be read out and copied", () => {
  expect(render({ kind: "register_code", code: "042137", minutes: 10 }).text).toMatch(/^ {4}042137$/m);
});

it.each(languageCodes)("a mail in %s contains each note if it applies", (language) => {
  const notes = mailNotes.map((note) => {
    const values = { ...byKind.custodian_change, ...deposit, ...held, rest: "7 tUSD" };
    const { text } = render({ ...values, notes: [note] }, language);
    expect(text).not.toMatch(/[{}]|undefined/);
    return text;
  });
  expect(new Set(notes).size).toBe(mailNotes.length);
});

/** The same mail in each state of what it is about. */
const branches: Record<string, readonly InstanceMail[]> = {
  "an account without a wallet, with one that waits, and with one that can deposit": (
    ["wallet_missing", "wallet_unrecorded", "wallet_recorded"] as const
  ).map((note) => ({ ...byKind.identity_verified, notes: [note, "verified_until"] })),
  "no rollover, one into an open term, and one into a closed term": (
    [["roll_none"], ["roll_principal", "roll_open"], ["roll_all", "roll_closed"]] as const
  ).map((notes) => ({ ...byKind.deposit_matures, notes: [...notes, "change_before"] })),
  "a withdrawal of which all or a part is set aside": ([[], ["withdrawal_part", "withdrawal_rest"]] as const).map(
    (notes) => ({ ...byKind.withdrawal_ready, notes }),
  ),
  "a recovery that waits, and one that can be executed": (["veto_before", "veto_now"] as const).map((note) => ({
    ...byKind.recovery_pending,
    notes: [note],
  })),
  "documents of a demand deposit and of a time deposit": ([[], ["evidence_rolls"]] as const).map((notes) => ({
    ...byKind.evidence_expires,
    notes,
  })),
};

describe.each(languageCodes)("a mail in %s has its own sentences for", (language) => {
  it.each(Object.entries(branches))("%s", (_, mailsOfBranch) => {
    const texts = mailsOfBranch.map((mail) => render(mail, language).text);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).not.toMatch(/[{}]|undefined/);
  });

  it("a verified person, with the wallet only if there is one", () => {
    const [missing, ...linked] =
      branches["an account without a wallet, with one that waits, and with one that can deposit"] ?? [];
    expect(missing && render(missing, language).text).not.toContain(address);
    for (const mail of linked) expect(render(mail, language).text).toContain(address);
  });
});

it.each(languageCodes)(
  "a mail in %s that the version before has stored is sent, without what it did not store",
  (language) => {
    const { term: _term, rate: _rate, rollEnd: _end, ...stored } = deposit;
    const waiting = [
      { kind: "identity_verified" },
      { kind: "withdrawal_ready", ...held, amount: "40 tUSD", notes: ["withdrawal_part"] },
      { kind: "deposit_matures", ...held, ...stored, notes: ["roll_principal"] },
      { kind: "recovery_proposed", ...proposed },
    ] as InstanceMail[];
    for (const content of waiting) expect(render(content, language).text).not.toMatch(/[{}]|undefined/);
  },
);

it.each(languageCodes)("a change of fee names both dates in one sentence in %s", (language) => {
  const { text } = render(byKind.fee_change, language);
  expect(text.split("\n").some((line) => /8 March.*2 March|2 March.*8 March/.test(line))).toBe(true);
});

it.each(languageCodes)("a mail in %s says that recoveries and acts of the owner cannot be switched off", (language) => {
  const lines = contents.map((content) => ({ content, lines: render(content, language).text.split("\n") }));
  const [sentence = ""] = lines
    .filter(({ content }) => mails[content.kind].required === true)
    .map((one) => one.lines.at(-3) ?? "");
  expect(sentence).not.toBe("");
  for (const { content, lines: own } of lines)
    expect(own.includes(sentence)).toBe(mails[content.kind].required === true);
});

describe("a mail that can be stopped", () => {
  it.each(languageCodes)("links to the page that stops it and to all settings in %s", (language) => {
    const { text, html } = render(byKind.withdrawal_ready, language, token);
    for (const url of [`unsubscribe?token=${token}`, "account#emails"]) {
      expect(text).toContain(`https://aqua.example:8443/${url}`);
      expect(html).toContain(`<a href="https://aqua.example:8443/${url}"`);
    }
  });

  it("has the headers of a one-click unsubscribe, unlike other mails", () => {
    expect(render(byKind.withdrawal_ready, "en-US", token).headers).toEqual({
      "list-unsubscribe": `<https://aqua.example:8443/api/v2/account/unsubscribe?token=${token}>`,
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    });
    for (const content of contents) expect(render(content).headers).toEqual({});
  });
});

describe("figures in a mail", () => {
  const asset = { symbol: "tUSD", decimals: 6 };

  it("have the format of the language and are never rounded up", () => {
    const amounts = languageCodes.map((language) => mailFormat(language).amount(1_250_999_999n, asset));
    expect(amounts).toEqual([
      "1,250.99 tUSD",
      "1,250.99 tUSD",
      "1,250.99 tUSD",
      "1,250.99 tUSD",
      "1\u202f250,99\u00a0tUSD",
    ]);
    expect(mailFormat("fr-FR").percent(125n * 10n ** 15n)).toBe("12,5\u202f%");
  });

  it("show a small amount instead of zero, and a loss with its sign", () => {
    const { amount } = mailFormat("en-US");
    expect(amount(1_200n, asset)).toBe("0.0012 tUSD");
    expect(amount(-100_000n, asset)).toBe("−0.10 tUSD");
    expect(amount(0n, asset)).toBe("0.00 tUSD");
  });

  it("are dated in UTC, which is stated", () => {
    const time = Date.UTC(2027, 2, 8, 23, 5);
    expect(mailFormat("en-US").date(time)).toBe("March 8, 2027 UTC");
    expect(mailFormat("fr-FR").dateTime(time)).toBe("8 mars 2027 à 23:05 UTC");
    expect(mailFormat("fr-FR").date(Date.UTC(2027, 2, 1))).toBe("1er mars 2027 UTC");
    expect(mailFormat("ko-KR").month(time)).toBe("2027년 3월");
  });
});
