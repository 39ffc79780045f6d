import { randomBytes } from "node:crypto";
import { lookup } from "node:dns/promises";
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { BlockList, connect as connectTcp } from "node:net";
import { join, resolve } from "node:path";
import { connectAsync, type MqttClient } from "mqtt";
import type { Config } from "../../../server/src/config.ts";
import { smtpTransport } from "../../../server/src/mail/transport.ts";
import { postEvent } from "../../../server/src/webhookPost.ts";
import { type Finding, failed, ok, reasonIn, warning } from "./finding.ts";

const WAIT_MS = 10_000;

/** Connects to the mail server, and sends a mail if there is an address. */
export async function checkMail(config: Config, address: string | undefined): Promise<Finding[]> {
  const { smtpUrl, from } = config.mail;
  if (smtpUrl === null) {
    const says = "SMTP_URL is not set: mails go to a table, and nobody gets one";
    return [warning("mail", says, "set SMTP_URL: people register with a code sent by e-mail")];
  }
  const transport = smtpTransport(smtpUrl, from);
  try {
    await transport.verify();
    if (address === undefined)
      return [ok("mail", "the server greets and accepts the log-in; --mail ADDRESS sends a mail")];
    const id = `doctor-${randomBytes(8).toString("hex")}`;
    const text = "This is a test by aqua doctor: the mail server of SMTP_URL accepted it.";
    const mail = { id, to: address, subject: "Aqua test", text, html: `<p>${text}</p>`, headers: {} };
    await transport.send(mail, AbortSignal.timeout(WAIT_MS));
    return [ok("mail", `the server accepted a mail from ${from} to ${address}; see that it arrives, and not as spam`)];
  } catch (error) {
    return [failed("mail", reasonIn(error), "correct SMTP_URL or MAIL_FROM, or start the mail server")];
  } finally {
    transport.close();
  }
}

/** Networks on which a receiver may be reached without encryption. */
const own = new BlockList();
for (const [network, bits] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["127.0.0.0", 8],
] as const)
  own.addSubnet(network, bits);
own.addSubnet("fc00::", 7, "ipv6");
own.addAddress("::1", "ipv6");

/** Connects to the receiver of webhooks, and with `sends` sends it a signed test event. */
export async function checkWebhook({ webhook }: Config, sends: boolean): Promise<Finding[]> {
  if (webhook === null) return [ok("webhook", "WEBHOOK_URL is not set: no events are sent")];
  const { protocol, hostname, port: given } = new URL(webhook.url);
  const isPlain = protocol === "http:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const address = await lookup(host).catch((error: unknown) => reasonIn(error));
  if (typeof address === "string")
    return [failed("webhook", `${hostname} has no address: ${address}`, "correct WEBHOOK_URL")];
  if (isPlain && !own.check(address.address, address.family === 6 ? "ipv6" : "ipv4"))
    return [warning("webhook", `events go to ${hostname} without encryption`, "set WEBHOOK_URL to an https address")];
  if (!sends) {
    const port = Number(given || (isPlain ? 80 : 443));
    const place = `${hostname}:${port}`;
    if (await listens({ host, port }))
      return [ok("webhook", `${place} accepts connections; --webhook sends a signed test event`)];
    return [failed("webhook", `${place} does not accept a connection`, "start the receiver, or correct WEBHOOK_URL")];
  }
  const body = JSON.stringify({ type: "test", timestamp: new Date().toISOString(), data: {} });
  const { answer } = await postEvent({ id: `doctor_${randomBytes(8).toString("hex")}`, body }, webhook);
  const says = `the receiver answered ${answer}`;
  if (/^2\d\d$/.test(answer)) return [ok("webhook", says)];
  const next =
    "give the receiver the same WEBHOOK_SECRET, and let it accept the types it does not know: docs/operators/webhooks.md";
  return [failed("webhook", says, next)];
}

