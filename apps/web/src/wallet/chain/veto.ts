import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { type Address, encodeFunctionData } from "viem";
import type { Config } from "wagmi";
import { getAccount, switchChain } from "wagmi/actions";
import { t } from "../../i18n/i18n.ts";
import { prepareIsland } from "../connect/config.ts";
import { runCall } from "../lifecycle/actions.ts";
import { explainError } from "../lifecycle/explain.ts";
import { isRefusal } from "../lifecycle/refusal.ts";
import { ActionError, type ActionStage, type Report } from "../lifecycle/stages.ts";
import { chainClient } from "./client.ts";
import { sendTracked, simulate } from "./send.ts";

/** A wallet that another is to replace, and the registry it says no to. */
export interface Veto {
  chainId: number;
  registry: Address;
  wallet: Address;
}

/** Has the wallet move to the chain, unless it is there already. Throws its rejection. */
async function moveTo(config: Config, chainId: number): Promise<void> {
  if (getAccount(config).chainId === chainId) return;
  try {
    await switchChain(config, { chainId });
  } catch (error) {
    throw isRefusal(error) ? error : new ActionError("cannotSwitch", {}, { cause: error });
  }
}

/**
 * Has `wallet` veto the recovery proposed against it, in one transaction, from whatever network it is on. Frozen wallets
 * can do so too.
 */
export async function performVeto(
  { chainId, registry, wallet }: Veto,
  scope: string,
  report: Report,
): Promise<ActionStage> {
  const { config } = await prepareIsland();
  const client = chainClient(config, chainId);
  const call = { to: registry, data: encodeFunctionData({ abi: identityRegistryAbi, functionName: "vetoRecovery" }) };
  const description = {
    scope,
    kind: "veto",
    shortId: null,
    amount: null,
    symbol: null,
    assetDecimals: 0,
    shareDecimals: 0,
    description: t("transact.describe.veto"),
  } as const;
  const steps = {
    simulate: () => simulate(client, wallet, call),
    send: async () => {
      await moveTo(config, chainId);
      return sendTracked({ config, client, owner: wallet, call, description });
    },
  };
  return runCall(steps, (error) => explainError(error, { assetDecimals: 0, shareDecimals: 0 }), report);
}
