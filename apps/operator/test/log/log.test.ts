import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { signCheckpoint } from "@aqua/sdk/proofs/log/checkpoint";
import type { LogEntry, OperatorAct } from "@aqua/sdk/proofs/log/entry";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runAqua } from "../support/aqua.ts";
import {
  checkpointAt,
  device,
  foreignKey,
  honestLog,
  type LogSite,
  LogWriter,
  logKey,
  ORIGIN,
  openLogSite,
  operator,
  type Served,
  stranger,
} from "./site.ts";

let log: LogWriter;
let site: LogSite;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-log-"));
  log = await honestLog();
  site = await openLogSite(log);
});
beforeEach(() => site.honest());
afterAll(async () => {
  site?.close();
  await rm(folder, { recursive: true, force: true });
});

const verify = (...args: string[]) => runAqua(["log", "verify", site.url, ...args], {});
/** Verifies with everything that an auditor may have. */
const audit = () => verify("--rpc", site.rpcUrl, "--key", logKey);
const size = () => log.entries.length;

function entryAt({ entries }: Served, index: number): LogEntry {
  const entry = entries.at(index);
  if (entry === undefined) throw new Error(`There is no entry ${index}`);
  return entry;
}
function actAt(served: Served, index: number): OperatorAct {
  const { act } = entryAt(served, index);
  if (act === null) throw new Error(`Entry ${index} has no act`);
  return act;
}
/** Replaces the entries from `index` on by others that follow on the same entries. */
async function writeFrom(served: Served, index: number, ...changes: Parameters<LogWriter["add"]>[0][]) {
  const writer = new LogWriter();
  writer.entries.push(...served.entries.slice(0, index));
  for (const change of changes) await writer.add(change);
  served.entries = writer.entries;
}

/** Replaces the first place of a text, byte by byte. */
const replacing = (from: string, to: string) => (bytes: Uint8Array) =>
  Buffer.from(Buffer.from(bytes).toString("latin1").replace(from, to), "latin1");

