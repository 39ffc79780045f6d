import type { Authenticated } from "@aqua/sdk/api/accounts";
import { isRefusal } from "../../wallet/lifecycle/refusal.ts";
import { signMessage } from "../../wallet/operations.ts";
import { getWallet } from "../../wallet/store.ts";
import { api } from "../api.ts";
import { connectWallet } from "../open-wallet.ts";

/**
 * Has the connected wallet sign the server's message and shows it to the server, whose answer this is. Without a wallet
 * it offers to connect one. Null when that was all, or when the visitor refused.
 */
export async function proveWallet(): Promise<Authenticated | null> {
  const { address, chainId } = getWallet();
  if (address === null || chainId === null) {
    await connectWallet();
    return null;
  }
  const { message } = await api.getSignMessage({ address, chain_id: chainId });
  try {
    return await api.authenticate({ message, signature: await signMessage(address, message) });
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}
