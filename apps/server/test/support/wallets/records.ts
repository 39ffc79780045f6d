import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { createPublicClient, custom, type EIP1193RequestFn, type Hex, http, type PublicClient } from "viem";
import { roleKey } from "../../../../../devnet/src/accounts.ts";
import { createSender } from "../../../src/chain/sender.ts";
import type { Database } from "../../../src/db/database.ts";
import { createEventHub } from "../../../src/events/hub.ts";
import { verificationOf } from "../../../src/identity/status.ts";
import { createRecordJob, type RecordJobParts, type RecordJobSettings } from "../../../src/records/job.ts";
import type { LocalChain } from "../../instance/local.ts";

/** Called for each request to the node. An error that it throws goes to the caller. */
export type Tamper = (method: string, pass: () => Promise<unknown>) => Promise<unknown>;

export function tamperingClient(url: string, tamper: Tamper): PublicClient {
  const { request } = http(url, { retryCount: 0 })({});
  const passing = (call: Parameters<EIP1193RequestFn>[0]) => tamper(call.method, () => request(call as never));
  return createPublicClient({ transport: custom({ request: passing }, { retryCount: 0 }), cacheTime: 0 });
}

export interface RecordQueue {
  /** Runs the job for this wallet once, like the runner. */
  run(address: Hex): Promise<void>;
  /** Runs the job until it has ended. */
  finish(address: Hex): Promise<void>;
  outOfGas(): boolean;
}

/** The record job on a local chain. Its requests to the node pass through `tamper`. */
export function recordQueue(
  db: Database,
  local: LocalChain,
  options: {
    tamper?: Tamper;
    settings?: Partial<RecordJobSettings>;
    /** Default: the log states every account, as tests change tables without it. */
    requireAccount?: RecordJobParts["requireAccount"];
  } = {},
): RecordQueue {
  const client = tamperingClient(local.chain.url, options.tamper ?? ((_method, pass) => pass()));
  let out = false;
  const job = createRecordJob({
    requireAccount: options.requireAccount ?? (async () => {}),
    db,
    events: createEventHub(),
    verificationOf,
    log: { error: () => {} },
    chains: [
      {
        chainId: 31337,
        client,
        registry: local.deployed.addresses.identityRegistry,
        attester: createSender(client, roleKey("attester")),
        outOfGas: (is) => {
          out = is;
        },
      },
    ],
    settings: { blockWithinMs: 200, ...options.settings },
  });
  const run = (address: Hex) =>
    job(
      { chainId: 31337, address: address.toLowerCase() },
      { id: 1, attempts: 1, waitedMs: 0, signal: new AbortController().signal },
    );
  return {
    run,
    async finish(address) {
      for (let tries = 0; ; tries += 1) {
        try {
          return await run(address);
        } catch (error) {
          if (tries > 20) throw error;
        }
      }
    },
    outOfGas: () => out,
  };
}

/** Reads a wallet's record from the chain, without the server. */
export function registryOf(local: LocalChain) {
  const client = createPublicClient({ transport: http(local.chain.url), cacheTime: 0 });
  const registry = { address: local.deployed.addresses.identityRegistry, abi: identityRegistryAbi } as const;
  return {
    recordOf: (wallet: Hex) => client.readContract({ ...registry, functionName: "recordOf", args: [wallet] }),
    statusOf: (wallet: Hex) => client.readContract({ ...registry, functionName: "statusOf", args: [wallet] }),
    /** Names of the registry's events about the wallet, in order. */
    async heard(wallet: Hex): Promise<string[]> {
      const logs = await client.getContractEvents({ ...registry, fromBlock: 0n });
      return logs
        .filter(({ args }) => (args as { wallet?: Hex }).wallet?.toLowerCase() === wallet.toLowerCase())
        .map(({ eventName }) => eventName);
    },
  };
}
