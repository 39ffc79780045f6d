import { signMessage } from "wagmi/actions";
import { prepareIsland } from "../connect/config.ts";

/** Has the connected wallet sign a text. Throws the wallet's error, also for a rejection. */
export async function signText(account: `0x${string}`, message: string): Promise<`0x${string}`> {
  const { config } = await prepareIsland();
  return signMessage(config, { account, message });
}
