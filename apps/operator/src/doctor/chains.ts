import { setTimeout as sleep } from "node:timers/promises";
import { roleIds } from "@aqua/contracts/deploy/roles";
import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import type { Deployment } from "@aqua/sdk/deployment";
import {
  type Address,
  createPublicClient,
  formatEther,
  http,
  type PublicClient,
  recoverTransactionAddress,
} from "viem";
import { type AccountKey, accountOf, readKey, SignerError } from "../../../server/src/accountKey.ts";
import type { ChainConfig, Config } from "../../../server/src/config.ts";
import { readDeployment } from "../../../server/src/deployments.ts";
import { CLOCK_SECONDS, type Finding, failed, ok, reasonIn, warning } from "./finding.ts";
import type { RoleAccount } from "./keystores.ts";

const NODE_TIMEOUT_MS = 10_000;
/** A head of this age is not waited for. */
const FRESH_SECONDS = 60;
/** Gas of one call of a key, and the number of calls for which there should be coin. */
const CALL_GAS = 300_000n;
const CALLS = 100n;

/** A key of the server and the role that it needs on every chain with contracts. */
interface RoleKey {
  role: "attester" | "anchorer" | "registrar";
  setting: string;
  key: AccountKey;
}

/**
 * Nodes, contracts, and the roles and gas of our keys.
 * @param accounts accounts of keystores, whose keys are not opened
 * @param waitMs how long a head that is older than a minute may take to move
 */
export async function checkChains(
  config: Config,
  {
    registrarKey,
    accounts,
    waitMs,
  }: { registrarKey: string | undefined; accounts: readonly RoleAccount[]; waitMs: number },
): Promise<Finding[]> {
  const keys = keysOf(config, registrarKey);
  if (config.chains.length === 0) {
    return [warning("chains", "there is no RPC_URL_<chain id>: nothing is indexed", "set the node of each chain")];
  }
  const findings = await Promise.all(keys.map(checkKey));
  const holders = [...keys.flatMap(roleAccount), ...accounts];
  for (const chain of config.chains) findings.push(...(await checkChain(chain, { config, holders, waitMs })));
  return findings;
}

function keysOf({ attesterKey, anchoring }: Config, registrarKey: string | undefined): RoleKey[] {
  // A key that is not one is reported as one that does not sign.
  const registrar = registrarKey?.trim() ? (readKey(registrarKey.trim()) ?? "0x") : null;
  const all: [RoleKey["role"], string, AccountKey | null][] = [
    ["attester", "ATTESTER_PRIVATE_KEY", attesterKey],
    ["anchorer", "ANCHORER_PRIVATE_KEY", anchoring.key],
    ["registrar", "REGISTRAR_PRIVATE_KEY", registrar],
  ];
  return all.flatMap(([role, setting, key]) => (key === null ? [] : [{ role, setting, key }]));
}

function roleAccount({ role, key }: RoleKey): RoleAccount[] {
  try {
    return [{ role, address: accountOf(key).address }];
  } catch {
    // The key itself is reported.
    return [];
  }
}

