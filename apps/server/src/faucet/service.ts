import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { FaucetResult } from "@aqua/sdk/api/faucet";
import type { Deployment } from "@aqua/sdk/deployment";
import { HOUR_MS } from "@aqua/sdk/durations";
import { getAddress, type Hex, type PublicClient, parseEther, parseUnits } from "viem";
import { isAway } from "../chain/away.ts";
import { CallReverted, createSender } from "../chain/sender.ts";
import { ApiError } from "../errors.ts";
import type { Limits } from "../limits/limits.ts";
import { networkOf } from "../limits/network.ts";

export interface FaucetParts {
  client: PublicClient;
  deployment: Deployment & { test_dollar: string };
  faucetKey: Hex;
  limits: Limits;
}

export interface FaucetService {
  /** Sends test dollars and gas to `address`. The caller is at `ip`. */
  fill(address: string, ip: string): Promise<FaucetResult>;
}

const ASSETS = "10000";
const GAS = "1";
const perAddress = { name: "faucet.address", most: 5, windowMs: HOUR_MS };
const perNetwork = { name: "faucet.ip", most: 200, windowMs: HOUR_MS };

/** Test dollars and gas for anyone. The faucet exists only on the local chain, where they have no value. */
export function createFaucetService({ client, deployment, faucetKey, limits }: FaucetParts): FaucetService {
  const faucet = createSender(client, faucetKey);
  return {
    async fill(text, ip) {
      const address = getAddress(text);
      await limits.spend([
        { rule: perAddress, whom: address },
        { rule: perNetwork, whom: networkOf(ip) },
      ]);
      try {
        // Gas is sent first: if the receiver is a contract that accepts no coin, this fails before anything is sent.
        const gas = await faucet.transfer(address, parseEther(GAS));
        const assets = await faucet.call({
          address: deployment.test_dollar as Hex,
          abi: testDollarAbi,
          functionName: "mint",
          args: [address, parseUnits(ASSETS, 6)],
        });
        // Waits for both together, because one block can contain both.
        await faucet.included([gas, assets]);
        return { assets: ASSETS, gas: GAS, hashes: [assets, gas] };
      } catch (error) {
        if (isAway(error)) {
          throw new ApiError("chain_unavailable", "The local chain does not answer; try again in a moment");
        }
        if (!(error instanceof CallReverted)) throw error;
        const message = "This address does not take test dollars or gas";
        throw new ApiError("validation_error", message, { details: [{ path: "address", message }] });
      }
    },
  };
}
