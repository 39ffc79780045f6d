import { X509Certificate } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OperatorDevice } from "@aqua/sdk/api/operator";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAttestation } from "../src/device/attestation.ts";
import { line, meter, otherRoot, root } from "./support/certificates.ts";
import { type DeviceWorld, openDeviceWorld, REGISTRAR, registrar } from "./support/deviceWorld.ts";
import { keystoreOf, PASSPHRASE, secretFile } from "./support/keystore.ts";

const signer = privateKeyToAccount(`0x${"72".repeat(32)}`).address;
/** The key in the meter's certificate. */
const { x = "", y = "" } = new X509Certificate(meter).publicKey.export({ format: "jwk" });
const hex = (text: string) => `0x${Buffer.from(text, "base64url").toString("hex")}`;
const key = { x: hex(x), y: hex(y) };

const body = {
  name: "meter-42",
  short_id: "sahel-solar",
  metric: "volume",
  exponent: -2,
  place: "Well 4",
  latitude: 13.5,
  longitude: 2.1,
  model: "M-1",
  trust: "software_key",
  min: "0",
  max: "1000000",
  interval: 10_000,
};

let world: DeviceWorld;
let folder: string;
beforeAll(async () => {
  world = await openDeviceWorld();
  ({ folder } = world);
});
afterAll(() => world?.stop());

const aqua: DeviceWorld["aqua"] = (...call) => world.aqua(...call);
const onChain = () => world.onChain();
const heldLater = (name: string) => world.heldLater(name);
const enrolment = async (change: object = {}) => {
  const file = join(folder, "device.json");
  await writeFile(file, JSON.stringify({ ...body, ...change }));
  return file;
};
it("aqua device registers a device's key on chain and enrols it, prints its password once, and rotates its key later", async () => {
  const file = await enrolment();
  const enrolled = await aqua(["device", "enrol", file, "--key", `${key.x},${key.y}`, ...onChain()]);
  expect(enrolled).toMatchObject({ code: 0, error: "" });
  expect(enrolled.out).toMatch(
    /Registered: meter-42 signs .* UTC on\nEnrolled meter-42\nPassword for MQTT, shown only once: \S{43}\nThe embedded broker .*\n$/,
  );
  expect((await heldLater("meter-42")).slice(0, 3)).toEqual([1, key.x, key.y]);
  expect((await aqua(["device", "list"])).out).toMatch(
    /^DEVICE .*\nmeter-42 +sahel-solar +volume +10s +software_key\n$/,
  );

  // The key is not registered twice, and the server knows the device.
  const again = await aqua(["device", "enrol", file, "--key", `${key.x},${key.y}`, ...onChain()]);
  expect(again).toMatchObject({ code: 1, out: "The key of meter-42 is on chain already\n" });
  expect(again.error).toContain("is enrolled");

  expect(await aqua(["device", "rotate", "meter-42", "--key", signer, ...onChain()])).toMatchObject({ code: 0 });
  expect((await heldLater("meter-42")).slice(0, 2)).toEqual([2, `0x${"0".repeat(24)}${signer.slice(2).toLowerCase()}`]);
  expect((await aqua(["device", "secret", "meter-42"])).out).toMatch(
    /shown only once: \S{43}\nThe embedded broker .*\n$/,
  );
  expect(await aqua(["device", "revoke", "meter-42", ...onChain()])).toMatchObject({ code: 0 });
  expect((await heldLater("meter-42"))[0]).toBe(0);
  expect(await aqua(["device", "retire", "meter-42"])).toMatchObject({ code: 0, error: "" });
  expect((await aqua(["device", "list"])).out).toContain("retired");
  const listed: OperatorDevice[] = JSON.parse((await aqua(["device", "list", "--json"])).out);
  expect(listed.find(({ name }) => name === "meter-42")?.retired_at).toEqual(expect.any(Number));
});