describe("aqua log verify", () => {
  it("finds nothing in an honest log, and says what the verification rests on", async () => {
    const all = await audit();
    expect(all).toMatchObject({ code: 0, error: "" });
    const { root } = checkpointAt(log, size());
    expect(all.out.split("\n")).toEqual([
      `${ORIGIN}: 310 entries, root ${root}`,
      `Signed by ${logKey}, the key of --key`,
      `Operators in force: ${operator.address.toLowerCase()}`,
      "Batches on chain: 2 name a checkpoint of this log, 1 none",
      "310 entries verified, 0 findings",
      "",
    ]);
    const plain = await verify();
    expect(plain.code).toBe(0);
    expect(plain.out).toContain(`Signed by ${logKey}, the key that the site names; --key takes`);
    expect(plain.out).toContain("Not compared with a chain");
  });

  it("lists what the server entered without an act, and the files of batches that the site lacks", async () => {
    await writeFrom(site.served, 310, { kind: "device", subject: "meter-1", content: device });
    site.served.batches = [{ number: 5, log: { ...checkpointAt(log, 8), origin: "former.example/log" } }];
    const { code, out } = await audit();
    expect(code).toBe(0);
    expect(out).toContain("\nNot signed by an operator: entry 310\n");
    expect(out).toContain("\nBatches on chain that name a checkpoint of another log: 1\n");
    site.served.lost = [5];
    expect((await audit()).out).toContain("\nBatches whose file the site does not have: transparency/anchors/tide/5\n");
  });

  it("accepts acts about persons, whose bodies are not public", async () => {
    await writeFrom(site.served, 310, {
      ...{ kind: "account", subject: "ee".repeat(32), content: { identity: "00" } },
      act: { call: "POST operator/identity/7/approve", body: { valid_days: 365 } },
    });
    Object.assign(actAt(site.served, 310), { body: null, nonce: null });
    expect(await audit()).toMatchObject({ code: 0, out: expect.stringContaining("311 entries verified, 0 findings") });
    actAt(site.served, 310).call = "POST operator/identity/8/approve";
    expect((await audit()).out).toContain("log.entries[310].act.signature: ");
  });

  it("verifies a log of any size", async () => {
    for (const length of [0, 1, 2, 255, 256, 257]) {
      Object.assign(site.served, { entries: log.entries.slice(0, length), batches: [] });
      expect(await audit()).toMatchObject({ code: 0, out: expect.stringContaining(`\n${length} entries verified, 0`) });
    }
  });

  it("takes a full bundle or tile in place of a part that is gone", async () => {
    const { entries } = site.served;
    const { root } = checkpointAt(log, 200);
    site.served.answers = {
      // The log grows while it is read.
      checkpoint: () =>
        Buffer.from(signCheckpoint({ origin: ORIGIN, size: 200, root: Buffer.from(root, "base64") }, site.served.seed)),
      "tile/entries/000.p/200": () => null,
      "tile/0/000.p/200": () => null,
    };
    expect(entries).toHaveLength(310);
    expect(await verify()).toMatchObject({ code: 0, out: expect.stringContaining("200 entries verified, 0 findings") });
  });

  const ada = { kind: "operator", subject: "ada" } as const;
  const named = { scopes: "devices,read", address: null, create_time: 1, expire_time: null, revoke_time: null };
  const adding = { call: "POST operator/operators", body: { name: "ada", scopes: ["read", "devices"] } };
  const revoking = { call: "POST operator/operators/ada/revoke", body: {} };

  it("accepts operators who are added and revoked by signed acts", async () => {
    await writeFrom(site.served, 310, { ...ada, content: named, act: adding });
    await writeFrom(site.served, 311, { ...ada, content: { ...named, revoke_time: 5 }, act: revoking });
    expect(await audit()).toMatchObject({ code: 0, out: expect.stringContaining("312 entries verified, 0 findings") });
  });

  const retry = {
    ...({ kind: "act", subject: "POST operator/jobs/retry", content: {} } as const),
    act: { call: "POST operator/jobs/retry", body: { kind: "y" } },
  };
  it("accepts acts with a reason", async () => {
    await writeFrom(site.served, 310, { ...retry, reason: "The mail server was down" });
    expect(await audit()).toMatchObject({ code: 0, out: expect.stringContaining("311 entries verified, 0 findings") });
  });

  /** What the site lies about, and the path of a finding. */
  const lies: [what: string, lie: (served: Served) => void | Promise<void>, path: RegExp][] = [
    ["a removed entry", ({ entries }) => void entries.splice(20, 1), /^log\.entries\[20\]\.version$/],
    [
      "a changed entry",
      (served) => {
        entryAt(served, 100).content = { account: "x" };
      },
      /^transparency\/anchors\/tide\/3\.log$/,
    ],
    [
      "entries in another order",
      ({ entries }) => void entries.splice(5, 2, entries[6] as LogEntry, entries[5] as LogEntry),
      /^transparency\/anchors\/tide\/2\.log$/,
    ],
    [
      "a fork before an anchored batch",
      (served) => {
        entryAt(served, 7).content = { size: 1 };
      },
      /^transparency\/anchors\/tide\/2\.log$/,
    ],
    ["a log that is shorter than an anchored checkpoint", ({ entries }) => void entries.splice(280), /tide\/3\.log$/],
    [
      "a forged signature of an operator",
      async (served) => {
        await writeFrom(served, 309, {
          ...{ kind: "device", subject: "pump-1", content: { ...device, secret_hash: "22".repeat(32) } },
          act: { call: "POST operator/devices/pump-1/secret", body: {}, by: stranger },
        });
        actAt(served, 309).operator = operator.address.toLowerCase();
      },
      /^log\.entries\[309\]\.act\.signature$/,
    ],
    [
      "another reason than the signed one",
      async (served) => {
        await writeFrom(served, 309, { ...retry, reason: "The mail server was down" });
        entryAt(served, 309).reason = "Routine";
      },
      /^log\.entries\[309\]\.act\.signature$/,
    ],
    [
      "a reason that the operator did not give",
      async (served) => {
        await writeFrom(served, 309, retry);
        entryAt(served, 309).reason = "Routine";
      },
      /^log\.entries\[309\]\.act\.signature$/,
    ],
    [
      "an act of an operator who is not in force",
      (served) =>
        writeFrom(served, 309, {
          ...{ kind: "act", subject: "POST operator/jobs/retry", content: {} },
          act: { call: "POST operator/jobs/retry", body: { kind: "x" }, by: stranger },
        }),
      /^log\.entries\[309\]\.act\.operator$/,
    ],
    [
      "an act of an operator who was removed before it",
      (served) =>
        writeFrom(
          served,
          309,
          { kind: "operators", subject: "operators", content: { keys: [stranger.address.toLowerCase()] } },
          {
            ...{ kind: "act", subject: "POST operator/jobs/retry", content: {} },
            act: { call: "POST operator/jobs/retry", body: { kind: "x" } },
          },
        ),
      /^log\.entries\[310\]\.act\.operator$/,
    ],
    [
      "a checkpoint of another origin",
      (served) => {
        served.origin = "evil.example/log";
      },
      /^log\/checkpoint$/,
    ],
    [
      "a checkpoint of another key",
      (served) => {
        served.seed = new Uint8Array(32).fill(8);
      },
      /^log\/checkpoint$/,
    ],
    [
      "another key",
      (served) => {
        served.key = foreignKey;
      },
      /^log\/key$/,
    ],
    [
      "a checkpoint of another root",
      (served) => {
        const lie = signCheckpoint({ origin: ORIGIN, size: size(), root: new Uint8Array(32) }, served.seed);
        served.answers = { checkpoint: () => Buffer.from(lie) };
      },
      /^log\/checkpoint\.root$/,
    ],
    [
      "a truncated bundle",
      (served) => {
        served.answers = { "tile/entries/001.p/54": (bytes) => bytes.subarray(0, -1) };
      },
      /^log\/tile\/entries\/001\.p\/54$/,
    ],
    [
      "a missing bundle",
      (served) => {
        served.answers = { "tile/entries/000": () => null };
      },
      /^log\/tile\/entries\/000$/,
    ],
    [
      "an entry with a changed byte",
      ({ answers }) => {
        answers["tile/entries/000"] = replacing("Quay 4", "Quay 5");
      },
      /^log\/checkpoint\.root$/,
    ],
    [
      "an entry that is not canonical",
      ({ answers }) => {
        answers["tile/entries/000"] = replacing('"id":', '"ID":');
      },
      /^log\.entries\[0\]$/,
    ],
    [
      "another hash of an entry",
      (served) => {
        served.answers = { "tile/0/000": (bytes) => bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) };
      },
      /^log\/tile\/0\/000$/,
    ],
    [
      "a missing tile",
      (served) => {
        served.answers = { "tile/1/000.p/1": () => null };
      },
      /^log\/tile\/1\/000\.p\/1$/,
    ],
    [
      "a gap in the versions",
      (served) => {
        entryAt(served, 309).version += 1;
      },
      /^log\.entries\[309\]\.version$/,
    ],
    [
      "an id twice",
      (served) => {
        entryAt(served, 309).id = entryAt(served, 308).id;
      },
      /^log\.entries\[309\]\.id$/,
    ],
    [
      "a body that is not the signed one",
      (served) => {
        actAt(served, 309).body = '{"reason":"old"}';
      },
      /^log\.entries\[309\]\.act\.commitment$/,
    ],
    [
      "a body without its nonce",
      (served) => {
        actAt(served, 309).nonce = null;
      },
      /^log\.entries\[309\]\.act\.commitment$/,
    ],
    [
      "an act that is used twice",
      (served) => {
        const { content, act } = entryAt(served, 3);
        served.entries.splice(309);
        served.entries.push({ ...entryAt(served, 308), kind: "device", subject: "pump-1", version: 3, content, act });
        entryAt(served, 309).id = "00000000-0000-7000-8000-000000000309";
      },
      /^log\.entries\[309\]\.act\.commitment$/,
    ],
    [
      "an act of a former day",
      (served) => {
        entryAt(served, 309).time += 86_400_000;
      },
      /^log\.entries\[309\]\.act\.time$/,
    ],
    [
      "a change of a device without an act",
      (served) => {
        entryAt(served, 309).act = null;
      },
      /^log\.entries\[309\]\.act$/,
    ],
    [
      "a device that was enrolled otherwise than signed",
      (served) => {
        entryAt(served, 2).content = { ...device, place: "Quay 5" };
      },
      /^log\.entries\[2\]\.content\.place$/,
    ],
    [
      "a limit that was enrolled otherwise than signed",
      (served) => {
        entryAt(served, 2).content = { ...device, max: "1000" };
      },
      /^log\.entries\[2\]\.content\.max$/,
    ],
    [
      "a new password that also changes a limit",
      (served) => {
        entryAt(served, 3).content = { ...device, secret_hash: "11".repeat(32), min: "-5" };
      },
      /^log\.entries\[3\]\.content\.min$/,
    ],
    [
      "a retirement that is none",
      (served) => {
        entryAt(served, 309).content = { ...entryAt(served, 309).content, retired_time: null };
      },
      /^log\.entries\[309\]\.content\.retired_time$/,
    ],
    [
      "the retirement of another device",
      (served) => {
        entryAt(served, 309).subject = "meter-0";
      },
      /^log\.entries\[309\]\.subject$/,
    ],
    [
      "another interval than signed",
      (served) => {
        entryAt(served, 4).content = { interval: 70_000 };
      },
      /^log\.entries\[4\]\.content\.interval$/,
    ],
    [
      "an interval since another time than signed",
      (served) => {
        entryAt(served, 4).subject = "pump-1 5";
      },
      /^log\.entries\[4\]\.subject$/,
    ],
    [
      "the loss of another batch",
      (served) => {
        entryAt(served, 5).content = { ...entryAt(served, 5).content, batch: 4 };
      },
      /^log\.entries\[5\]\.content\.batch$/,
    ],
    [
      "another reason of a loss",
      (served) => {
        entryAt(served, 6).content = { ...entryAt(served, 6).content, reason: "Fire" };
      },
      /^log\.entries\[6\]\.content\.reason$/,
    ],
    [
      "a device that is changed by the call of another kind",
      (served) =>
        writeFrom(served, 309, {
          ...{ kind: "device", subject: "pump-1", content: device },
          act: { call: "POST operator/jobs/retry", body: {} },
        }),
      /^log\.entries\[309\]\.act\.call$/,
    ],
    [
      "another restore than signed",
      (served) =>
        writeFrom(served, 309, {
          ...{ kind: "restore", subject: "restore", content: { ...restore(400), reason: "Fire" } },
          act: { call: "POST operator/log/restore", body: { ...restore(400), reason: "Flood" } },
        }),
      /^log\.entries\[309\]\.content\.reason$/,
    ],
    [
      "an interval that is changed by the call of another kind",
      (served) =>
        writeFrom(served, 309, {
          ...{ kind: "device_interval", subject: "pump-1 5", content: { interval: 60_000 } },
          act: { call: "POST operator/devices/pump-1/secret", body: { interval: 60_000 } },
        }),
      /^log\.entries\[309\]\.act\.call$/,
    ],
    [
      "a loss that is declared by the call of another kind",
      (served) =>
        writeFrom(served, 309, {
          ...{ kind: "declared_loss", subject: "loss 3", content: { reason: "Flood" } },
          act: { call: "POST operator/devices/pump-1/retire", body: { reason: "Flood" } },
        }),
      /^log\.entries\[309\]\.act\.call$/,
    ],
    [
      "a restore that is declared by the call of another kind",
      (served) =>
        writeFrom(served, 309, {
          ...{ kind: "restore", subject: "restore", content: { ...restore(400), reason: "Fire" } },
          act: { call: "POST operator/jobs/retry", body: { ...restore(400), reason: "Fire" } },
        }),
      /^log\.entries\[309\]\.act\.call$/,
    ],
    [
      "an operator with more scopes than signed",
      (served) => writeFrom(served, 309, { ...ada, content: { ...named, scopes: "devices,identity" }, act: adding }),
      /^log\.entries\[309\]\.content\.scopes$/,
    ],
    [
      "an operator who is added by the call of another kind",
      (served) => writeFrom(served, 309, { ...ada, content: named, act: { ...adding, call: "POST operator/devices" } }),
      /^log\.entries\[309\]\.act\.call$/,
    ],
    [
      "an operator of another name than signed",
      (served) => writeFrom(served, 309, { ...ada, subject: "eve", content: named, act: adding }),
      /^log\.entries\[309\]\.subject$/,
    ],
    [
      "an operator who is revoked only by the act",
      async (served) => {
        await writeFrom(served, 309, { ...ada, content: named, act: adding });
        await writeFrom(served, 310, { ...ada, content: named, act: revoking });
      },
      /^log\.entries\[310\]\.content\.revoke_time$/,
    ],
    [
      "a body that is withheld though it is not about a person",
      (served) => {
        Object.assign(actAt(served, 2), { body: null, nonce: null });
      },
      /^log\.entries\[2\]\.act\.body$/,
    ],
    [
      "a restore without an act",
      (served) =>
        writeFrom(served, 309, { kind: "restore", subject: "restore", content: { ...restore(400), reason: "Fire" } }),
      /^log\.entries\[309\]\.act$/,
    ],
    [
      "another file of an anchored batch",
      (served) => {
        served.file = replacing('"value":"1"', '"value":"2"');
      },
      /^transparency\/anchors\/tide\/1$/,
    ],
    ["a batch that names no checkpoint any more", ({ batches }) => void batches.push({ number: 4 }), /tide\/4\.log$/],
  ];

  it.each(lies)("finds %s", async (_what, lie, path) => {
    await lie(site.served);
    const { code, out } = await audit();
    const paths = [...out.matchAll(/^ {2}(\S+): expected /gm), ...out.matchAll(/^ {2}(log\/checkpoint before): /gm)];
    expect(paths.map(([, found]) => found)).toContainEqual(expect.stringMatching(path));
    expect(code).toBe(1);
  });
});

