import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../server/src/db/database.ts";
import { openAccount } from "../../server/test/support/accounts.ts";
import { openTestDatabase } from "../../server/test/support/databases.ts";
import { type IdentityReview, identityReview, operatorToken, png, submit } from "../../server/test/support/identity.ts";
import { shown } from "../src/caseTable.ts";
import { declareCommands } from "../src/commands.ts";
import { runAqua } from "./support/aqua.ts";

const one = `0x${"1".repeat(40)}`;
let db: Database;
let desk: IdentityReview;
let folder: string;
let url: string;
beforeAll(async () => {
  db = await openTestDatabase();
  desk = await identityReview(db, { operatorToken });
  url = await desk.app.listen({ port: 0, host: "127.0.0.1" });
  folder = await mkdtemp(join(tmpdir(), "aqua-operator-"));
});
afterAll(async () => {
  await desk?.stop();
  await db?.close();
  await rm(folder, { recursive: true, force: true });
});

async function aqua(args: string[], change: Record<string, string | undefined> = {}) {
  return runAqua(args, { AQUA_URL: url, OPERATOR_TOKEN: operatorToken, ...change });
}
/** Submits the identity of a new account. Returns its case. */
async function submitted(): Promise<{ id: string; email: string }> {
  const { authorization, email } = await openAccount(db);
  await submit(desk.app, authorization);
  const { items } = JSON.parse((await aqua(["identity", "list", "--json"])).out);
  return { id: items.find((item: { email: string }) => item.email === email).id, email };
}