it("aqua device registers no second key for a name, and rotates to a first key only with --first", async () => {
  const [own, second, third] = ["78", "79", "7a"].map((pair) => privateKeyToAccount(`0x${pair.repeat(32)}`).address);
  const held = async (name: string) => (await heldLater(name))[1].slice(26);
  const device = async (...args: string[]) => {
    const { code, out, error } = await aqua(["device", ...args, ...onChain()]);
    return [code, out, error.replace("aqua: ", "").trim()];
  };
  const file = await enrolment({ name: "present" });
  expect((await device("enrol", file, "--key", own ?? ""))[0]).toBe(0);
  expect(await device("enrol", file, "--key", second ?? "")).toEqual([
    1,
    "",
    "present is enrolled already; `aqua device rotate present` changes its key",
  ]);
  expect(await held("present")).toBe(own?.slice(2).toLowerCase());

  expect(await device("rotate", "partner", "--key", second ?? "")).toEqual([
    1,
    "",
    "partner has no key on chain; --first registers a co-signer's first key, or a device's next key after `aqua device revoke`",
  ]);
  expect((await heldLater("partner"))[0]).toBe(0);
  expect((await device("rotate", "partner", "--key", second ?? "", "--first"))[0]).toBe(0);
  expect((await device("rotate", "partner", "--key", second ?? "", "--first"))[0]).toBe(0);
  expect(await device("rotate", "partner", "--key", third ?? "", "--first")).toEqual([
    1,
    "",
    "partner has a key on chain; run rotate without --first to change it",
  ]);
  expect(await device("enrol", await enrolment({ name: "partner" }), "--key", third ?? "")).toEqual([
    1,
    "",
    "partner has another key on chain, and is not enrolled at this server: a co-signer, or another server's device; " +
      "`aqua device rotate partner` changes its key",
  ]);
  expect(await held("partner")).toBe(second?.slice(2).toLowerCase());

  // A device without a key after a revocation, but enrolled.
  expect((await device("revoke", "present"))[0]).toBe(0);
  expect((await device("enrol", await enrolment({ name: "present" }), "--key", third ?? ""))[2]).toContain(
    "present is enrolled already",
  );
  expect((await device("rotate", "present", "--key", third ?? "", "--first"))[0]).toBe(0);
  expect(await held("present")).toBe(third?.slice(2).toLowerCase());
});

it("aqua device --dry-run names each change, and sends nothing to chain or server", async () => {
  const file = await enrolment({ name: "planned" });
  const address = privateKeyToAccount(`0x${"7b".repeat(32)}`).address;
  const key = ["--key", address];
  const none = { REGISTRAR_PRIVATE_KEY: undefined };
  const ends = "Nothing was sent. Without --dry-run the command sends it.\n";
  const trial = async (args: string[], change = {}) =>
    aqua(["device", ...args, ...onChain(), "--dry-run"], change).then(({ out, error }) => (error === "" ? out : error));
  const kind = async () => (await heldLater("planned"))[0];
  const registers = (sender: string) =>
    new RegExp(`^Register: planned signs with this key from .* UTC on\\nSender ${sender}\\n\\n`);
  const enrolled = await trial(["enrol", file, ...key]);
  expect(enrolled).toMatch(registers(registrar.address));
  expect(enrolled.endsWith(`\n\nEnrol planned at the server\n${ends}`)).toBe(true);
  expect(await trial(["rotate", "planned", "--first", ...key, "--from", signer], none)).toContain(
    `${signer} does not hold the role of the registrar`,
  );
  expect(await trial(["rotate", "planned", "--first", ...key], none)).toContain(
    "--from must name the account of the registrar, or REGISTRAR_PRIVATE_KEY or",
  );
  expect([await kind(), (await aqua(["device", "list"])).out]).toEqual([0, expect.not.stringContaining("planned")]);

  expect(await aqua(["device", "enrol", file, ...key, ...onChain()])).toMatchObject({ code: 0 });
  const rotated = await trial(["rotate", "planned", "--key", signer, "--from", registrar.address], none);
  expect(rotated).toMatch(registers(registrar.address));
  expect(await trial(["rotate", "planned", ...key])).toBe("The key of planned is on chain already\n");
  expect(await trial(["revoke", "planned"])).toBe(
    `Revoke: from now on planned has no key. Its earlier signatures remain verifiable.\nSender ${registrar.address}\n\n${ends}`,
  );
  expect((await heldLater("planned"))[1].slice(26)).toBe(address.slice(2).toLowerCase());

  // The commands of a group ignore each other's options, but an act that ignored this one would be carried out.
  expect(await aqua(["device", "retire", "planned", "--dry-run"])).toMatchObject({
    ...{ code: 2, error: expect.stringContaining("unknown option '--dry-run'") },
  });
  expect((await aqua(["device", "list"])).out).not.toMatch(/planned.*retired/);
});

