import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { ignoreRevert } from "@aqua/contracts/deploy/chain";
import { termUnits } from "@aqua/contracts/deploy/config";
import { decimalText, momentText } from "@aqua/contracts/deploy/settingText";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { readDocument } from "@aqua/sdk/api/documentFile";
import { DAY_MS } from "@aqua/sdk/durations";
import { type Address, erc20Abi, type Hex, isAddressEqual, keccak256 } from "viem";
import { stringify } from "yaml";
import { CommandError } from "../api.ts";
import type { ChainSession } from "../chainSession.ts";
import { firstToLapse } from "./file.ts";

const percent = (fraction: bigint) => decimalText(fraction, 16);
const until = (time: number) => (time === 0 ? null : momentText(time));

/**
 * The file of a product that the chain lists, with the values of the chain. Its document is named by its path.
 * @param path where the file will be
 * @param products the folder with the product's document
 * @throws CommandError if the product is not listed, or the folder lacks the document of the registry's hash
 */
export async function listedFileText(
  session: ChainSession,
  shortId: string,
  { path, products }: { path: string; products: string },
): Promise<string> {
  const { client, chainId, deployment } = session;
  const registry = { address: deployment.product_registry as Address, abi: productRegistryAbi } as const;
  const found = await client
    .readContract({ ...registry, functionName: "productOf", args: [shortId] })
    .catch(ignoreRevert);
  if (found === undefined) throw new CommandError(`chain ${chainId} lists no product ${shortId}`);
  const [address, type, token, , hash] = found;
  const asset = await assetOf(session, token);
  const { document, lastEvidence } = await documentOf(products, hash);
  const names = { address, abi: erc20Abi } as const;
  const head = {
    type: type === 0 ? "demand_deposit" : "time_deposit",
    chain_id: chainId,
    short_id: shortId,
    asset: asset.field,
    share_name: await client.readContract({ ...names, functionName: "name" }),
    share_symbol: await client.readContract({ ...names, functionName: "symbol" }),
  };
  const values = type === 0 ? demandValues : timeValues;
  const rest = await values(session, address, (units) => decimalText(units, asset.decimals));
  // A later date than that of the documents is refused, so the plan shows that the chain's is too late.
  if (rest.evidence_until !== null && lastEvidence !== null && Date.parse(rest.evidence_until) > lastEvidence)
    rest.evidence_until = momentText(lastEvidence / 1_000);
  const text = { ...head, ...rest, document: relative(dirname(resolve(path)), resolve(document)), devices: [] };
  return `# ${shortId} as it was on chain ${chainId}. docs/operators/products.md explains each field.\n${stringify(text)}`;
}

type InTokens = (units: bigint) => string;

async function demandValues({ client }: ChainSession, address: Address, amount: InTokens) {
  const of = { address, abi: demandVaultAbi } as const;
  const [cap, minDeposit, desk, vesting, age, rate] = await Promise.all([
    client.readContract({ ...of, functionName: "cap" }),
    client.readContract({ ...of, functionName: "minDeposit" }),
    client.readContract({ ...of, functionName: "desk" }),
    client.readContract({ ...of, functionName: "vestingTime" }),
    client.readContract({ ...of, functionName: "maxReportAge" }),
    client.readContract({ ...of, functionName: "maxRate" }),
  ]);
  return {
    cap: amount(cap),
    min_deposit: amount(minDeposit),
    evidence_until: until(desk.evidenceUntil),
    vesting_seconds: Number(vesting),
    max_report_age_seconds: Number(age),
    max_gain_percent_per_year: percent(rate),
    custodian: desk.custodian,
    buffer_percent: percent(desk.buffer),
    treasury: desk.treasury,
    fee_percent: percent(desk.fee),
  };
}

async function timeValues({ client }: ChainSession, address: Address, amount: InTokens) {
  const of = { address, abi: termDepositAbi } as const;
  const [[cap, minDeposit], evidence, custodian, buffer] = await Promise.all([
    client.readContract({ ...of, functionName: "limits" }),
    client.readContract({ ...of, functionName: "evidenceUntil" }),
    client.readContract({ ...of, functionName: "custodian" }),
    client.readContract({ ...of, functionName: "buffer" }),
  ]);
  const terms: object[] = [];
  // The contract does not say how many terms there are: the first that is not there reverts.
  for (;;) {
    const args = [BigInt(terms.length)] as const;
    const term = await client.readContract({ ...of, functionName: "termOf", args }).catch(ignoreRevert);
    if (term === undefined) break;
    terms.push({
      count: term.count,
      unit: termUnits[term.unit],
      rate_percent: percent(term.rate),
      break_rate_percent: percent(term.breakRate),
      penalty_percent: percent(term.penalty),
      cap: amount(term.cap),
      open: term.open,
    });
  }
  return {
    cap: amount(cap),
    min_deposit: amount(minDeposit),
    evidence_until: until(evidence),
    custodian,
    buffer_percent: percent(buffer),
    terms,
  };
}

async function assetOf({ client, deployment }: ChainSession, address: Address) {
  const decimals = await client.readContract({ address, abi: erc20Abi, functionName: "decimals" });
  const play = deployment.test_dollar as Address | undefined;
  if (play !== undefined && isAddressEqual(play, address)) return { decimals, field: "test_dollar" };
  const symbol = await client.readContract({ address, abi: erc20Abi, functionName: "symbol" });
  return { decimals, field: { address, symbol, decimals } };
}

/**
 * The file of a folder whose bytes have the registry's hash, and the end of the day on which its first evidence expires,
 * Unix milliseconds. Null if none does.
 */
async function documentOf(folder: string, hash: Hex): Promise<{ document: string; lastEvidence: number | null }> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${folder} cannot be read: ${error.code}`);
  });
  for (const name of names.filter((one) => one.endsWith(".json")).sort()) {
    const path = join(folder, name);
    const bytes = await readFile(path);
    if (keccak256(bytes) !== hash.toLowerCase()) continue;
    const { document } = readDocument(bytes.toString("utf8"));
    const expires = firstToLapse(document?.evidence ?? [])?.expires ?? null;
    return { document: path, lastEvidence: expires === null ? null : Date.parse(expires) + DAY_MS };
  }
  throw new CommandError(
    `${folder} has no document with the hash of the registry, ${hash}; a server that shows the product gives it at api/v2/document/${hash}`,
  );
}