describe("aqua identity", () => {
  it("lists no case while none waits, and the waiting cases afterwards", async () => {
    expect(await aqua(["identity", "list"])).toEqual({ code: 0, out: "No cases.\n", error: "" });
    const { id, email } = await submitted();
    const { out } = await aqua(["identity", "list"]);
    const [head, line, count] = out.split("\n");
    expect(head).toMatch(/^CASE +SUBMITTED +COUNTRY +E-MAIL$/);
    expect(line).toMatch(new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC  FR +${email}$`));
    expect(count).toBe("1 of 1");
  });

  it("shows what was submitted", async () => {
    const { id, email } = await submitted();
    const { out } = await aqua(["identity", "show", id]);
    for (const text of ["Ada Lovelace", "1990-12-10", "passport, image/png, 1 kB", email, "pending"]) {
      expect(out).toContain(text);
    }
  });

  it("saves the document readable for the operator only, and overwrites no file", async () => {
    const { id } = await submitted();
    const file = join(folder, "document.png");
    expect(await aqua(["identity", "document", id, "--out", file])).toMatchObject({ code: 0, out: `Saved ${file}\n` });
    expect((await readFile(file)).equals(png)).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await aqua(["identity", "document", id, "--out", file])).toMatchObject({
      code: 1,
      error: `aqua: ${file} exists already; --out names another file\n`,
    });
  });

  it("approves for the given time, rejects and revokes with a reason", async () => {
    const [first, second] = [await submitted(), await submitted()];
    const approved = JSON.parse((await aqua(["identity", "approve", first.id, "--days", "30", "--json"])).out);
    expect(approved.status).toBe("verified");
    expect(Math.round((approved.valid_until - approved.decided_at) / 86_400_000)).toBe(30);
    expect(await aqua(["identity", "approve", first.id])).toMatchObject({
      code: 1,
      error: "aqua: This case is verified already\n",
    });
    expect((await aqua(["identity", "revoke", first.id, "--reason", "Forged."])).out).toContain("Forged.");
    expect((await aqua(["identity", "reject", second.id, "--reason", "Too dark."])).out).toMatch(/Reason +Too dark\./);
    const { items } = JSON.parse((await aqua(["identity", "list", "--status", "rejected", "--json"])).out);
    expect(items.map(({ id }: { id: string }) => id).sort()).toEqual([first.id, second.id].sort());
  });

  it("reports an error in one line", async () => {
    const { id } = await submitted();
    for (const [args, change, words] of [
      [["list"], { OPERATOR_TOKEN: undefined }, "OPERATOR_TOKEN must be set to the token the server was started with"],
      [
        ["list"],
        { OPERATOR_TOKEN: "wrong" },
        "OPERATOR_TOKEN is neither the server's own token nor that of an operator",
      ],
      [["list"], { AQUA_URL: "aqua" }, "AQUA_URL must be a URL that starts with http:// or https://"],
      [
        ["list"],
        { AQUA_URL: "http://127.0.0.1:1" },
        "http://127.0.0.1:1 does not answer; set AQUA_URL to where the server is",
      ],
      [["show", "unknown"], {}, "There is no such case; `aqua identity list` lists the existing ones"],
      [["approve", id, "--days", "0"], {}, "--days must be a whole number from 1 to 3650"],
      [["reject", id], {}, "--reason must say why; the person reads it"],
    ] as const) {
      expect(await aqua(["identity", ...args], change)).toEqual({ code: 1, out: "", error: `aqua: ${words}\n` });
    }
  });

  it("prints the help of each command and subcommand, with an example", async () => {
    const { out: all } = await aqua([]);
    for (const args of [["help"], ["--help"], ["-h"]])
      expect(await aqua(args)).toEqual({ code: 0, out: all, error: "" });
    const { commands } = declareCommands({
      terminal: { environment: {}, out: () => {}, error: () => {} },
      exitCode: 0,
    });
    const lines = commands.flatMap((command) => [
      [command.name()],
      ...command.commands.map((one) => [command.name(), one.name()]),
    ]);
    expect(lines).toContainEqual(["device", "enrol"]);
    for (const line of lines) {
      const name = line.join(" ");
      expect(all).toContain(`\n  ${line[0]} `);
      const usage = {
        code: 0,
        out: expect.stringMatching(new RegExp(`^Usage: aqua ${name} [^]*\nExamples:\n  aqua ${line[0]}`)),
        error: "",
      };
      expect(await aqua(["help", ...line])).toEqual(usage);
      expect(await aqua([...line, "--help"])).toEqual(usage);
      expect(await aqua(["-h", ...line])).toEqual(usage);
    }
    expect(await aqua(["identity"])).toEqual(await aqua(["help", "identity"]));
    expect((await aqua(["device", "rotate", "--help"])).out).toContain("--in-seconds <n>");
  });

  it("has --dry-run at each command that sends a transaction, unless that sends only with --send", () => {
    const terminal = { environment: {}, out: () => {}, error: () => {} };
    const commands = declareCommands({ terminal, exitCode: 0 }).commands.flatMap((group) => [group, ...group.commands]);
    const has = (command: (typeof commands)[number], long: string) =>
      command.options.some((option) => option.long === long && !option.hidden);
    const withoutTrial = commands
      .filter((command) => has(command, "--rpc") && !has(command, "--dry-run") && !has(command, "--send"))
      .map((command) => `${command.parent?.name()} ${command.name()}`);
    expect(withoutTrial).toEqual([
      ...["recovery message", "recovery show", "product init", "product plan", "product status", "money coverage"],
      ...["aqua register", "aqua verify", "aqua audit", "log verify"],
    ]);
  });

  it("names in two lines what it does not understand, what was meant, and where to read on", async () => {
    const cases = "list, show, document, approve, reject, revoke, freeze, unfreeze";
    for (const [args, why, help] of [
      [["identiy"], "unknown command 'identiy'; did you mean identity?", ""],
      [["help", "deplyo"], "unknown command 'deplyo'; did you mean deploy?", ""],
      [["deplyo", "--help"], "unknown command 'deplyo'; did you mean deploy?", ""],
      [["help", "device", "enroll"], "unknown command 'enroll'; did you mean enrol?", " device"],
      [["identity", "burn"], `unknown command 'burn'; choose from ${cases}`, " identity"],
      [["identity", "aprove", "1"], "unknown command 'aprove'; did you mean approve?", " identity"],
      [["identity", "show"], "missing required argument 'case'", " identity show"],
      [
        ["identity", "list", "one"],
        "too many arguments for 'list'. Expected 0 arguments but got 1: one",
        " identity list",
      ],
      [
        ["identity", "show", "one", "two"],
        "too many arguments for 'show'. Expected 1 argument but got 2: one, two",
        " identity show",
      ],
      [["identity", "list", "--days", "3"], "unknown option '--days'", " identity list"],
      [["identity", "list", "--statu", "x"], "unknown option '--statu'; did you mean --status?", " identity list"],
      [["deploy", "--confg", "x"], "unknown option '--confg'; did you mean --config?", " deploy"],
      [["deploy", "x.json"], "too many arguments for 'deploy'. Expected 0 arguments but got 1: x.json", " deploy"],
      [
        ["deploy", "--config"],
        "option '--config <file>' argument missing: what to deploy, and who holds which role; see docs/operators/deploying.md",
        " deploy",
      ],
      [["device", "rotat", "one"], "unknown command 'rotat'; did you mean rotate?", " device"],
      [
        ["device", "declare-lost", "one"],
        "required option '--reason <why>' not specified: the reason, which everybody can read",
        " device declare-lost",
      ],
      [["account", "delete"], "unknown command 'delete'; choose from logout, accept", " account"],
      [["income"], "missing required argument 'product'", " income"],
    ] as const) {
      const error = `aqua: ${why}\nSee \`aqua help${help}\`.\n`;
      expect(await aqua([...args])).toEqual({ code: 2, out: "", error });
    }
    const { code, error } = await aqua(["users"]);
    expect(code).toBe(2);
    expect(error).toMatch(/^aqua: unknown command 'users'; choose from status, jobs, .*, restore, completion\n/);
  });

  it("ignores options of the other subcommands of device, recovery and batches, as before, and shows them nowhere", async () => {
    for (const line of [
      "recovery cancel --message x --json",
      "device revoke one --every 1h --key y",
      "batches list --reason z",
    ]) {
      const { error } = await aqua([...line.split(" "), "--nonsense"]);
      expect(error).toContain("unknown option '--nonsense'");
    }
    expect((await aqua(["recovery", "cancel", "--message", "x"])).error).toBe("aqua: --chain must be the chain's id\n");
    expect((await aqua(["help", "device", "list"])).out).not.toContain("--chain <id>");
    expect((await aqua(["completion", "bash"])).out).toContain('"device list "*) words="--json" ;;');
  });

  it("accepts options before the subcommand", async () => {
    const usual = await aqua(["identity", "list", "--status", "expired", "--json"]);
    expect(usual).toMatchObject({ code: 0, error: "" });
    expect(await aqua(["identity", "--json", "--status", "expired", "list"])).toEqual(usual);
  });

  it("says in one line that the node of a chain refuses", async () => {
    const node = createServer((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1092"}'));
    await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
    const { port } = node.address() as AddressInfo;
    const deployment = { chain_id: 4242, start_block: 1, access_manager: one, identity_registry: one };
    await writeFile(join(folder, "4242.json"), JSON.stringify({ ...deployment, product_registry: one }));
    const options = ["--chain", "4242", "--rpc", `http://127.0.0.1:${port}`, "--deployments", folder, "--old", one];
    const { code, error } = await aqua(["recovery", "show", ...options]);
    node.close();
    expect(code).toBe(1);
    expect(error).toMatch(/^aqua: the node of the chain rejected a request: .*, or with another --rpc\n$/);
  });

  it("writes no control character of a name to the terminal", () => {
    expect(shown("Ada\u001b[2J\u202eecalevoL")).toBe("Ada�[2J�ecalevoL");
  });
});

it("aqua runs as a command", async () => {
  const bin = fileURLToPath(new URL("../bin/aqua.mjs", import.meta.url));
  expect(existsSync(bin)).toBe(true);
  const { stdout } = await promisify(execFile)(process.execPath, [bin, "--help"]);
  expect(stdout).toContain("Usage: aqua <command>");
});

it("aqua escapes control characters and direction marks of foreign texts in the terminal, and its JSON stays readable", async () => {
  const evil = "\u001b[2Jgone\u009b31m\u202e\u{e0041}";
  const server = createServer((_request, response) => {
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ message: `no ${evil}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const refused = await aqua(["account", "logout", "a@aqua.example"], { AQUA_URL: elsewhere });
  expect(refused.error).toBe("aqua: no \\u001b[2Jgone\\u009b31m\\u202e\\udb40\\udc41\n");
  const typed = await aqua([`ident\u001b[2J`]);
  expect(typed.error).not.toContain("\u001b");
  server.removeAllListeners("request").on("request", (_request, response) => {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ data: { email: evil, ended: 0 } }));
  });
  const { out } = await aqua(["account", "logout", "a@aqua.example", "--json"], { AQUA_URL: elsewhere });
  expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  expect(JSON.parse(out)).toEqual({ email: evil, ended: 0 });
  server.close();
});
