import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { OperatorDevice } from "@aqua/sdk/api/operator";
import { connectAsync } from "mqtt";
import { type Hex, numberToHex, pad } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../devnet/test/support/port.ts";
import { device } from "../../server/src/telemetry/schema.ts";
import { findProgram } from "../../server/test/support/debianPrograms.ts";
import { through } from "./support/anvil.ts";
import { type DeviceWorld, openDeviceWorld, registrar } from "./support/deviceWorld.ts";

const HEAD = "name,short_id,metric,exponent,place,latitude,longitude,model,trust,min,max,interval,key";
/** The address of a secp256k1 key, another for each number. */
const keyOf = (number: number) => privateKeyToAccount(pad(numberToHex(0x5000 + number)) as Hex).address;
const row = (name: string, number: number, change: Record<string, string> = {}) => {
  const fields = {
    ...{ name, short_id: "sahel-solar", metric: "volume", exponent: "-2", place: '"Well 4, north"', latitude: "13.5" },
    ...{ longitude: "2.1", model: "M-1", trust: "software_key", min: "0", max: "1000000.00", interval: "15m" },
    ...{ key: keyOf(number), ...change },
  };
  return Object.values(fields).join(",");
};
const csv = (rows: readonly string[]) => `\ufeff${[HEAD, ...rows].join("\r\n")}\r\n`;

let world: DeviceWorld;
let passwords: string;
beforeAll(async () => {
  world = await openDeviceWorld();
  passwords = join(world.folder, "passwords.txt");
});
afterEach(() => rm(passwords, { force: true }));
afterAll(() => world?.stop());

async function saved(name: string, text: string): Promise<string> {
  const file = join(world.folder, name);
  await writeFile(file, text);
  return file;
}
const enrol = (file: string, ...more: string[]) =>
  world.aqua(["device", "enrol", file, "--passwords", passwords, ...world.onChain(), ...more]);
const nonce = () => world.chain.rpc<Hex>("eth_getTransactionCount", [registrar.address, "latest"]).then(Number);
const enrolledNames = async (prefix: string) => {
  const devices: OperatorDevice[] = JSON.parse((await world.aqua(["device", "list", "--json"])).out);
  return devices.map(({ name }) => name).filter((name) => name.startsWith(prefix));
};
const passwordOf = async () => {
  const lines = (await readFile(passwords, "utf8")).trimEnd().split("\n");
  return new Map(lines.map((line) => line.split(":") as [string, string]));
};
/** Whether the server knows the password of each device in the file. */
async function areKnown(): Promise<boolean> {
  const rows = await world.db.orm.select().from(device);
  const hashes = new Map(rows.map(({ name, secretHash }) => [name, Buffer.from(secretHash).toString("hex")]));
  const held = await passwordOf();
  return [...held].every(([name, text]) => hashes.get(name) === createHash("sha256").update(text).digest("hex"));
}

