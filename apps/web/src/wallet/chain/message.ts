import { signMessage as sign } from "wagmi/actions";
import { prepareIsland } from "../island/config.ts";

/** Asks the connected wallet to sign a plain text (personal_sign). Throws the wallet's error, also for a refusal. */
export async function signMessage(account: `0x${string}`, message: string): Promise<`0x${string}`> {
  const { config } = await prepareIsland();
  return sign(config, { account, message });
}