/** The content of a restore that names the honest log's checkpoint of so many entries. */
const restore = (entries: number) => {
  const { size: lost, root } = checkpointAt(log, Math.min(entries, log.entries.length));
  return { size: lost, root };
};

describe("aqua log verify with --state", () => {
  let state: string;
  beforeEach(async () => {
    state = join(folder, "state.json");
    await rm(state, { force: true });
    expect((await verify("--state", state)).code).toBe(0);
  });

  it("keeps the verified checkpoint, and accepts a log that has grown", async () => {
    const { root } = checkpointAt(log, size());
    expect(JSON.parse(await readFile(state, "utf8"))).toMatchObject({ origin: ORIGIN, size: 310, root, key: logKey });
    await writeFrom(site.served, 310, { kind: "account", subject: "cd".repeat(32), content: null });
    const { code, out } = await verify("--state", state);
    expect(code).toBe(0);
    expect(out).toContain("the key of the earlier verification");
    expect(JSON.parse(await readFile(state, "utf8"))).toMatchObject({ size: 311 });
  });

  it.each([
    [
      "a log that is rolled back",
      (served: Served) => void served.entries.splice(309),
      /log\/checkpoint before: .*only 309/,
    ],
    [
      "a log with another past",
      (served: Served) => {
        entryAt(served, 308).content = null;
      },
      /log\/checkpoint before: expected 310 \S+, found 310 /,
    ],
    [
      "another key and another log of it",
      (served: Served) => void Object.assign(served, { key: foreignKey, seed: new Uint8Array(32).fill(8) }),
      /log\/key: expected .*\n {2}log\/checkpoint: /,
    ],
  ])("finds %s, and keeps the former checkpoint", async (_what, lie, words) => {
    const before = await readFile(state, "utf8");
    lie(site.served);
    const { code, out } = await verify("--state", state);
    expect(code).toBe(1);
    expect(out).toMatch(words);
    expect(await readFile(state, "utf8")).toBe(before);
  });

  it("accepts and names a declared restore, but not what came after the declared checkpoint", async () => {
    const declare = async (content: { size: number; root: string }) => {
      const writer = new LogWriter(Date.now() + 60_000 - 250_000);
      writer.entries.push(...log.entries.slice(0, 250));
      const body = { ...content, reason: "The disk broke" };
      await writer.add({
        ...{ kind: "restore", subject: "restore", content: body },
        act: { call: "POST operator/log/restore", body },
      });
      site.served.entries = writer.entries;
    };
    await declare(restore(309));
    expect((await verify("--state", state)).out).toContain("only 251");
    await declare({ ...restore(310), root: restore(309).root });
    expect((await verify("--state", state)).code).toBe(1);
    await declare(restore(310));
    const explained = await verify("--state", state, "--rpc", site.rpcUrl);
    expect(explained.out).toMatch(/^Restore: entry 250 of .* of 310 entries is no longer a part: The disk broke$/m);
    expect(explained.code).toBe(0);
  });

  it("does not accept a restore that was declared before the checkpoint was seen", async () => {
    const body = { ...restore(310), reason: "The disk broke" };
    await writeFrom(site.served, 250, {
      ...{ kind: "restore", subject: "restore", content: body },
      act: { call: "POST operator/log/restore", body },
    });
    expect((await verify("--state", state)).code).toBe(1);
  });

  it("refuses a file that holds something else", async () => {
    for (const content of ["no JSON", "null", '{"key":"","origin":"","size":-1,"root":"","time":0}']) {
      await writeFile(state, content);
      expect(await verify("--state", state)).toMatchObject({
        code: 2,
        error: expect.stringContaining("holds no state of a verification"),
      });
    }
  });
});

