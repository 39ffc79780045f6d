import { createServer } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { freePort } from "../../../../devnet/test/support/port.ts";
import { MailRefused, smtpTransport, type Transport } from "../../src/mail/transport.ts";

const PORT = await freePort();
const mail = {
  id: "6a1f",
  to: "anna@aqua.example",
  subject: "Votre code d’inscription",
  text: "Le code : 042137\n",
  html: "<p>042137</p>",
  headers: {},
};
/** Signal of a server that is not stopping. */
const running = new AbortController().signal;
let server: SMTPServer;
let received: { from: string; to: string[]; data: string }[];
/** The mail server's response to the next recipient; null accepts it. */
let answer: { responseCode: number; message: string } | null;
/** The command that gets this response. */
let refusing: "MAIL FROM" | "RCPT TO" | "DATA";
/** Called for each received mail, with the function that accepts it. */
let onMail: (accept: () => void) => void;
let transport: Transport;

function refusalAt(command: typeof refusing): Error | null {
  if (answer === null || command !== refusing) return null;
  return Object.assign(new Error(answer.message), { responseCode: answer.responseCode });
}

beforeEach(async () => {
  received = [];
  answer = null;
  refusing = "RCPT TO";
  onMail = (accept) => accept();
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ password }, _session, done) =>
      password === "right" ? done(null, { user: "aqua" }) : done(Object.assign(new Error("no"), { responseCode: 535 })),
    onMailFrom: (_address, _session, done) => done(refusalAt("MAIL FROM")),
    onRcptTo: (_address, _session, done) => done(refusalAt("RCPT TO")),
    onData(stream, { envelope }, done) {
      let data = "";
      stream.on("data", (chunk: Buffer) => {
        data += chunk.toString();
      });
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), data });
        const refusal = refusalAt("DATA");
        if (refusal) done(refusal);
        else onMail(done);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(PORT, "127.0.0.1", resolve));
  transport = smtpTransport(`smtp://127.0.0.1:${PORT}`, "Aqua <no-reply@aqua.example>");
});
afterEach(async () => {
  vi.useRealTimers();
  transport.close();
  await new Promise<void>((resolve) => server.close(resolve));
});

it("a mail reaches the mail server with both texts, and its id as Message-ID", async () => {
  await transport.send(mail, running);
  await transport.send(mail, running);
  expect(received).toHaveLength(2);
  for (const { from, to, data } of received) {
    expect([from, to]).toEqual(["no-reply@aqua.example", ["anna@aqua.example"]]);
    expect(data).toMatch(/^Message-ID: <6a1f@aqua\.example>\r?$/im);
    expect(data).toMatch(/^Auto-Submitted: auto-generated\r?$/im);
    expect(data).toMatch(/^From: Aqua <no-reply@aqua\.example>\r?$/im);
    expect(data).toContain("multipart/alternative");
    expect(data).toContain("042137");
  }
});

it("a mail has the headers with which a mail program unsubscribes", async () => {
  const link = `<https://aqua.example/api/v2/account/unsubscribe?token=${"x".repeat(150)}>`;
  const headers = { "list-unsubscribe": link, "list-unsubscribe-post": "List-Unsubscribe=One-Click" };
  await transport.send({ ...mail, headers }, running);
  const data = received[0]?.data.replace(/\r?\n[ \t]+/g, " ") ?? "";
  expect(data).toContain(link);
  expect(data).toMatch(/^List-Unsubscribe: /im);
  expect(data).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/im);
  expect(data).toMatch(/^Auto-Submitted: auto-generated\r?$/im);
});

it("a header cannot be smuggled in through a recipient or a subject", async () => {
  await transport.send({ ...mail, subject: "a\r\nBcc: evil@aqua.example" }, running);
  expect(received[0]?.to).toEqual(["anna@aqua.example"]);
  expect(received[0]?.data).not.toMatch(/^Bcc:/im);
});

it("a permanently rejected mail is abandoned, a temporarily rejected one is not, and neither error names the recipient", async () => {
  const error = () =>
    transport.send(mail, running).then(
      () => null,
      (cause: Error) => cause,
    );
  answer = { responseCode: 550, message: "no such mailbox anna@aqua.example" };
  const permanent = await error();
  expect(permanent).toBeInstanceOf(MailRefused);
  answer = { responseCode: 451, message: "greylisted, anna@aqua.example, come back" };
  const temporary = await error();
  expect(temporary).not.toBeInstanceOf(MailRefused);
  for (const refused of [permanent, temporary]) {
    expect(refused?.message).toMatch(/^the mail server answered \d{3} \(E\w+\) to RCPT TO$/);
    expect(refused?.cause).toBeUndefined();
  }
  answer = null;
  await transport.send(mail, running);
  expect(received).toHaveLength(1);
});

