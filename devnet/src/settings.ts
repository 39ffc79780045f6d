import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const repositoryRoot = fileURLToPath(new URL("../../", import.meta.url));

/** Every setting of `npm start`, `npm run dev`, `npm run serve` and `npm run reset`, checked. */
export interface Settings {
  port: number;
  chainPort: number;
  /** Port of the broker to which the simulated devices send. */
  mqttPort: number;
  /** Where `npm run dev` serves the web app. */
  webPort: number;
  /** Seconds between the local chain's blocks. */
  blockTime: number;
  dataDir: string;
  /** Null: the embedded database inside the data folder. */
  databaseUrl: string | null;
  publicUrl: string;
  walletConnectProjectId: string | null;
}

/** An invalid setting. The one-line message names the variable and the values that it accepts. */
export class SettingsError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from the environment. An empty variable counts as not set. Throws SettingsError. */
export function readSettings(environment: Environment): Settings {
  const read = (name: string) => {
    const value = environment[name]?.trim();
    return value === undefined || value === "" ? null : value;
  };
  const port = portOf("PORT", read("PORT"), 8080);
  const chainPort = portOf("CHAIN_PORT", read("CHAIN_PORT"), 8545);
  const mqttPort = portOf("MQTT_PORT", read("MQTT_PORT"), 1883);
  const ports = [
    ["PORT", port],
    ["CHAIN_PORT", chainPort],
    ["MQTT_PORT", mqttPort],
  ] as const;
  for (const [index, [name, one]] of ports.entries()) {
    const twin = ports.slice(index + 1).find(([, other]) => other === one);
    if (twin !== undefined) throw new SettingsError(`${name} and ${twin[0]} are both ${one}; they must differ.`);
  }
  const webPort = portOf("WEB_PORT", read("WEB_PORT"), 5173);

  const blockTime = read("BLOCK_TIME") ?? "2";
  if (!/^([1-9]|[1-5]\d|60)$/.test(blockTime))
    throw new SettingsError(`BLOCK_TIME must be a number of seconds from 1 to 60, got "${blockTime}".`);

  const folder = read("DATA_DIR") ?? ".aqua";
  const dataDir = isAbsolute(folder) ? resolve(folder) : resolve(repositoryRoot, folder);

  const databaseUrl = read("DATABASE_URL");
  if (databaseUrl !== null) requireUrl("DATABASE_URL", databaseUrl, ["postgres:", "postgresql:"]);

  const publicUrl = read("PUBLIC_URL") ?? `http://localhost:${port}`;
  requireUrl("PUBLIC_URL", publicUrl, ["http:", "https:"]);
  if (new URL(publicUrl).pathname !== "/") throw new SettingsError("PUBLIC_URL must be an origin without a path.");

  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith("RPC_URL_") || value === undefined || value === "") continue;
    if (!/^RPC_URL_[1-9]\d*$/.test(name))
      throw new SettingsError(`${name} must end with a chain id, like RPC_URL_11155111.`);
    for (const url of value.split(",")) requireUrl(name, url.trim(), ["http:", "https:"]);
  }

  const projectId = read("WALLETCONNECT_PROJECT_ID");
  if (projectId !== null && !/^[0-9a-f]{32}$/i.test(projectId)) {
    throw new SettingsError(`WALLETCONNECT_PROJECT_ID must be 32 hexadecimal digits, got "${projectId}".`);
  }
  return {
    port,
    chainPort,
    mqttPort,
    webPort,
    blockTime: Number(blockTime),
    dataDir,
    databaseUrl,
    publicUrl: new URL(publicUrl).origin,
    walletConnectProjectId: projectId,
  };
}

function portOf(name: string, value: string | null, fallback: number): number {
  if (value === null) return fallback;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (port < 1 || port > 65_535) throw new SettingsError(`${name} must be a port from 1 to 65535, got "${value}".`);
  return port;
}

function requireUrl(name: string, value: string, protocols: readonly string[]): void {
  const kinds = protocols.map((protocol) => `${protocol}//`).join(" or ");
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    // The message does not repeat the value, because a database URL contains a password.
    throw new SettingsError(`${name} must be a URL that begins with ${kinds}.`);
  }
}
