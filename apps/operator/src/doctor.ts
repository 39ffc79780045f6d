import { type Config, ConfigError, misspeltSettings, readConfig } from "../../server/src/config.ts";
import { isSecretSetting } from "../../server/src/secretFiles.ts";
import { accessKeysOf } from "../../server/src/secrets.ts";
import { version } from "../../server/src/version.ts";
import { wholeOf } from "./chainOptions.ts";
import { checkAddress } from "./doctor/address.ts";
import { checkChains } from "./doctor/chains.ts";
import { checkDatabase, checkDeletions } from "./doctor/database.ts";
import { type Finding, failed, ok, reasonIn, warning } from "./doctor/finding.ts";
import { checkKeystores } from "./doctor/keystores.ts";
import { checkFolders, checkMail, checkMqtt, checkWebhook } from "./doctor/services.ts";
import { jsonText, type Terminal } from "./terminal.ts";

/** Set by the bundler of `npm run build`. */
declare const __BUNDLED__: true | undefined;

/** Seconds that a chain's head may take to move. */
const HEAD_SECONDS = 20;

/** `aqua doctor`: does once what production needs. The exit code is 1 if anything failed. */
export async function runDoctor(
  values: { mail?: string | undefined; webhook?: true | undefined; wait?: string | undefined; json?: true | undefined },
  terminal: Terminal,
): Promise<number> {
  const waitMs = (wholeOf("wait", values.wait, 1) ?? HEAD_SECONDS) * 1_000;
  const { environment } = terminal;
  const hide = hiderOf(environment);
  const findings = (await examine(environment, { mail: values.mail, webhook: values.webhook === true, waitMs })).map(
    (finding) => ({
      ...finding,
      says: hide(finding.says),
    }),
  );
  terminal.out(values.json ? jsonText({ findings }) : inWords(findings));
  return findings.some(({ result }) => result === "failed") ? 1 : 0;
}

async function examine(
  environment: Terminal["environment"],
  { mail, webhook, waitMs }: { mail: string | undefined; webhook: boolean; waitMs: number },
): Promise<Finding[]> {
  const built = typeof __BUNDLED__ === "undefined" ? "the sources" : "a build whose files are whole";
  const findings = [ok("version", `Aqua ${version}, ${built}, on Node ${process.versions.node}`)];
  for (const { variable, setting } of misspeltSettings(environment)) {
    findings.push(warning("settings", `${variable} is no setting`, `rename it if ${setting} is meant`));
  }
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...findings, failed("settings", error.message, "correct it: docs/operators/settings.md")];
  }
  if (config.environment === "production") findings.push(ok("settings", "all are valid, for production"));
  else {
    const says = `all are valid, but NODE_ENV is ${config.environment}`;
    findings.push(warning("settings", says, "set NODE_ENV=production, which refuses what is for trying out only"));
  }
  const { findings: ofKeystores, accounts } = await checkKeystores(environment, config.operatorKeys);
  findings.push(...ofKeystores);
  const groups: [check: string, run: () => Promise<Finding[]>][] = [
    ["database", () => checkDatabase(config)],
    ["deleted accounts", () => checkDeletions(config)],
    ["chains", () => checkChains(config, { registrarKey: environment.REGISTRAR_PRIVATE_KEY, accounts, waitMs })],
    ["mail", () => checkMail(config, mail)],
    ["webhook", () => checkWebhook(config, webhook)],
    ["mqtt", () => checkMqtt(config)],
    ["folders", () => checkFolders(config, environment.BATCH_DIR)],
    ["address", () => checkAddress(config)],
  ];
  const found = await Promise.all(
    groups.map(([check, run]) =>
      run().catch((error: unknown) => [
        failed(check, `the check broke off: ${reasonIn(error)}`, "correct what it names and run the command again"),
      ]),
    ),
  );
  return [...findings, ...found.flat()];
}

/** Secrets shorter than this are words that stand in ordinary messages too, such as the name of a user. */
const SHORTEST_SECRET = 6;

/** Returns a function that blanks out every secret of the settings, whoever's message it got into. */
function hiderOf(environment: Terminal["environment"]): (text: string) => string {
  const secrets = Object.entries(environment).flatMap(([name, value]) => {
    if (!isSecretSetting(name) || !value?.trim()) return [];
    return value.split(",").flatMap((part) => {
      const secret = part.trim();
      return URL.canParse(secret) ? [secret, new URL(secret).password, ...accessKeysOf(secret)] : [secret];
    });
  });
  const long = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
  return (text) =>
    long.reduce(
      (left, secret) => left.replaceAll(new RegExp(secret.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi"), "…"),
      text,
    );
}

function inWords(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(({ check, result, says, next }) => {
    const advice = next === undefined ? "" : `\n${" ".repeat(9 + width + 2)}→ ${next}`;
    return `${result.padEnd(9)}${check.padEnd(width)}  ${says}${advice}\n`;
  });
  const count = (result: Finding["result"]) => findings.filter((finding) => finding.result === result).length;
  return `${lines.join("")}${count("ok")} ok, ${count("warning")} warnings, ${count("failed")} failed\n`;
}