describe("aqua device enrol with a file of many devices", () => {
  it("enrols forty devices with a few blocks, and writes their passwords to a file that only its owner reads", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `pump-${String(index).padStart(2, "0")}`);
    const file = await saved("pumps.csv", csv(names.map((name, index) => row(name, index))));
    const first = await world.chain.rpc<Hex>("eth_blockNumber").then(Number);
    await world.chain.rpc("evm_setAutomine", [false]);
    await world.chain.rpc("evm_setIntervalMining", [1]);
    const { code, out, error } = await enrol(file);
    await world.chain.rpc("evm_setIntervalMining", [0]);
    await world.chain.rpc("evm_setAutomine", [true]);
    expect([code, out]).toEqual([
      0,
      "Of 40 devices: keys registered 40, enrolled 40. The others were before.\n" +
        `${passwords} has the passwords for MQTT of 40 of them, one a line: device:password\n`,
    ]);
    expect(error).toContain("40 of 40 keys registered\n");
    const last = await world.chain.rpc<Hex>("eth_blockNumber").then(Number);
    let used = 0;
    for (let block = first + 1; block <= last; block += 1) {
      const { transactions } = await world.chain.rpc<{ transactions: unknown[] }>("eth_getBlockByNumber", [
        numberToHex(block),
        false,
      ]);
      if (transactions.length > 0) used += 1;
    }
    expect(used).toBeLessThan(20);
    expect(await enrolledNames("pump-")).toEqual(names);
    expect((await world.heldLater("pump-39")).slice(0, 2)).toEqual([2, pad(keyOf(39)).toLowerCase()]);
    const held = await passwordOf();
    expect([...held.keys()]).toEqual(names);
    expect([await areKnown(), (await stat(passwords)).mode & 0o777]).toEqual([true, 0o600]);
    for (const text of held.values()) expect(out + error).not.toContain(text);

    // The same again does nothing, with the passwords or without them.
    const sent = await nonce();
    const before = await readFile(passwords, "utf8");
    expect((await enrol(file)).out).toContain("keys registered 0, enrolled 0.");
    expect(await readFile(passwords, "utf8")).toBe(before);
    await rm(passwords);
    expect((await enrol(file)).out).toContain("of 0 of them");
    expect(await nonce()).toBe(sent);
  });

  it("names with --dry-run what it would do, and changes neither chain, server nor files", async () => {
    const file = await saved("planned.csv", csv([row("plan-1", 90), row("plan-2", 91)]));
    const sent = await nonce();
    expect(await enrol(file, "--dry-run")).toEqual({
      ...{ code: 0, error: "" },
      out: "Of 2 devices: keys to register 2, to enrol 2. The others are done.\nNothing was sent. Without --dry-run the command sends it.\n",
    });
    expect([await nonce(), await enrolledNames("plan-"), existsSync(passwords)]).toEqual([sent, [], false]);
    expect((await enrol(file)).code).toBe(0);
    const keys = await saved("planned-keys.csv", `name,key\nplan-1,${keyOf(92)}\nplan-2,${keyOf(91)}\n`);
    const before = await nonce();
    expect(await world.aqua(["device", "rotate", keys, ...world.onChain(), "--dry-run"])).toEqual({
      ...{ code: 0, error: "" },
      out: "Of 2 devices: keys to register 1. The others are done.\nNothing was sent. Without --dry-run the command sends it.\n",
    });
    expect(await nonce()).toBe(before);
  });

  it("goes on where it stopped when the node and then the server failed", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `valve-${String(index).padStart(2, "0")}`);
    const file = await saved("valves.csv", csv(names.map((name, index) => row(name, 100 + index))));
    let sent = 0;
    const fails = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32_000, message: "the node is tired" } });
    const broken = await through(
      world.chain,
      (call, answer) => (call.includes("eth_sendRawTransaction") && ++sent > 7 ? fails : answer()),
      (rpc) => enrol(file, "--rpc", rpc),
    );
    expect(broken.code).toBe(1);
    expect(broken.error).toContain("nothing is lost; run the command again, which goes on where it stopped");
    expect(await enrolledNames("valve-")).toEqual([]);
    const made = await readFile(passwords, "utf8");
    await expect.poll(() => world.heldLater("valve-06").then(([kind]) => kind)).toBe(2);

    // The server enrols five and the answer to the sixth is lost after the enrolment.
    let enrolled = 0;
    const proxy = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", async () => {
        const { method = "GET", url = "", headers } = request;
        const body = method === "GET" ? {} : { body: Buffer.concat(chunks) };
        const { authorization = "", "content-type": type = "application/json" } = headers;
        const answer = await fetch(new URL(url, world.url), {
          method,
          headers: { authorization, "content-type": type },
          ...body,
        });
        const text = await answer.text();
        if (method === "POST" && ++enrolled > 5) return request.socket.destroy();
        response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const AQUA_URL = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const cut = await world.aqua(["device", "enrol", file, "--passwords", passwords, ...world.onChain()], { AQUA_URL });
    proxy.close();
    expect([cut.code, await enrolledNames("valve-")]).toEqual([1, names.slice(0, 6)]);

    const { code, out } = await enrol(file);
    expect([code, out]).toEqual([0, expect.stringContaining("keys registered 0, enrolled 14.")]);
    expect(await enrolledNames("valve-")).toEqual(names);
    expect([await readFile(passwords, "utf8"), await areKnown()]).toEqual([made, true]);
  });

  it("sends nothing while a line is wrong, and names each by its number", async () => {
    expect((await enrol(await saved("twin.csv", csv([row("twin", 250)])))).code).toBe(0);
    await rm(passwords);
    const sent = await nonce();
    const refused = async (rows: readonly string[]) => {
      const { code, out, error } = await enrol(await saved("wrong.csv", csv(rows)));
      expect([code, out, existsSync(passwords), await nonce()]).toEqual([1, "", false, sent]);
      return error.split("\n").slice(1, -1);
    };
    const good = row("gate-1", 200);
    expect(
      await refused([
        good,
        row("Gate 2", 201, { latitude: "north" }),
        row("gate-3", 202, { max: "0.001", key: "0x12" }),
        row("gate-1", 200),
        row("gate-4", 203, { trust: "attested", interval: "8d" }),
      ]),
    ).toEqual([
      expect.stringMatching(/^ {2}line 3: name: /),
      expect.stringMatching(/^ {2}line 3: latitude: .*number/),
      "  line 4: max: Must be a multiple of 10^-2, as the device's readings are",
      "  line 4: key: must be the coordinates of a P-256 key, 0x…,0x…, or the address of a secp256k1 key",
      "  line 5: name: is that of line 2 too",
      "  line 5: key: is that of line 2 too",
      expect.stringMatching(/^ {2}line 6: interval: /),
    ]);
    // What only chain and server know.
    const taken = keyOf(300);
    await world.aqua(["device", "rotate", "other", "--key", taken, "--first", ...world.onChain()]);
    const after = await nonce();
    const json = await saved("device.json", JSON.stringify({ name: "x" }));
    expect((await world.aqua(["device", "enrol", json, ...world.onChain()])).error).toContain("device.json");
    const { error } = await enrol(
      await saved(
        "wrong.csv",
        csv([
          good,
          row("other", 204),
          row("gate-5", 205, { key: taken }),
          row("twin", 250, { place: "Well 9" }),
          row("gate-6", 206, { short_id: "no-such" }),
        ]),
      ),
    );
    expect(error.split("\n").slice(1, -1)).toEqual([
      "  line 3: other has another key on chain, and is not enrolled at this server; `aqua device rotate other` changes its key",
      "  line 5: twin is enrolled already, with other data than in the file",
      "  line 6: gate-6 belongs to no-such, and the server has no such product",
    ]);
    const used = await enrol(await saved("wrong.csv", csv([good, row("gate-5", 205, { key: taken })])));
    expect(used.error).toContain("line 3: gate-5: a device has used this key before");
    expect([await nonce(), existsSync(passwords), (await world.heldLater("gate-1"))[0]]).toEqual([after, false, 0]);
  });

  it.each([
    ["list.csv", `${HEAD}\na,b\n`, /no CSV file: .*line 2/],
    ["list.csv", `${HEAD}\n`, /lists no device/],
    ["list.csv", "name,colour\nx,red\n", /line 2: short_id: is missing\n(.*\n)* {2}line 2: Unrecognized key: "colour"/],
    ["list.yaml", "- name: [\n", /list\.yaml, line \d: [^\d]+$/],
    ["list.yaml", "name: x\n", /must be a list of devices/],
    ["list.yaml", "- name: a\n- 5\n", /line 2: must be a device with its fields/],
  ])("refuses %s with %j", async (name, text, words) => {
    expect((await enrol(await saved(name, text))).error).toMatch(words);
  });

  it("needs a file for the passwords, which is its own", async () => {
    const file = await saved("one.csv", csv([row("lock-1", 400)]));
    const refused = async (...args: string[]) =>
      (await world.aqua(["device", "enrol", file, ...args, ...world.onChain()])).error;
    expect(await refused()).toContain("--passwords must name the file");
    expect(await refused("--passwords", passwords, "--key", keyOf(1))).toContain("here each line has its key");
    await writeFile(passwords, "lock-1:short\n", { mode: 0o600 });
    expect(await refused("--passwords", passwords)).toContain("line 1: must be a device, a colon and its password");
    await chmod(passwords, 0o644);
    expect(await refused("--passwords", passwords)).toContain("can be read by others");
    expect((await world.heldLater("lock-1"))[0]).toBe(0);
  });

  it("reads YAML with shared fields, keys as they are written, and figures as numbers", async () => {
    const { place, ...shared } = JSON.parse(
      `{"place":"","short_id":"sahel-solar","metric":"volume","exponent":-2,"latitude":13.5,"longitude":2.1,"model":"M-1","trust":"software_key","min":0,"max":99.5,"interval":60000}`,
    );
    const file = await saved(
      "meters.yaml",
      [
        "- &meter",
        ...Object.entries(shared).map(([name, value]) => `  ${name}: ${value}`),
        `  name: meter-1\n  place: ${place || "Well 1"}\n  key: ${keyOf(500)}`,
        `- <<: *meter\n  name: meter-2\n  place: Well 2 # north\n  interval: 15m\n  key: ${keyOf(501)}\n`,
      ].join("\n"),
    );
    expect(await enrol(file)).toMatchObject({ code: 0 });
    const devices: OperatorDevice[] = JSON.parse((await world.aqua(["device", "list", "--json"])).out);
    expect(devices.filter(({ name }) => name.startsWith("meter-"))).toMatchObject([
      { name: "meter-1", place: "Well 1", interval: 60_000, max: "99.50" },
      { name: "meter-2", place: "Well 2", interval: 900_000, max: "99.50" },
    ]);
    expect((await world.heldLater("meter-2"))[1]).toBe(pad(keyOf(501)).toLowerCase());
  });

  it("writes hashed passwords that Mosquitto accepts", async () => {
    const file = await saved("tap.csv", csv([row("tap-1", 600), row("tap-2", 601)]));
    const hashed = join(world.folder, "mosquitto.passwords");
    expect((await enrol(file, "--mosquitto", hashed)).out).toContain(`${hashed} has them hashed`);
    expect((await enrol(file, "--mosquitto", hashed)).error).toContain(
      "exists already; --mosquitto names another file",
    );
    const [port, folder] = [await freePort(), join(world.folder, "broker")];
    await mkdir(folder);
    const root = process.getuid?.() === 0 ? "user root\n" : "";
    await writeFile(
      join(folder, "broker.conf"),
      `listener ${port} 127.0.0.1\nallow_anonymous false\npassword_file ${hashed}\n${root}`,
    );
    const { path, env } = findProgram("mosquitto");
    const broker = spawn(path, ["-c", join(folder, "broker.conf")], { env, stdio: "ignore" });
    const admits = (username: string, password: string) =>
      connectAsync(`mqtt://127.0.0.1:${port}`, { username, password, clientId: username, reconnectPeriod: 0 }).then(
        async (client) => {
          await client.endAsync();
          return true;
        },
        (error: { code?: unknown }) => {
          if (error.code === "ECONNREFUSED") throw error;
          return false;
        },
      );
    const held = await passwordOf();
    await expect.poll(() => admits("tap-1", held.get("tap-1") ?? "").catch(() => null), { timeout: 10_000 }).toBe(true);
    expect(await admits("tap-2", held.get("tap-2") ?? "")).toBe(true);
    expect(await admits("tap-2", held.get("tap-1") ?? "")).toBe(false);
    const ended = once(broker, "exit");
    broker.kill();
    await ended;
  });
});

