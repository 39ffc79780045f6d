import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useAccount } from "wagmi";
import { local } from "../../browser-storage.ts";

/** The time for which the kit caches a name in this browser, and its timeout, in milliseconds. */
const cacheMs = 180 * 60_000;
const timeout = 10_000;

interface StoredName {
  ensName: string;
  expires: number;
}

const storageKey = (address: string) => `rk-ens-name-${address}`;

function storedName(address: string): string | null {
  try {
    const stored = JSON.parse(local.get(storageKey(address)) ?? "null") as Partial<StoredName> | null;
    return typeof stored?.ensName === "string" && Number(stored.expires) > Date.now() ? stored.ensName : null;
  } catch {
    return null;
  }
}

async function resolveName(address: string): Promise<string | null> {
  const stored = storedName(address);
  if (stored !== null) return stored;
  const response = await fetch(`/v1/resolve-ens?address=${address}`, { signal: AbortSignal.timeout(timeout) });
  if (!response.ok) throw new Error(`The name service answered ${response.status}`);
  const { data } = (await response.json()) as { data: string | null };
  if (data !== null) {
    const name: StoredName = { ensName: data, expires: Date.now() + cacheMs };
    local.set(storageKey(address), JSON.stringify(name));
  }
  return data;
}

/**
 * Resolves the name of the connected wallet through this server and stores it in the cache of the kit's own query. The
 * kit itself would call its maker's host, which our CSP forbids. `wanted` is true on an instance with a name service
 * that does not serve mainnet. On mainnet the kit reads names from the chain.
 */
export function useServedName(wanted: boolean): void {
  const { address } = useAccount();
  const queries = useQueryClient();
  useEffect(() => {
    if (!wanted || address === undefined) return;
    resolveName(address).then(
      (name) => queries.setQueryData(["address", address, {}], name ?? undefined),
      (error: unknown) => console.warn("The name of the wallet could not be looked up", error),
    );
  }, [wanted, address, queries]);
}
