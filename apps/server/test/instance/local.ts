import { roleKey } from "../../../../devnet/src/accounts.ts";
import { type Chain, startChain } from "../../../../devnet/src/chain.ts";
import {
  type DeployedWorld,
  deployContracts,
  deploymentsFolder,
  writeDeployment,
} from "../../../../devnet/src/deploy.ts";
import { productsFolder } from "../../../../devnet/src/documents.ts";
import { Sender } from "../../../../devnet/src/sender.ts";
import { freePort } from "../../../../devnet/test/support/port.ts";

import { makeDataFolder, removeDataFolder } from "../support/dataFolder.ts";

export interface LocalChain {
  chain: Chain;
  deployed: DeployedWorld;
  /** Settings of a server for this chain, with a data folder of its own and any free port. */
  environment: Record<string, string>;
  remove(): Promise<void>;
}

/** A local chain with deployed contracts, which mines one block per transaction. */
export async function openLocalChain(): Promise<LocalChain> {
  const folder = await makeDataFolder();
  const chain = await startChain({ port: await freePort(), blockTime: "manual" });
  try {
    const deployed = await deployContracts(await Sender.on(chain.rpc));
    await chain.follow("auto");
    await writeDeployment(folder, deployed.deployment);
    const environment = {
      PORT: "0",
      MQTT_PORT: "off",
      DATA_DIR: folder,
      RPC_URL_31337: chain.url,
      DEPLOYMENTS_DIR: deploymentsFolder(folder),
      PRODUCTS_DIR: productsFolder,
      FAUCET_PRIVATE_KEY: roleKey("faucet"),
      ATTESTER_PRIVATE_KEY: roleKey("attester"),
      LOG_LEVEL: "info",
    };
    const remove = async () => {
      await chain.stop();
      await removeDataFolder(folder);
    };
    return { chain, deployed, environment, remove };
  } catch (error) {
    await chain.stop();
    throw error;
  }
}