describe("aqua device rotate with a file of many devices", () => {
  const rotate = (file: string, ...more: string[]) =>
    world.aqua(["device", "rotate", file, ...world.onChain(), ...more]);
  const list = (name: string, keys: Record<string, string>) =>
    saved(name, ["name,key", ...Object.entries(keys).map((one) => one.join(","))].join("\n"));
  const held = async (name: string) => (await world.heldLater(name))[1];

  it("gives each its new key, once, and the first keys of co-signers only with --first", async () => {
    const first = await list("first.csv", { "lab-1": keyOf(700), "lab-2": keyOf(701) });
    expect((await rotate(first)).error).toContain(
      "line 2: lab-1 has no key on chain; --first registers the first keys of all\n",
    );
    expect((await rotate(first, "--first")).out).toBe("Of 2 devices: keys registered 2. The others were before.\n");
    const next = await list("next.csv", { "lab-1": keyOf(702), "lab-2": keyOf(701) });
    expect((await rotate(next, "--first")).error).toContain(
      "line 2: lab-1 has a key on chain; run rotate without --first",
    );
    expect((await rotate(next)).out).toBe("Of 2 devices: keys registered 1. The others were before.\n");
    expect(await held("lab-1")).toBe(pad(keyOf(702)).toLowerCase());
    const sent = await nonce();
    expect((await rotate(next)).code).toBe(0);
    expect(await nonce()).toBe(sent);
  });

  it("sends nothing while a line is wrong", async () => {
    const keys = { "lab-3": keyOf(710), "lab-4": keyOf(711) };
    expect((await rotate(await list("labs.csv", keys), "--first")).code).toBe(0);
    const sent = await nonce();
    const wrong = await saved("wrong.yaml", `- name: lab-3\n  key: ${keyOf(712)}\n- name: Lab\n  key: 0x12\n`);
    expect((await rotate(wrong)).error.split("\n").slice(1, -1)).toEqual([
      "  line 3: name: is not the name of a device",
      "  line 3: key: must be the coordinates of a P-256 key, 0x…,0x…, or the address of a secp256k1 key",
    ]);
    // The key of another name was used before.
    const used = await list("used.csv", { "lab-3": keyOf(712), "lab-4": keyOf(710) });
    expect((await rotate(used)).error).toContain("line 3: lab-4: a device has used this key before");
    expect((await rotate(used, "--key", keyOf(1))).error).toContain("here each line has its key");
    expect([await nonce(), await held("lab-3")]).toEqual([sent, pad(keyOf(710)).toLowerCase()]);
  });
});
