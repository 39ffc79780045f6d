import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { localChain } from "@aqua/sdk/chains";
import { z } from "zod";
import { StartRefused } from "./errors.ts";

/** A setting is missing or wrong. The message is one line and names the variable. */
export class ConfigError extends StartRefused {
  override name = "ConfigError";
}

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Paths that are given count from the working directory, defaults from the repository. */
const path = (fallback: string) =>
  z
    .string()
    .optional()
    .transform((value) => (value === undefined ? resolve(root, fallback) : resolve(value)));
const wholeNumber = (fallback: number, min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.number(error).min(min, error).max(max, error))
    .default(fallback);
};
const flag = z
  .enum(["0", "1", "false", "true"], "must be 1 or 0")
  .default("0")
  .transform((value) => value === "1" || value === "true");
const httpUrl = z.url({ protocol: /^https?$/, error: "must be a URL that starts with http:// or https://" });
const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, "must be 0x and 64 hex digits")
  .transform((value) => value as `0x${string}`);

const settings = z.object({
  NODE_ENV: z
    .enum(["development", "production", "test"], "must be development, production or test")
    .default("development"),
  PORT: wholeNumber(8080, 0, 65_535),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: httpUrl.optional(),
  TRUST_PROXY: wholeNumber(0, 0, 10),
  DATA_DIR: path(".aqua"),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, hostname: /.*/, error: "must be a URL that starts with postgresql://" })
    .optional(),
  ALLOW_EMBEDDED_DB: flag,
  DEPLOYMENTS_DIR: path("contracts/deployments"),
  PRODUCTS_DIR: path("devnet/products"),
  WEB_DIR: path("apps/web/dist/production"),
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/i, "must be 32 hex digits")
    .optional(),
  FAUCET_PRIVATE_KEY: privateKey.optional(),
  ATTESTER_PRIVATE_KEY: privateKey.optional(),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], "must be a level of pino, such as info")
    .default("info"),
  RATE_LIMIT_API: wholeNumber(600, 1, 1_000_000),
  RATE_LIMIT_RPC: wholeNumber(1_200, 1, 1_000_000),
});

/** Names of the settings that are not per chain. */
export const settingNames = Object.keys(settings.shape);

export interface ChainConfig {
  chainId: number;
  /** Nodes in order of preference. They may hold access keys: never log or answer them. */
  rpcUrls: string[];
  /** Overrides the chain's own number of blocks until finality. */
  confirmations: number | null;
}

export interface Config {
  environment: "development" | "production" | "test";
  port: number;
  host: string;
  /** Origin under which people reach this instance, without a trailing slash. */
  publicUrl: string;
  /** Reverse proxies in front of the server whose X-Forwarded-For is believed. */
  trustedProxies: number;
  dataDir: string;
  databaseUrl: string | null;
  deploymentsDir: string;
  productsDir: string;
  webDir: string;
  chains: ChainConfig[];
  walletConnectProjectId: string | null;
  /** Both keys of the local chain's faucet, or null where there is none. */
  faucet: { faucetKey: `0x${string}`; attesterKey: `0x${string}` } | null;
  logLevel: string;
  /** Calls a minute from one address. A JSON-RPC batch counts each of its calls. */
  rateLimits: { api: number; rpc: number };
}

/**
 * Reads every setting of the server; docs/settings.md says what each means.
 * Empty variables count as unset, so a line left blank in a file of settings does no harm.
 * @throws ConfigError
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigError(`${issue?.path.join(".")} ${issue?.message}`);
  }
  const value = parsed.data;
  const chains = readChains(given as Record<string, string>);
  const publicUrl = readOrigin(value.PUBLIC_URL ?? `http://localhost:${value.PORT}`);
  const faucet = readFaucet(value, chains);
  if (value.NODE_ENV === "production" && value.DATABASE_URL === undefined && !value.ALLOW_EMBEDDED_DB) {
    throw new ConfigError("DATABASE_URL must be set in production; the embedded database needs ALLOW_EMBEDDED_DB=1");
  }
  return {
    environment: value.NODE_ENV,
    port: value.PORT,
    host: value.HOST,
    publicUrl,
    trustedProxies: value.TRUST_PROXY,
    dataDir: value.DATA_DIR,
    databaseUrl: value.DATABASE_URL ?? null,
    deploymentsDir: value.DEPLOYMENTS_DIR,
    productsDir: value.PRODUCTS_DIR,
    webDir: value.WEB_DIR,
    chains,
    walletConnectProjectId: value.WALLETCONNECT_PROJECT_ID ?? null,
    faucet,
    logLevel: value.LOG_LEVEL,
    rateLimits: { api: value.RATE_LIMIT_API, rpc: value.RATE_LIMIT_RPC },
  };
}

function readChains(environment: Record<string, string>): ChainConfig[] {
  const chains: ChainConfig[] = [];
  for (const name of Object.keys(environment).sort()) {
    if (!name.startsWith("RPC_URL_")) continue;
    const suffix = name.slice("RPC_URL_".length);
    if (!/^[1-9]\d{0,14}$/.test(suffix)) throw new ConfigError(`${name} must end with a chain id, such as RPC_URL_1`);
    const rpcUrls = (environment[name] ?? "").split(",").map((url) => url.trim());
    if (!rpcUrls.every((url) => httpUrl.safeParse(url).success)) {
      throw new ConfigError(`${name} must be one or several http(s) URLs with commas between them`);
    }
    chains.push({ chainId: Number(suffix), rpcUrls, confirmations: readConfirmations(environment, suffix) });
  }
  return chains;
}

function readConfirmations(environment: Record<string, string>, chainId: string): number | null {
  const name = `CONFIRMATIONS_${chainId}`;
  const text = environment[name];
  if (text === undefined) return null;
  if (!/^\d{1,4}$/.test(text)) throw new ConfigError(`${name} must be a whole number from 0 to 9999`);
  return Number(text);
}

function readOrigin(text: string): string {
  const url = new URL(text);
  if (url.pathname !== "/" || url.search || url.hash || url.username) {
    throw new ConfigError("PUBLIC_URL must be an origin without a path, such as https://aqua.example");
  }
  return url.origin;
}

function readFaucet(value: z.infer<typeof settings>, chains: ChainConfig[]): Config["faucet"] {
  const { FAUCET_PRIVATE_KEY: faucetKey, ATTESTER_PRIVATE_KEY: attesterKey } = value;
  if (faucetKey === undefined && attesterKey === undefined) return null;
  const given = faucetKey === undefined ? "ATTESTER_PRIVATE_KEY" : "FAUCET_PRIVATE_KEY";
  if (!chains.some(({ chainId }) => chainId === localChain.id)) {
    throw new ConfigError(
      `${given} is only for the local chain: set RPC_URL_${localChain.id} too, or take the key away`,
    );
  }
  if (faucetKey === undefined) throw new ConfigError("FAUCET_PRIVATE_KEY must be set beside ATTESTER_PRIVATE_KEY");
  if (attesterKey === undefined) throw new ConfigError("ATTESTER_PRIVATE_KEY must be set beside FAUCET_PRIVATE_KEY");
  return { faucetKey, attesterKey };
}