/** Publishes and receives a message at the broker of MQTT_URL; of the embedded one, whether it listens. */
export async function checkMqtt({ mqtt }: Config): Promise<Finding[]> {
  if (mqtt === null) return [ok("mqtt", "MQTT_PORT is off: devices send over HTTP")];
  if (!("url" in mqtt)) {
    const says = `the embedded broker at ${mqtt.host}:${mqtt.port}`;
    if (await listens(mqtt)) return [ok("mqtt", `${says} listens`)];
    return [warning("mqtt", `${says} does not listen`, "start the server, or set MQTT_URL or MQTT_PORT=off")];
  }
  let client: MqttClient | null = null;
  try {
    // An id of its own: with that of the servers the broker would end their connection.
    const clientId = `aqua-doctor-${randomBytes(4).toString("hex")}`;
    client = await connectAsync(
      mqtt.url,
      { clientId, clean: true, protocolVersion: 5, reconnectPeriod: 0, connectTimeout: WAIT_MS },
      false,
    );
    return [await exchange(client)];
  } catch (error) {
    return [
      failed(
        "mqtt",
        `the broker refuses or does not answer: ${reasonIn(error)}`,
        "correct MQTT_URL, or start the broker",
      ),
    ];
  } finally {
    await client?.endAsync(true);
  }
}

/** The topics of the servers: they read readings and publish answers. No device has this name. */
async function exchange(client: MqttClient): Promise<Finding> {
  const topic = `aqua/answers/doctor-${randomBytes(8).toString("hex")}`;
  const next = "let the user of MQTT_URL read aqua/readings/+ and write aqua/answers/+: docs/operators/telemetry.md";
  const refused = (grants: readonly { qos: number }[]) => grants.some(({ qos }) => qos >= 128);
  const [readings, answers] = await Promise.all([
    client.subscribeAsync("aqua/readings/+", { qos: 1 }).catch(() => [{ qos: 128 }]),
    client.subscribeAsync(topic, { qos: 1 }).catch(() => [{ qos: 128 }]),
  ]);
  if (refused(readings)) return failed("mqtt", "the broker does not let us read aqua/readings/+", next);
  const arrived = new Promise<boolean>((resolveArrived) => {
    client.on("message", (at) => {
      if (at === topic) resolveArrived(true);
    });
    setTimeout(() => resolveArrived(false), WAIT_MS).unref();
  });
  await client.publishAsync(topic, "aqua doctor", { qos: 1 });
  if (refused(answers)) return warning("mqtt", `the broker took a message, but does not let us read ${topic}`, next);
  if (await arrived) return ok("mqtt", "a message was published and received");
  return failed("mqtt", `a message published at ${topic} did not arrive within ${WAIT_MS / 1_000} s`, next);
}

function listens({ host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolveListens) => {
    const socket = connectTcp({ host, port, timeout: WAIT_MS });
    const end = (is: boolean) => {
      socket.destroy();
      resolveListens(is);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}

/** Writes, reads and deletes a file where the server writes, and lists the folders that it reads. */
export async function checkFolders(config: Config, batchDir: string | undefined): Promise<Finding[]> {
  const written: [setting: string, path: string][] = [["DATA_DIR", config.dataDir]];
  if (batchDir?.trim()) written.push(["BATCH_DIR", resolve(batchDir.trim())]);
  const read: [setting: string, path: string | null][] = [
    ["DEPLOYMENTS_DIR", config.deploymentsDir],
    ["PRODUCTS_DIR", config.productsDir],
    ["LEGAL_DIR", config.legalDir],
  ];
  return Promise.all([
    ...written.map(async ([setting, path]) => {
      const file = join(path, `.aqua-doctor-${randomBytes(8).toString("hex")}`);
      try {
        if (setting === "DATA_DIR") await mkdir(path, { recursive: true, mode: 0o700 });
        await writeToDisk(file);
        const content = await readFile(file, "utf8");
        if (content !== file)
          return failed(setting, `a file in ${path} did not hold what was written`, "check the disk");
        await rm(file);
        return ok(setting, `a file in ${path} was written, read and deleted`);
      } catch (error) {
        return failed(setting, reasonIn(error), `let this user write in ${path}, or correct ${setting}`);
      } finally {
        // What failed is reported already.
        await rm(file, { force: true }).catch(() => {});
      }
    }),
    ...read.map(async ([setting, path]) => {
      if (path === null)
        return warning(
          setting,
          "it is not set: the site has no terms and no imprint",
          "docs/operators/settings.md, Your texts",
        );
      try {
        return ok(setting, `${path} has ${(await readdir(path)).length} entries`);
      } catch (error) {
        return failed(setting, reasonIn(error), `create the folder, or correct ${setting}`);
      }
    }),
  ]);
}

async function writeToDisk(file: string): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(file);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
