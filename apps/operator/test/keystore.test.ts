import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Hex, zeroHash } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withSecretFiles } from "../../server/src/secretFiles.ts";
import { keyAccount } from "../src/chainOptions.ts";
import { run } from "../src/run.ts";
import { runAqua } from "./support/aqua.ts";
import { encrypted, keystoreOf, PASSPHRASE, secretFile } from "./support/keystore.ts";

const KEY: Hex = `0x${"5a".repeat(32)}`;
const me = privateKeyToAddress(KEY);
const other = privateKeyToAddress(`0x${"5b".repeat(32)}`);
const settings = [
  ...["DEPLOYER_KEY", "REGISTRAR_PRIVATE_KEY", "ATTESTER_PRIVATE_KEY", "REPORTER_PRIVATE_KEY"],
  ...["TREASURER_PRIVATE_KEY", "CUSTODIAN_PRIVATE_KEY", "KEEPER_PRIVATE_KEY"],
];
const roleOf = (name: string) => name.slice(0, name.indexOf("_"));

let folder: string;
let keystore: string;
let passphrase: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-keystore-"));
  keystore = await secretFile(folder, "key.json", keystoreOf(KEY));
  passphrase = await secretFile(folder, "passphrase", `${PASSPHRASE}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fileOf = (name: string, content: string | object) => secretFile(folder, name, content);

/** A terminal on which a person types these lines. */
function typing(environment: Record<string, string | undefined>, ...lines: string[]) {
  const said = { questions: [] as string[], error: "" };
  const askHidden = async (question: string) => {
    said.questions.push(question);
    return lines.shift() ?? "";
  };
  const error = (text: string) => {
    said.error += text;
  };
  return { said, terminal: { environment, askHidden, error } };
}

/** Environment with the registrar's keystore. */
const registrar = (change: Record<string, string | undefined> = {}) => ({
  ...{ REGISTRAR_KEYSTORE: keystore, REGISTRAR_PASSPHRASE_FILE: passphrase },
  ...change,
});
const accountIn = (environment: Record<string, string | undefined>) =>
  keyAccount("REGISTRAR_PRIVATE_KEY", typing(environment).terminal);

describe.each(settings)("the key of %s", (name) => {
  const role = roleOf(name);
  const addressIn = async (environment: Record<string, string | undefined>) =>
    (await keyAccount(name, typing(withSecretFiles(environment)).terminal))?.address;

  it("comes from the environment, a file, a remote signer, or a keystore", async () => {
    const path = await fileOf("key", `${KEY}\n`);
    expect(await addressIn({ [name]: ` ${KEY} ` })).toBe(me);
    expect(await addressIn({ [`${name}_FILE`]: path })).toBe(me);
    expect(await addressIn({ [name]: `https://signer.example/#${other}` })).toBe(other);
    expect(await addressIn({ [`${role}_KEYSTORE`]: keystore, [`${role}_PASSPHRASE_FILE`]: passphrase })).toBe(me);
    expect(await addressIn({ [name]: "", [`${role}_KEYSTORE`]: " " })).toBeUndefined();
  });

  it("is not taken from two settings at once", async () => {
    const both = { [name]: KEY, [`${role}_KEYSTORE`]: keystore };
    await expect(addressIn(both)).rejects.toThrow(`${role}_KEYSTORE and ${name} must not both be set`);
  });
});

