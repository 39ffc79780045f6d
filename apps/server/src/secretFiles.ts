import { readFileSync } from "node:fs";
import { StartRefused } from "./errors.ts";

/** Settings that hold a secret, or a URL that may hold one, besides those of a chain's nodes. */
const secretSettings: ReadonlySet<string> = new Set([
  "ANCHORER_PRIVATE_KEY",
  "ATTESTER_PRIVATE_KEY",
  "BATCH_STORE_URL",
  "CUSTODIAN_PRIVATE_KEY",
  "DATABASE_URL",
  "DELETIONS_URL",
  "DEPLOYER_KEY",
  "FAUCET_PRIVATE_KEY",
  "IDENTITY_WEBHOOK_SECRET",
  "KEEPER_PRIVATE_KEY",
  "MQTT_URL",
  "NAME_SERVICE_KEY",
  "OPERATOR_KEY",
  "OPERATOR_TOKEN",
  "PRODUCT_KEY",
  "REGISTRAR_PRIVATE_KEY",
  "REPORTER_PRIVATE_KEY",
  "SECRET_KEY",
  "SMTP_URL",
  "WEBHOOK_SECRET",
  "WEBHOOK_URL",
  "TREASURER_PRIVATE_KEY",
]);

/** Whether a setting holds a secret, or a URL that may hold one. */
export const isSecretSetting = (name: string) => secretSettings.has(name) || /^RPC_(WS_)?URL_\d+$/.test(name);

/**
 * Replaces `<name>_FILE` of each secret setting by `<name>` with the content of that file, without the white space around
 * it. Container and service managers pass secrets as files, which other processes cannot read as they can an environment.
 * @throws StartRefused for a file that is missing or empty, and if both are set
 */
export function withSecretFiles(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const values = { ...environment };
  for (const [variable, file] of Object.entries(environment)) {
    const name = variable.replace(/_FILE$/, "");
    if (name === variable || !isSecretSetting(name) || !file?.trim()) continue;
    if (environment[name]?.trim()) throw new StartRefused(`${name} and ${variable} must not both be set`);
    values[name] = contentOf(variable, file.trim());
    delete values[variable];
  }
  return values;
}

function contentOf(variable: string, file: string): string {
  let content: string;
  try {
    content = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new StartRefused(`${variable} names a file that cannot be read: ${(error as Error).message}`);
  }
  if (content === "") throw new StartRefused(`${variable} names an empty file: ${file}`);
  return content;
}