it("aqua device names missing options, and explains a refusal of the chain", async () => {
  const file = await enrolment({ name: "other" });
  const refused = async (...args: string[]) => (await aqua(["device", ...args])).error;
  expect(await refused("enrol", file, "--key", "0x12", ...onChain())).toContain("--key must be the coordinates");
  expect(await refused("enrol", join(folder, "none.json"), "--key", signer, ...onChain())).toContain("cannot be read");
  expect(await refused("enrol", await enrolment({ interval: 5 }), "--key", signer, ...onChain())).toContain(
    "interval: ",
  );
  expect(await refused("rotate", "other", "--key", signer)).toContain("--chain must be");
  expect(await refused("rotate", "Other", "--key", signer, ...onChain())).toContain("is not the name of a device");
  const taken = privateKeyToAccount(`0x${"74".repeat(32)}`).address;
  expect(await aqua(["device", "rotate", "third", "--key", taken, "--first", ...onChain()])).toMatchObject({ code: 0 });
  expect(await refused("rotate", "other", "--key", taken, "--first", ...onChain())).toContain(
    "each key belongs to one device",
  );
  expect(await refused("revoke", "other", ...onChain())).toContain("the device has no key");
  const { error } = await aqua(["device", "revoke", "other", ...onChain()], {
    REGISTRAR_PRIVATE_KEY: `0x${"73".repeat(32)}`,
  });
  expect(error).toContain("does not hold the role of the registrar");
  expect((await aqua(["device", "revoke", "third", ...onChain()], { REGISTRAR_PRIVATE_KEY: "" })).error).toBe(
    "aqua: REGISTRAR_PRIVATE_KEY or REGISTRAR_KEYSTORE must be set to the key of the registrar; --dry-run needs only --from\n",
  );
  const keystore = {
    REGISTRAR_PRIVATE_KEY: "",
    REGISTRAR_KEYSTORE: await secretFile(folder, "registrar.json", keystoreOf(REGISTRAR)),
    REGISTRAR_PASSPHRASE_FILE: await secretFile(folder, "passphrase", PASSPHRASE),
  };
  expect(await aqua(["device", "revoke", "third", ...onChain()], keystore)).toMatchObject({ code: 0, error: "" });
  expect((await aqua(["device", "sing"])).code).toBe(2);
  expect((await aqua(["device", "secret"])).code).toBe(2);
});

it("aqua device sets an interval once however often the command is repeated, and explains an invalid time", async () => {
  const file = await enrolment({ name: "paced" });
  const own = privateKeyToAccount(`0x${"77".repeat(32)}`).address;
  expect(await aqua(["device", "enrol", file, "--key", own, ...onChain()])).toMatchObject({ code: 0 });
  const every = (...args: string[]) => aqua(["device", "interval", "paced", ...args]);
  const { code, out } = await every("--every", "90s");
  expect(code).toBe(0);
  expect(out).toMatch(
    /^paced is to report every 90s\nSINCE +EVERY\nat enrolment +10s\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC +90s\n$/,
  );
  expect(await every("--every", "90s")).toEqual({ code: 0, out, error: "" });
  expect((await aqua(["device", "list"])).out).toMatch(/^paced +sahel-solar +volume +90s/m);
  for (const wrong of ["", "10", "0s", "8d", "1 h"]) expect((await every("--every", wrong)).error).toContain("--every");
  expect((await every()).error).toContain("--every must say how often");
  for (const wrong of ["yesterday", "2026-02-30T", "2026-13-01", "2026-03-01T10:00"]) {
    expect((await every("--every", "1h", "--since", wrong)).error).toContain(
      "--since must be a day or a moment in UTC",
    );
  }
  expect((await every("--every", "1h", "--since", "2999-01-01")).error).toContain("Must not lie in the future");
  expect((await every("--every", "1h", "--since", "2020-01-01")).error).toContain("Must not be before 2");
  expect((await aqua(["device", "interval", "nobody", "--every", "1h"])).error).toContain("There is no such device");
  expect((await every("--every", "1h")).out).toContain("paced is to report every 1h\n");
});

