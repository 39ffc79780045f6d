import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import {
  addSections,
  type Context,
  commandGroup,
  ignoreOtherOptions,
  keystoreSettings,
  operatorSettings,
  withChain,
  withDryRun,
  withJson,
  withReason,
} from "../commandDeclaration.ts";

export function declareDevice(program: CommandUnknownOpts, context: Context): void {
  const device = commandGroup(program, "device", "devices and their keys");
  declareDeviceKeys(device, context);
  const { terminal } = context;
  const load = () => import("./device.ts");
  withJson(device.command("list"))
    .summary("all enrolled devices")
    .action(async (options) => (await load()).listDevices(options, terminal));
  withJson(device.command("health"))
    .summary("devices in service, the quietest first")
    .description(
      "Devices in service with their last reading and what they delivered in the last 24 hours, the quietest by its own interval first. A device is online until three of its intervals have passed, late until a day has.",
    )
    .action(async (options) => (await import("./health.ts")).printHealth(options, context));
  withReason(device.command("secret"))
    .summary("a new password for MQTT")
    .argument("<device>")
    .action(async (name, options) => (await load()).renewSecret(name, options, terminal));
  withReason(device.command("interval"))
    .summary("how often it is to report")
    .description(
      "How often the device is to report, from now or from a moment of its past on; what was said of a later time stays.",
    )
    .argument("<device>")
    .option("--every <length>", "10s, 15m, 1h, 1d")
    .option("--since <moment>", "in UTC, such as 2026-03-01 or 2026-03-01T08:30Z (default: now)")
    .action(async (name, options) => (await load()).changeInterval(name, options, terminal));
  device
    .command("declare-lost")
    .summary("its readings after the last accepted one are lost")
    .description(
      "Readings after the last accepted one are lost: the next is accepted without them. Everybody can read this and the reason; it is never undone.",
    )
    .argument("<device>")
    .requiredOption("--reason <why>", "the reason, which everybody can read")
    .action(async (name, options) => (await load()).declareLost(name, options, terminal));
  withReason(device.command("retire"))
    .summary("takes it out of service for good")
    .argument("<device>")
    .action(async (name, options) => (await load()).retire(name, options, terminal));
  ignoreOtherOptions(device);
  addSections(device, {
    examples: [
      "device enrol pump-1.json --chain 8453 --key 0x…,0x…",
      "device enrol pumps.csv --chain 8453 --passwords passwords.txt",
      "device rotate pump-1 --chain 8453 --key 0x…,0x…",
      "device rotate new-keys.csv --chain 8453",
      "device interval pump-1 --every 15m",
      "device list",
      "device health",
    ],
    exitCodes: "of health: 0 all devices report, 1 a device does not",
    settings: [
      ["REGISTRAR_PRIVATE_KEY", "the registrar's key; for what changes keys"],
      ...keystoreSettings,
      ...operatorSettings,
    ],
  });
}

/** Whether an argument names a file of many devices. No name of a device has a dot. */
const isList = (argument: string) => /\.(csv|ya?ml)$/i.test(argument);

function declareDeviceKeys(device: CommandUnknownOpts, { terminal }: Context): void {
  const load = () => import("./device.ts");
  const key = ["--key <key>", "0x…,0x…: the coordinates of a P-256 key; an address: a secp256k1 key"] as const;
  const start = ["--in-seconds <n>", "when the key begins (default: 300)"] as const;
  withReason(withDryRun(withChain(device.command("enrol"))))
    .summary("puts the device's key on chain and enrols it")
    .description(
      "Puts the device's key on chain and enrols it. A co_signed device names its co-signer in the file, whose key must be on chain. A CSV or YAML file holds many devices with their keys: the whole file is checked before anything is sent, passwords go to a file, and the same command again goes on where it was interrupted.",
    )
    .argument("<file>", "JSON of one device, or CSV or YAML of many; see docs/operators/telemetry.md")
    .option(...key)
    .option(...start)
    .option("--root <pem>", "what the certificates of an attested device must lead to")
    .option("--passwords <file>", "of many devices: where their passwords for MQTT go, one a line")
    .option(
      "--mosquitto <file>",
      "of many devices: a new file with the passwords hashed, for Mosquitto's password_file",
    )
    .action(async (file, options) =>
      isList(file)
        ? (await import("./enrolMany.ts")).enrolMany(file, options, terminal)
        : (await load()).enrol(file, options, terminal),
    );
  withDryRun(withChain(device.command("rotate")))
    .summary("another key, of a co-signer too; the one before ends")
    .description(
      "Another key, of a co-signer too; the one before ends when it begins. A CSV or YAML file with `name` and `key` rotates the keys of many devices: the whole file is checked before anything is sent, and the same command again goes on where it was interrupted.",
    )
    .argument("<device>", "its name, or a CSV or YAML file of many")
    .option(...key)
    .option(...start)
    .option("--first", "the name has no key: a co-signer's first, or a device's after revoke")
    .action(async (name, options) =>
      isList(name)
        ? (await import("./rotateMany.ts")).rotateMany(name, options, terminal)
        : (await load()).rotate(name, options, terminal),
    );
  withDryRun(withChain(device.command("revoke")))
    .summary("ends its key, or a co-signer's; its earlier signatures remain verifiable")
    .argument("<device>")
    .action(async (name, options) => (await load()).revoke(name, options, terminal));
}
