import { type Call, overviewCalls, productCalls, transparencyCalls, walletCalls } from "@aqua/sdk/audit/calls";
import type { View } from "@aqua/sdk/audit/view";
import { type Address, type Hex, isAddress, keccak256, type PublicClient, stringToHex } from "viem";
import { CommandError, UsageError } from "./api.ts";
import { type AuditedChain, connect, createAuditedChain, findDeployment } from "./audit/chain.ts";
import { type Checked, type CheckParts, check } from "./audit/check.ts";
import { checkNetwork, type NamedChain, networkOf } from "./audit/network.ts";
import { createReporter, type Reporter } from "./audit/report.ts";
import { createSite, type Site } from "./audit/site.ts";
import { openState } from "./audit/state.ts";
import { wholeOf } from "./chainOptions.ts";
import { readText } from "./log/download.ts";
import { verifyLog } from "./log/verification.ts";
import type { Terminal } from "./terminal.ts";

interface Options {
  rpc?: string[] | undefined;
  registry?: string[] | undefined;
  from?: string | undefined;
  wallets?: string | undefined;
  seed: string;
  state?: string | undefined;
  json?: true | undefined;
}

const exitCodes = { equal: 0, different: 1, incomparable: 2 } as const;

/**
 * `aqua audit`: compares every figure of a site's public API with the chain. Returns 0 if all are equal, 1 if one
 * differs, 2 if they could not be compared.
 */
export async function runAudit(site: string, values: Options, terminal: Terminal): Promise<number> {
  const url = siteUrlOf(site);
  const registries = registriesOf(values.registry);
  const asked = {
    ...{ url, registries, rpcUrls: values.rpc ?? [], seed: values.seed, stateFile: values.state },
    ...{ from: wholeOf("from", values.from, 0), most: wholeOf("wallets", values.wallets, 0) },
  };
  try {
    return await audit(asked, createReporter(terminal, values.json === true), terminal.environment);
  } catch (error) {
    const message = unreachable(error);
    if (message === null) throw error;
    terminal.error(`aqua: could not compare: ${message}\n`);
    return exitCodes.incomparable;
  }
}

/** The address of the site that a command line names. @throws UsageError */
export function siteUrlOf(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UsageError(`${url} is no web address`);
}

/** The product registries of `--registry`. @throws UsageError */
export function registriesOf(texts: readonly string[] = []): Address[] {
  return texts.map((text) => {
    if (!isAddress(text, { strict: false })) throw new UsageError("--registry must be an address");
    return text;
  });
}

/** The reason why nothing can be compared. Null for a fault of this program. */
export function unreachable(error: unknown): string | null {
  if (error instanceof CommandError) return error.message;
  const { shortMessage } = error as { shortMessage?: unknown };
  return typeof shortMessage === "string" ? `the node rejected a request: ${shortMessage}` : null;
}

interface Asked {
  url: string;
  rpcUrls: readonly string[];
  registries: readonly Address[];
  /** The first block of the contracts. */
  from: number | undefined;
  /** The number of wallets that are compared; undefined for all. */
  most: number | undefined;
  seed: string;
  stateFile: string | undefined;
}

async function audit(asked: Asked, reporter: Reporter, environment: Terminal["environment"]): Promise<number> {
  const site = createSite(asked.url);
  const named = await networkOf(site, asked.registries);
  const clients = await clientsOf(named, asked.rpcUrls, environment);
  const chains: AuditedChain[] = [];
  for (const one of named) {
    const client = clients.get(one.chainId) as PublicClient;
    const deployment = await findDeployment(client, { ...one, from: asked.from });
    chains.push(createAuditedChain(client, deployment, reporter.read));
  }
  const state = await openState(asked.stateFile, asked.url);
  const parts: CheckParts = { site, chains };
  const views: View[] = [];
  for (const chain of chains) views.push(await chain.newest());

  async function take(name: string, work: () => Promise<Checked>): Promise<void> {
    const known = state.done(name);
    const checked = known ?? (await work());
    reporter.part(name, checked);
    if (known === undefined) await state.add(name, checked);
  }
  await take("the site", () => checkNetwork(named, { clients, chains, views }));
  if ((await readText(site, "checkpoint")) !== null) await take("the log", () => checkLog(site, chains, clients));
  for (const { name, calls } of partsOf(views, asked)) await take(name, () => checkAll(parts, calls));
  await state.remove();
  return reporter.end() === 0 ? exitCodes.equal : exitCodes.different;
}

/** Verifies the site's log, by the key that the site names. @throws CommandError if the site has none */
async function checkLog(
  site: Site,
  chains: readonly AuditedChain[],
  clients: ReadonlyMap<number, PublicClient>,
): Promise<Checked> {
  const sources = chains.map(({ chainId, deployment }) => {
    return { client: clients.get(chainId) as PublicClient, deployment };
  });
  const result = await verifyLog({ site, key: null, known: null, chains: sources });
  if (result === null) throw new CommandError("this site has no log");
  const { block } = (await chains[0]?.head()) ?? { block: 0 };
  const findings = result.findings.map((finding) => ({ ...finding, block }));
  return { count: (result.checkpoint?.size ?? 0) + 1, findings, rest: [] };
}

/** A node for each chain of the site. */
async function clientsOf(
  named: readonly NamedChain[],
  rpcUrls: readonly string[],
  environment: Terminal["environment"],
): Promise<Map<number, PublicClient>> {
  const settings = named.flatMap(({ chainId }) => environment[`RPC_URL_${chainId}`]?.split(",")[0]?.trim() || []);
  const clients = await connect(rpcUrls.length > 0 ? rpcUrls : settings);
  const missing = named.find(({ chainId }) => !clients.has(chainId));
  if (missing === undefined) return clients;
  throw new CommandError(`name a node of chain ${missing.chainId} with --rpc`);
}

interface Part {
  name: string;
  calls: readonly Call[];
}

/** Everything that is compared: the products and wallets are those that the chain has, whatever the site lists. */
export function partsOf(views: readonly View[], { most, seed }: Pick<Asked, "most" | "seed">): Part[] {
  const shortIds = new Set(views.flatMap(({ products }) => products.map(({ product }) => product.shortId)));
  return [
    { name: "all products", calls: overviewCalls },
    { name: "transparency", calls: transparencyCalls },
    ...[...shortIds].map((shortId) => ({ name: `product ${shortId}`, calls: productCalls(shortId) })),
    ...walletsOf(views, most, seed).map((wallet) => ({ name: `wallet ${wallet}`, calls: walletCalls(wallet) })),
  ];
}

/** All wallets, or so many, chosen by the seed. */
function walletsOf(views: readonly View[], most: number | undefined, seed: string): Hex[] {
  const wallets = [...new Set(views.flatMap((view) => view.wallets()))];
  if (most === undefined || most >= wallets.length) return wallets;
  const drawn = wallets.map((wallet) => ({ wallet, lot: keccak256(stringToHex(`${seed} ${wallet}`)) }));
  return drawn
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, most)
    .map(({ wallet }) => wallet);
}

async function checkAll(parts: CheckParts, calls: readonly Call[]): Promise<Checked> {
  const all: Checked = { count: 0, findings: [], rest: [] };
  for (const call of calls) {
    const { count, findings, rest } = await check(parts, call);
    all.count += count;
    all.findings.push(...findings);
    all.rest.push(...rest);
  }
  return all;
}