/** Lets the key sign a transfer of nothing to itself, without a fee, which no block can include. */
async function checkKey({ role, setting, key }: RoleKey): Promise<Finding> {
  const check = `${role} key`;
  try {
    const account = accountOf(key);
    const fees = { gas: 21_000n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    const serializedTransaction = await account.signTransaction({
      ...{ type: "eip1559", chainId: 1, nonce: 0, to: account.address, ...fees },
    });
    const signer = await recoverTransactionAddress({ serializedTransaction: serializedTransaction as `0x02${string}` });
    if (signer === account.address) return ok(check, `it signs as ${account.address}`);
  } catch (error) {
    // An error of a private key could repeat it.
    if (error instanceof SignerError) return failed(check, error.message, "start the signer, or correct its rules");
  }
  return failed(check, "it does not sign", `set ${setting} to 0x and 64 hex digits, or to a remote signer`);
}

async function checkChain(
  { chainId, rpcUrls }: ChainConfig,
  { config, holders, waitMs }: { config: Config; holders: readonly RoleAccount[]; waitMs: number },
): Promise<Finding[]> {
  const check = `chain ${chainId}`;
  const findings: Finding[] = [];
  let first: PublicClient | null = null;
  for (const [index, url] of rpcUrls.entries()) {
    const transport = http(url, { timeout: NODE_TIMEOUT_MS, retryCount: 0, fetchOptions: { redirect: "error" } });
    const client = createPublicClient({ transport, cacheTime: 0 });
    const found = await checkNode(client, { chainId, check: `${check} node ${index + 1}`, waitMs });
    findings.push(...found);
    if (found.every(({ result }) => result !== "failed")) first ??= client;
  }
  const deployment = await readDeployment(config.deploymentsDir, chainId).catch((error: unknown) => reasonIn(error));
  if (typeof deployment === "string") {
    return [...findings, failed(`${check} contracts`, deployment, "restore the file, or write it anew by aqua deploy")];
  }
  if (deployment === null) {
    const says = `DEPLOYMENTS_DIR has no ${chainId}.json: only the node is offered to wallets`;
    return [...findings, warning(`${check} contracts`, says, "copy the file there, or deploy by aqua deploy")];
  }
  if (first === null) return findings;
  const contracts = await checkContracts(first, deployment, check);
  if (contracts.result === "failed") return [...findings, contracts];
  findings.push(contracts);
  for (const holder of holders) findings.push(...(await checkRole(first, deployment, { check, ...holder })));
  return findings;
}

async function checkNode(
  client: PublicClient,
  { chainId, check, waitMs }: { chainId: number; check: string; waitMs: number },
): Promise<Finding[]> {
  const setting = `RPC_URL_${chainId}`;
  try {
    const found = await client.getChainId();
    if (found !== chainId)
      return [failed(check, `it serves chain ${found}`, `name a node of chain ${chainId} in ${setting}`)];
    const begun = performance.now();
    let block = await client.getBlock();
    const { number } = block;
    const age = () => Date.now() / 1_000 - Number(block.timestamp);
    if (age() < -CLOCK_SECONDS) {
      return [
        failed(
          check,
          `its newest block is ${(-age()).toFixed(0)} s ahead of this machine's clock`,
          "synchronise the clock (NTP)",
        ),
      ];
    }
    while (block.number === number && age() > FRESH_SECONDS && performance.now() - begun < waitMs) {
      await sleep(500);
      block = await client.getBlock();
    }
    if (block.number > number || age() <= FRESH_SECONDS) {
      return [
        ok(
          check,
          `it serves chain ${chainId}; its newest block ${block.number} is ${Math.max(0, age()).toFixed(0)} s old`,
        ),
      ];
    }
    const says = `its newest block ${block.number} is ${age().toFixed(0)} s old, and none followed within ${waitMs / 1_000} s`;
    return [failed(check, says, `wait until the node has caught up, or name another one in ${setting}`)];
  } catch (error) {
    return [failed(check, `it does not answer: ${reasonIn(error)}`, `start the node, or correct ${setting}`)];
  }
}

async function checkContracts(client: PublicClient, deployment: Deployment, chain: string): Promise<Finding> {
  const check = `${chain} contracts`;
  const addresses = {
    access_manager: deployment.access_manager,
    identity_registry: deployment.identity_registry,
    product_registry: deployment.product_registry,
    ...(deployment.telemetry_anchor === undefined ? {} : { telemetry_anchor: deployment.telemetry_anchor }),
  };
  for (const [name, address] of Object.entries(addresses)) {
    const code = await client.getCode({ address: address as Address });
    if (code === undefined) {
      return failed(
        check,
        `there is no code at ${name} ${address}`,
        "check that node and DEPLOYMENTS_DIR are of the same chain",
      );
    }
  }
  return ok(check, `${Object.keys(addresses).length} addresses have code`);
}

async function checkRole(
  client: PublicClient,
  deployment: Deployment,
  { check, role, address: account }: RoleAccount & { check: string },
): Promise<Finding[]> {
  const [held, delay] = await client.readContract({
    address: deployment.access_manager as Address,
    abi: accessManagerAbi,
    functionName: "hasRole",
    args: [roleIds[role], account],
  });
  const findings: Finding[] = [];
  // The owner acts with a delay on purpose.
  if (held && (delay === 0 || role === "owner")) findings.push(ok(`${check} ${role}`, `${account} holds the role`));
  else {
    const says = held ? `${account} holds the role with a delay of ${delay} s` : `${account} does not hold the role`;
    findings.push(
      failed(`${check} ${role}`, says, `give it the role: docs/operators/deploying.md, Another holder of a role`),
    );
  }
  const [balance, price] = await Promise.all([client.getBalance({ address: account }), client.getGasPrice()]);
  const calls = balance / (CALL_GAS * (price === 0n ? 1n : price));
  const says = `${account} has ${formatEther(balance)} coins, enough for ${calls > 1_000n ? "more than 1000" : calls} calls`;
  const next = `send coins to ${account}`;
  if (calls === 0n) findings.push(failed(`${check} ${role} gas`, says, next));
  else findings.push(calls < CALLS ? warning(`${check} ${role} gas`, says, next) : ok(`${check} ${role} gas`, says));
  return findings;
}
