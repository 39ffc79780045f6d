import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { ApiResponseError } from "@aqua/sdk/api/client";
import type { Address, Hex } from "viem";
import { encodeFunctionData } from "viem/utils";
import { demoWallet } from "./accounts.ts";
import { becomeVerified, clientOf, link, type Person, register } from "./person.ts";
import type { Rpc } from "./rpc.ts";

/** The public log-in for anyone who tries Aqua. It exists only where everything runs on one machine. */
export const demoPerson: Person = {
  email: "demo@aqua.example",
  password: "aqua-demo-wallet",
  country: "CH",
  name: "Test Verified",
};

/**
 * Creates the demo account, verified and linked to the demo wallet, with the same calls as a browser. Later starts find
 * it. Returns null, and changes nothing, when its password was changed.
 */
export async function ensureDemoAccount(url: string, rpc: Rpc, registry: Address): Promise<Person | null> {
  try {
    const token = await logIn(url);
    if (token === null) return null;
    const client = clientOf(url, token);
    const { wallets, identity_status } = await client.accountInfo();
    const current = wallets[0]?.address.toLowerCase();
    if (current === undefined || identity_status === "unverified") {
      await becomeVerified({ url, token, person: demoPerson, wallet: demoWallet() });
    } else if (current === demoWallet().address.toLowerCase() && !(await hasRecord(rpc, registry))) {
      // A database that outlived its chain reports a bound wallet, which the new chain does not know.
      await link(client, demoWallet());
    }
    // Any other change of the account was made by its user and must not stop the start.
    return demoPerson;
  } catch (error) {
    throw new Error(`The demo account: ${(error as Error).message}`, { cause: error });
  }
}

async function logIn(url: string): Promise<string | null> {
  const client = clientOf(url);
  const { email, password } = demoPerson;
  try {
    return (await client.login({ email, password })).token;
  } catch (error) {
    if (!(error instanceof ApiResponseError && error.code === "login_failed")) throw error;
  }
  if (await client.checkAddress(demoWallet().address)) return null;
  return (await register(url, demoPerson)).token;
}

async function hasRecord(rpc: Rpc, registry: Address): Promise<boolean> {
  const data = encodeFunctionData({
    abi: identityRegistryAbi,
    functionName: "statusOf",
    args: [demoWallet().address],
  });
  return BigInt(await rpc.call<Hex>("eth_call", [{ to: registry, data }, "latest"])) !== 0n;
}
