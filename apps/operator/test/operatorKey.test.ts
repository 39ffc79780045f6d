import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { actCommitment, operatorAct } from "@aqua/sdk/proofs/log/entry";
import { type Hex, recoverTypedDataAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { run } from "../src/run.ts";
import { askHidden } from "../src/terminal.ts";
import { runAqua } from "./support/aqua.ts";
import { secretFile } from "./support/keystore.ts";

const KEY: Hex = `0x${"5a".repeat(32)}`;
const SITE = "aqua.example/log";
const me = privateKeyToAccount(KEY).address;

interface Call {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let folder: string;
let server: Server;
let url: string;
let calls: Call[] = [];
let answer: { status: number; body: unknown };
let hasLog: boolean;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-key-"));
  server = createServer(async (request, response) => {
    if (request.url === "/api/v2/log/checkpoint") {
      response.writeHead(hasLog ? 200 : 404).end(hasLog ? `${SITE}\n0\nroot\n\nsignature\n` : "");
      return;
    }
    calls.push({ path: request.url ?? "", headers: request.headers, body: await text(request) });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  calls = [];
  hasLog = true;
  answer = { status: 200, body: { data: { retried: 0 } } };
});
afterAll(async () => {
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({ AQUA_URL: url, OPERATOR_TOKEN: "token" });
const aqua = (args: string[], change: Record<string, string | undefined> = {}) =>
  runAqua(args, { ...settings(), ...change });
const fileOf = (name: string, content: string) => secretFile(folder, name, content);

async function signerOf({ headers, path, body }: Call): Promise<string> {
  const commitment = actCommitment(headers["aqua-act-nonce"] as string, body);
  const act = { site: SITE, call: `POST ${path.slice("/api/v2/".length)}`, commitment };
  const time = Number(headers["aqua-act-time"]);
  const sent = headers["aqua-act-reason"];
  const reason = sent === undefined ? undefined : decodeURIComponent(String(sent));
  return recoverTypedDataAddress({
    ...operatorAct({ ...act, time, reason }),
    signature: headers["aqua-act-signature"] as Hex,
  });
}

describe("a call of an operator with a key", () => {
  it("that changes something is signed over site, path, body and time", async () => {
    const before = Date.now();
    const { code } = await aqua(["jobs", "retry", "mail.send"], { OPERATOR_KEY: KEY });
    expect(code).toBe(0);
    const [call] = calls as [Call];
    expect(call).toMatchObject({ path: "/api/v2/operator/jobs/retry", body: '{"kind":"mail.send"}' });
    expect(call.headers.authorization).toBe("Bearer token");
    expect(await signerOf(call)).toBe(me);
    expect(Number(call.headers["aqua-act-time"])).toBeGreaterThanOrEqual(before);
  });

  it("says why, where the operator says it, and the signature covers the reason", async () => {
    const reason = "Mailserver war aus – 停電";
    expect((await aqua(["jobs", "retry", "--reason", ` ${reason} `], { OPERATOR_KEY: KEY })).code).toBe(0);
    const [call] = calls as [Call];
    expect(decodeURIComponent(String(call.headers["aqua-act-reason"]))).toBe(reason);
    expect(await signerOf(call)).toBe(me);
    calls = [];
    answer.body = { data: { secret: "s" } };
    await aqua(["device", "secret", "pump-1", "--reason", "Leaked"]);
    expect(calls[0]?.headers).toMatchObject({ "aqua-act-reason": "Leaked" });
    calls = [];
    for (const [wrong, message] of [
      [" ", "Say why"],
      ["a\u202eb", "Must not contain invisible characters that reorder text"],
    ] as const)
      expect((await aqua(["jobs", "retry", "--reason", wrong])).error).toBe(`aqua: --reason: ${message}\n`);
    expect(calls).toEqual([]);
  });

  it("of a device is signed with its path, and of files over their bytes, each with another nonce", async () => {
    const batch = await fileOf("batch.ndjson", '{"größe":1}\n');
    answer.body = { data: { secret: "s", imported: 1, known: 0, readings: 0 } };
    await aqua(["device", "secret", "pump-1"], { OPERATOR_KEY: KEY });
    await aqua(["batches", "import", batch, batch], { OPERATOR_KEY: KEY });
    expect(calls.map(({ path }) => path.slice("/api/v2/operator/".length))).toEqual([
      ...["devices/pump-1/secret", "batches", "batches"],
    ]);
    for (const call of calls) expect(await signerOf(call)).toBe(me);
    expect(new Set(calls.map(({ headers }) => headers["aqua-act-nonce"])).size).toBe(3);
  });

  it("that only reads is not signed, and asks for no passphrase", async () => {
    answer.body = { data: [] };
    expect(await aqua(["device", "list"], { OPERATOR_KEYSTORE: join(folder, "missing") })).toMatchObject({ code: 0 });
    expect(calls[0]?.headers["aqua-act-signature"]).toBeUndefined();
  });

  it("is not made where the server has no log", async () => {
    hasLog = false;
    const { code, error } = await aqua(["jobs", "retry"], { OPERATOR_KEY: KEY });
    expect({ code, error }).toEqual({ code: 1, error: `aqua: ${url} has no log in which an act could be recorded\n` });
    expect(calls).toEqual([]);
  });

  it("without a key is told which setting is missing where the server requires a signature", async () => {
    answer = { status: 401, body: { error_code: "signature_invalid", message: "An operator must sign this" } };
    expect((await aqua(["jobs", "retry"])).error).toBe(
      "aqua: An operator must sign this; set OPERATOR_KEYSTORE or OPERATOR_KEY to the key of an operator\n",
    );
    expect(calls[0]?.headers["aqua-act-signature"]).toBeUndefined();
    expect((await aqua(["jobs", "retry"], { OPERATOR_KEY: KEY })).error).toBe("aqua: An operator must sign this\n");
  });
});

describe("aqua operator key", () => {
  it("writes a keystore that only its owner reads and that signs, prints its address, and overwrites no file", async () => {
    const file = join(folder, "operator.json");
    const passphrase = await fileOf("passphrase", "correct horse ü\n");
    const made = await aqua(["operator", "key", "--out", file], { OPERATOR_PASSPHRASE_FILE: passphrase });
    expect(made).toMatchObject({ code: 0, error: "" });
    const [, address = ""] = /^Address (0x[0-9a-f]{40})$/m.exec(made.out) ?? [];
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const stored = await readFile(file, "utf8");
    expect(JSON.parse(stored)).toMatchObject({
      version: 3,
      crypto: { kdf: "scrypt", kdfparams: { n: 262_144, r: 8 } },
    });
    const signed = await aqua(["jobs", "retry"], { OPERATOR_KEYSTORE: file, OPERATOR_PASSPHRASE_FILE: passphrase });
    expect(signed).toMatchObject({ code: 0, error: "" });
    expect((await signerOf(calls[0] as Call)).toLowerCase()).toBe(address);
    const again = await aqua(["operator", "key", "--out", file], { OPERATOR_PASSPHRASE_FILE: passphrase });
    expect(again).toEqual({ code: 1, out: "", error: `aqua: ${file} exists already; --out names another file\n` });
    expect(await readFile(file, "utf8")).toBe(stored);
  }, 60_000);

  it("asks a person twice for a passphrase of at least 8 characters", async () => {
    const typing = async (...lines: string[]) => {
      const said = { questions: [] as string[], error: "" };
      const code = await run(["operator", "key", "--out", join(folder, "typed.json")], {
        environment: {},
        out: () => {},
        error: (words) => (said.error += words),
        askHidden: async (question) => {
          said.questions.push(question);
          return lines.shift() ?? "";
        },
      });
      return { code, ...said };
    };
    expect(await typing("short")).toMatchObject({ code: 1, error: expect.stringContaining("at least 8 characters") });
    expect(await typing("long enough", "long enouhg")).toMatchObject({
      code: 1,
      error: "aqua: the passphrases differ\n",
      questions: ["Passphrase: ", "The same again: "],
    });
  });

  it("needs a terminal or a file for the passphrase, and a file for the key", async () => {
    expect((await aqua(["operator", "key", "--out", join(folder, "none.json")])).error).toContain(
      "set OPERATOR_PASSPHRASE_FILE",
    );
    for (const args of [["key"], ["key", "more", "--out", "x"], ["burn"]]) {
      expect((await aqua(["operator", ...args])).code).toBe(2);
    }
    expect((await aqua(["operator"])).out).toContain("Usage: aqua operator");
  });
});

describe("the setting of a key", () => {
  /** The example of the Web3 Secret Storage definition, with the passphrase "testpassword". */
  const example = {
    crypto: {
      cipher: "aes-128-ctr",
      cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
      ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
      kdf: "pbkdf2",
      kdfparams: {
        c: 262_144,
        dklen: 32,
        prf: "hmac-sha256",
        salt: "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd",
      },
      mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2",
    },
    id: "3198bc9c-6672-5ab3-d995-4942343ae5b6",
    version: 3,
  };

  it("opens a keystore of another program, and no other passphrase opens it", async () => {
    const keystore = { OPERATOR_KEYSTORE: await fileOf("example.json", JSON.stringify(example)) };
    const right = await fileOf("right", "testpassword");
    expect(await aqua(["jobs", "retry"], { ...keystore, OPERATOR_PASSPHRASE_FILE: right })).toMatchObject({ code: 0 });
    const key: Hex = "0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
    expect(await signerOf(calls[0] as Call)).toBe(privateKeyToAccount(key).address);
    const wrong = await fileOf("wrong", "testpassw0rd");
    expect(await aqua(["jobs", "retry"], { ...keystore, OPERATOR_PASSPHRASE_FILE: wrong })).toEqual({
      ...{ code: 1, out: "" },
      error: `aqua: the passphrase does not open ${keystore.OPERATOR_KEYSTORE}\n`,
    });
  }, 60_000);

  it("that is wrong is refused without repeating it", async () => {
    const order = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    for (const [change, words] of [
      [{ OPERATOR_KEY: KEY, OPERATOR_KEYSTORE: "x" }, "must not both be set"],
      [{ OPERATOR_KEY: KEY.slice(0, -2) }, "OPERATOR_KEY must be 0x and 64 hex digits"],
      [{ OPERATOR_KEY: order }, "OPERATOR_KEY holds no valid key"],
      [{ OPERATOR_KEYSTORE: join(folder, "missing") }, "cannot be read: ENOENT"],
      [{ OPERATOR_KEYSTORE: await fileOf("text", "no JSON") }, "is no keystore of version 3"],
      [{ OPERATOR_KEYSTORE: await fileOf("null", "null") }, "is no keystore of version 3"],
      [
        { OPERATOR_KEYSTORE: await fileOf("v1", JSON.stringify({ ...example, version: 1 })) },
        "is no keystore of version 3",
      ],
      [
        {
          OPERATOR_KEYSTORE: await fileOf("right.json", JSON.stringify(example)),
          OPERATOR_PASSPHRASE_FILE: await fileOf("empty", "\n"),
        },
        "names an empty file",
      ],
    ] as const) {
      const { code, out, error } = await aqua(["jobs", "retry"], change);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(error).toContain(words);
      for (const secret of [KEY.slice(2, 40), order.slice(2)]) expect(error).not.toContain(secret);
    }
    expect(calls).toEqual([]);
  });
});

it("askHidden returns a typed line and prints only the question", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const typed = askHidden("Passphrase: ", { input, output });
  input.write("secret words\r");
  expect(await typed).toBe("secret words");
  output.end();
  expect(await text(output)).toBe("Passphrase: \n");
});