it("aqua device enrols a co-signed device only if its co-signer has a key on chain; that key can be rotated and revoked", async () => {
  const twice = { name: "twice", trust: "co_signed" };
  const args = (file: string) => [
    "device",
    "enrol",
    file,
    "--key",
    privateKeyToAccount(`0x${"75".repeat(32)}`).address,
    ...onChain(),
  ];
  const error = async (change: object) => (await aqua(args(await enrolment({ ...twice, ...change })))).error;
  expect(await error({})).toContain("co_signer: A co_signed device names its co-signer");
  expect(await error({ trust: "attested", co_signer: "grid" })).toContain("Only a co_signed device has a co-signer");
  expect(await error({ co_signer: "twice" })).toContain("does not co-sign its own readings");
  expect(await error({ co_signer: "grid" })).toContain("the co-signer grid has no key on chain");
  expect((await heldLater("twice"))[0]).toBe(0);
  const grid = privateKeyToAccount(`0x${"76".repeat(32)}`).address;
  expect(await aqua(["device", "rotate", "grid", "--key", grid, "--first", ...onChain()])).toMatchObject({ code: 0 });
  const { code, out } = await aqua(args(await enrolment({ ...twice, co_signer: "grid" })));
  expect([code, out]).toEqual([0, expect.stringContaining("Enrolled twice")]);
  expect((await aqua(["device", "list"])).out).toMatch(/^twice +sahel-solar +volume +10s +co_signed by grid$/m);
  expect(await aqua(["device", "revoke", "grid", ...onChain()])).toMatchObject({ code: 0 });
  expect((await heldLater("grid"))[0]).toBe(0);
});

it("aqua device enrols an attested device only with valid certificates, and checks them before it sends anything to the chain", async () => {
  const attested = await enrolment({ name: "attested", trust: "attested" });
  const args = (file: string, ...more: string[]) => [
    "device",
    "enrol",
    file,
    "--key",
    `${key.x},${key.y}`,
    ...more,
    ...onChain(),
  ];
  expect((await aqua(args(attested))).error).toContain("needs `certificates`");
  const trusted = join(folder, "root.pem");
  await writeFile(trusted, otherRoot);
  const file = await enrolment({ name: "attested", trust: "attested", certificates: `${meter}\n${line}` });
  expect((await aqua(args(file, "--root", trusted))).error).toMatch(/do not lead to the root|is not valid today/);
  expect((await heldLater("attested"))[0]).toBe(0);
});

it("aqua device verifies certificates from the device's key to the root, and names an invalid one", () => {
  const now = new Date("2030-06-01");
  const whole = `${meter}\n${line}`;
  expect(() => checkAttestation({ chainPem: whole, rootPem: root, key, now })).not.toThrow();
  expect(() => checkAttestation({ chainPem: `${whole}\n${root}`, rootPem: root, key, now })).not.toThrow();
  const refusals: [string, string, typeof key, Date, string][] = [
    [whole, otherRoot, key, now, "do not lead to the root"],
    [meter, root, key, now, "do not lead to the root"],
    [`${meter}\n${root}`, root, key, now, "certificate 1 is not signed by the next"],
    [line, root, key, now, "for another key"],
    [whole, root, { ...key, y: key.x }, now, "for another key"],
    [whole, root, key, new Date("2020-01-01"), "is not valid today"],
    [whole, root, key, new Date("2226-01-01"), "is not valid today"],
    ["nothing", root, key, now, "certificates of the enrolment file must hold"],
    [whole, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", key, now, "--root must hold"],
  ];
  for (const [chainPem, rootPem, of, at, words] of refusals)
    expect(() => checkAttestation({ chainPem, rootPem, key: of, now: at }), words).toThrow(words);
});

it("aqua income shows the income that may be reported of a product, or why none can be", async () => {
  const { code, out } = await aqua(["income", "sahel-solar"]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Reported to +2023-11-14 22:13:20 UTC\n\nNothing to report: The product's document does not say/,
  );
  expect(JSON.parse((await aqua(["income", "sahel-solar", "--json"])).out)).toMatchObject({ verdict: "no_metric" });
  expect((await aqua(["income", "nowhere"])).error).toContain("There is no product with this id");
  expect((await aqua(["income"])).code).toBe(2);
});
