import type { AccountInfo, LinkedWallet } from "@aqua/sdk/api/auth";

export const connected = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

export function linked(address: string, current = true): LinkedWallet {
  return { address, create_time: 1_700_000_000_000, current, bindings: [] };
}

export function makeAccount(changes: Partial<AccountInfo> = {}): AccountInfo {
  return {
    email: "ada@example.org",
    country: "FR",
    language: "en-US",
    identity_status: "verified",
    create_time: 1_700_000_000_000,
    wallets: [],
    ...changes,
  };
}