describe("a keystore", () => {
  it("is opened once by a command that signs often, with the passphrase that a person types", async () => {
    const { said, terminal } = typing({ REGISTRAR_KEYSTORE: keystore }, PASSPHRASE);
    const names = ["REGISTRAR_PRIVATE_KEY", "REGISTRAR_PRIVATE_KEY"];
    const accounts = await Promise.all(names.map((name) => keyAccount(name, terminal)));
    expect(accounts.map((account) => account?.address)).toEqual([me, me]);
    expect(said).toEqual({ questions: [`Passphrase of ${keystore}: `], error: "" });
  });

  it("of another program needs no address", async () => {
    const path = await fileOf("bare.json", encrypted(KEY));
    expect((await accountIn(registrar({ REGISTRAR_KEYSTORE: path })))?.address).toBe(me);
  });

  it("that others can read is opened with a warning, and so is the passphrase's file", async () => {
    const files = [await fileOf("open.json", keystoreOf(KEY)), await fileOf("open", PASSPHRASE)] as const;
    const { said, terminal } = typing({ REGISTRAR_KEYSTORE: files[0], REGISTRAR_PASSPHRASE_FILE: files[1] });
    await Promise.all([chmod(files[0], 0o604), chmod(files[1], 0o640)]);
    expect((await keyAccount("REGISTRAR_PRIVATE_KEY", terminal))?.address).toBe(me);
    expect(said.error).toBe(
      files.map((file) => `aqua: other users can read ${file}; \`chmod 600\` prevents it\n`).join(""),
    );
  });

  it("is not opened by a wrong passphrase, or without one", async () => {
    const { said, terminal } = typing({ REGISTRAR_KEYSTORE: keystore }, "wrong horse");
    await expect(keyAccount("REGISTRAR_PRIVATE_KEY", terminal)).rejects.toThrow(
      `the passphrase does not open ${keystore}`,
    );
    expect(said.error).toBe("");
    const silent = { environment: { REGISTRAR_KEYSTORE: keystore }, error: () => {} };
    await expect(keyAccount("REGISTRAR_PRIVATE_KEY", silent)).rejects.toThrow("set REGISTRAR_PASSPHRASE_FILE");
  });

  const whole = keystoreOf(KEY);
  const { crypto } = whole;
  const part = (change: object) => ({ ...whole, crypto: { ...crypto, ...change } });
  it.each([
    ["no JSON", "no JSON", "is no keystore of version 3"],
    ["null", "null", "is no keystore of version 3"],
    ["another version", { ...whole, version: 1 }, "is no keystore of version 3"],
    ["another cipher", part({ cipher: "aes-256-gcm" }), "is no keystore of version 3"],
    ["half a key", part({ ciphertext: crypto.ciphertext.slice(2) }), "is damaged: crypto.ciphertext is not valid"],
    ["no start value", part({ cipherparams: undefined }), "is damaged: crypto.cipherparams is not valid"],
    ["a wrong check value", part({ mac: "xyz" }), "is damaged: crypto.mac is not valid"],
    ["no parameters", part({ kdfparams: null }), "is damaged: crypto.kdfparams is not valid"],
    ["a text as a cost", part({ kdfparams: { ...crypto.kdfparams, n: "2" } }), "is damaged: crypto.kdfparams"],
    ["an impossible cost", part({ kdfparams: { ...crypto.kdfparams, n: 3 } }), "is damaged: crypto.kdfparams"],
    ["an unknown hash", part({ kdf: "pbkdf2", kdfparams: { c: 1, dklen: 32, salt: "00" } }), "is damaged: crypto.kdfp"],
    ["no address", { ...whole, address: "0x1" }, "is damaged: address is not valid"],
    [
      "another address",
      { ...whole, address: other.slice(2) },
      `names the address ${other}, and holds the key of ${me}`,
    ],
  ])("that is damaged is named, with its field: %s", async (_, content, words) => {
    const path = await fileOf("damaged.json", content);
    const refused = accountIn(registrar({ REGISTRAR_KEYSTORE: path }));
    await expect(refused).rejects.toThrow(`${path} ${words}`);
    await expect(refused).rejects.not.toThrow(KEY.slice(2, 40));
  });

  it("with a key that the curve does not have is refused", async () => {
    const path = await fileOf("zero.json", encrypted(zeroHash));
    await expect(accountIn(registrar({ REGISTRAR_KEYSTORE: path }))).rejects.toThrow(
      `${path} holds no valid key of secp256k1`,
    );
  });

  it("that does not exist is named", async () => {
    const path = join(folder, "missing.json");
    await expect(accountIn(registrar({ REGISTRAR_KEYSTORE: path }))).rejects.toThrow(`${path} cannot be read: ENOENT`);
  });
});

describe("aqua key new", () => {
  it("writes a keystore that only its owner reads and that signs for a role, and overwrites no file", async () => {
    const file = join(folder, "new.json");
    const make = ["key", "new", "--out", file, "--passphrase-file", passphrase];
    const made = await runAqua(make, {});
    expect(made).toMatchObject({ code: 0, error: "" });
    const [, address = ""] = /^Address (0x[0-9a-f]{40})$/m.exec(made.out) ?? [];
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const account = await accountIn(registrar({ REGISTRAR_KEYSTORE: file }));
    expect(account?.address.toLowerCase()).toBe(address);
    const stored = await readFile(file, "utf8");
    const again = await runAqua(make, {});
    expect(again).toEqual({ code: 1, out: "", error: `aqua: ${file} exists already; --out names another file\n` });
    expect(await readFile(file, "utf8")).toBe(stored);
  }, 60_000);

  it("asks a person twice, and needs a terminal or a file for the passphrase", async () => {
    const file = join(folder, "typed.json");
    const { said, terminal } = typing({}, "long enough", "long enouhg");
    expect(await run(["key", "new", "--out", file], { ...terminal, out: () => {} })).toBe(1);
    expect(said).toEqual({ questions: ["Passphrase: ", "The same again: "], error: "aqua: the passphrases differ\n" });
    const { code, error } = await runAqua(["key", "new", "--out", file], {});
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining("--passphrase-file") });
    expect((await runAqua(["key", "new"], {})).code).toBe(2);
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });
});