it("aqua log verify --json answers with the checkpoint and the findings", async () => {
  const { code, out } = await verify("--key", logKey, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    checkpoint: { size: size(), root: expect.any(String) },
    key: logKey,
    key_source: "caller",
    findings: [],
  });
});

it("aqua log verify ends with 2 where nothing can be said", async () => {
  site.served.answers = { checkpoint: () => null };
  expect(await verify()).toMatchObject({ code: 2, error: "aqua: could not verify: this site has no log\n" });
  site.served.answers = { key: () => null };
  expect(await verify()).toMatchObject({ code: 2, error: expect.stringContaining("--key names it") });
  expect(await verify("--key", logKey)).toMatchObject({ code: 0 });
  const nobody = await runAqua(["log", "verify", "http://127.0.0.1:9"], {});
  expect(nobody).toMatchObject({ code: 2, error: expect.stringContaining("does not answer") });
  expect(await verify("--rpc", "http://127.0.0.1:9")).toMatchObject({ code: 2 });
  for (const wrong of [["verify"], ["verify", "x"], ["verify", site.url, "--kind", "act"], ["burn"]]) {
    expect((await runAqua(["log", ...wrong], {})).code).toBe(2);
  }
});

it("aqua log list prints the newest entries in words, and those about accounts only on request", async () => {
  const list = (...args: string[]) => runAqua(["log", "list", ...args], { AQUA_URL: site.url });
  const { code, out } = await list();
  expect(code).toBe(0);
  const by = `${operator.address.toLowerCase().slice(0, 6)}…${operator.address.toLowerCase().slice(-4)}`;
  expect(out.split("\n")).toEqual([
    `309  2025-10-09 08:58 UTC  ${by}  device pump-1: retired; reason: Worn out`,
    `8  2025-10-09 08:53 UTC  ${by}  POST operator/jobs/retry`,
    `7  2025-10-09 08:53 UTC  the server  product document 0x${"0d".repeat(32)}, 4096 bytes`,
    `6  2025-10-09 08:53 UTC  ${by}  declared lost, readings of pump-1 after number 41: Flood`,
    `5  2025-10-09 08:53 UTC  ${by}  declared lost, batch 3 of tide: The disk broke`,
    `4  2025-10-09 08:53 UTC  ${by}  device pump-1: every 60000 ms since 2025-10-09 08:53 UTC`,
    `3  2025-10-09 08:53 UTC  ${by}  device pump-1: changed`,
    `2  2025-10-09 08:53 UTC  ${by}  device pump-1: enrolled for tide`,
    `1  2025-10-09 08:53 UTC  the server  operators: ${operator.address.toLowerCase()}`,
    "0  2025-10-09 08:53 UTC  the server  device meter-0: enrolled for tide",
    "",
  ]);
  expect((await list("--kind", "account")).out.split("\n")).toHaveLength(21);
  expect((await list("--kind", "restore")).out).toBe("No entries.\n");
  expect(JSON.parse((await list("--kind", "account", "--json")).out)).toHaveLength(20);
  expect(await list("--kind", "devices")).toMatchObject({ code: 2 });
});

it("aqua log restore declares the lost checkpoint to the server", async () => {
  const asked: { url: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    asked.push({ url: request.url, body: await text(request) });
    response.writeHead(200, { "content-type": "application/json" }).end('{"data":{}}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const AQUA_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { root } = checkpointAt(log, 310);
  const declare = (...args: string[]) => runAqua(["log", "restore", ...args], { AQUA_URL, OPERATOR_TOKEN: "token" });
  const done = await declare("--size", "310", "--root", root, "--reason", " The disk broke ");
  server.close();
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining("checkpoint of 310 entries") });
  expect(asked).toEqual([
    { url: "/api/v2/operator/log/restore", body: JSON.stringify({ size: 310, root, reason: "The disk broke" }) },
  ]);
  expect((await declare("--size", "310", "--root", root)).code).toBe(2);
  expect((await declare("--size", "310", "--root", "AAAA", "--reason", "x")).error).toContain("--root must be");
  expect((await declare("--size", "0", "--root", root, "--reason", "x")).error).toContain("--size must be");
});