const answers = [
  { to: "RCPT TO", code: 550, text: "5.1.1 no such user", ends: true },
  { to: "RCPT TO", code: 550, text: "5.1.10 the domain takes no mail", ends: true },
  { to: "RCPT TO", code: 550, text: "5.2.1 mailbox disabled", ends: true },
  { to: "DATA", code: 550, text: "5.1.1 no such user", ends: true },
  { to: "RCPT TO", code: 553, text: "mailbox name not allowed", ends: true },
  { to: "RCPT TO", code: 554, text: "5.7.1 relay access denied", ends: false },
  { to: "RCPT TO", code: 550, text: "5.7.1 sender not allowed", ends: false },
  { to: "RCPT TO", code: 553, text: "5.1.8 the sender's domain does not exist", ends: false },
  { to: "RCPT TO", code: 552, text: "5.2.2 mailbox full", ends: false },
  { to: "RCPT TO", code: 530, text: "5.7.0 authentication required", ends: false },
  { to: "MAIL FROM", code: 553, text: "5.7.1 sender not allowed", ends: false },
  { to: "MAIL FROM", code: 550, text: "sender not allowed", ends: false },
  { to: "MAIL FROM", code: 550, text: "5.1.1 no such user", ends: false },
  { to: "DATA", code: 554, text: "5.7.1 spam", ends: false },
  { to: "DATA", code: 552, text: "message too large", ends: false },
] as const;
it.each(answers)("MailTransport classifies $code $text in reply to $to: $ends", async ({ to, code, text, ends }) => {
  refusing = to;
  answer = { responseCode: code, message: text };
  const error = await transport.send(mail, running).then(
    () => null,
    (cause: Error) => cause,
  );
  expect(error).toBeInstanceOf(Error);
  expect(error instanceof MailRefused).toBe(ends);
  expect(error?.message).toContain(String(code));
});

it("a mail waits while the mail server is unavailable or rejects our password", async () => {
  const away = smtpTransport(`smtp://127.0.0.1:${await freePort()}`, "no-reply@aqua.example");
  const stranger = smtpTransport(`smtp://aqua:wrong-password@127.0.0.1:${PORT}`, "no-reply@aqua.example");
  for (const one of [away, stranger]) {
    const error = await one.send(mail, running).then(
      () => null,
      (cause: Error) => cause,
    );
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(MailRefused);
    expect(error?.message).not.toContain("wrong-password");
    one.close();
  }
  expect(received).toEqual([]);
});

it("a password is never sent over an unencrypted connection to another machine", async () => {
  // Answers like a server on another host that offers no encryption.
  const said: string[] = [];
  const open = createServer((socket) => {
    socket.write("220 open ESMTP\r\n");
    socket.on("data", (chunk) => {
      said.push(chunk.toString());
      socket.write(chunk.toString().startsWith("EHLO") ? "250-open\r\n250 AUTH PLAIN LOGIN\r\n" : "502 no\r\n");
    });
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => open.listen(PORT, "127.0.0.2", resolve));
  const careful = smtpTransport(`smtp://aqua:wrong-password@127.0.0.2:${PORT}`, "no-reply@aqua.example");
  await expect(careful.send(mail, running)).rejects.toThrow("the mail server answered");
  expect(said.join("")).toContain("EHLO");
  expect(said.join("")).not.toMatch(/AUTH|wrong-password/);
  careful.close();
  await new Promise<void>((resolve) => open.close(() => resolve()));
});

it("a mail that was transmitted when the server stops is sent if its answer comes soon, and abandoned if none does", async () => {
  for (const isAnswered of [true, false]) {
    const stopping = new AbortController();
    const handedOver = new Promise<() => void>((resolve) => (onMail = resolve));
    const sent = transport.send(mail, stopping.signal).then(
      () => "sent",
      (error: Error) => error,
    );
    const accept = await handedOver;
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    stopping.abort();
    if (isAnswered) {
      accept();
      expect(await sent).toBe("sent");
    } else {
      vi.runAllTimers();
      const error = await sent;
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(MailRefused);
      accept();
    }
    vi.useRealTimers();
  }
  onMail = (accept) => accept();
  const late = transport.send(mail, AbortSignal.abort());
  await expect(late).rejects.toThrow();
  expect(received).toHaveLength(2);
});
