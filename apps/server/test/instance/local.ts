import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { createPublicClient, http } from "viem";
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
import { createSender } from "../../src/chain/sender.ts";
import { makeDataFolder, removeDataFolder } from "../support/dataFolder.ts";
import { newDevice, type TestDevice } from "../telemetry/devices.ts";

/** A device whose key is on chain, valid 30 s after now. It measures from then on. */
export async function registerMeter({ chain, deployed }: LocalChain): Promise<TestDevice> {
  const client = createPublicClient({ transport: http(chain.url), cacheTime: 0 });
  const validFrom = Number((await client.getBlock()).timestamp) + 30;
  const meter = newDevice({ name: "meter-1", metric: "energy", start: (validFrom + 1) * 1_000 });
  await createSender(client, roleKey("registrar")).call({
    address: deployed.addresses.telemetryAnchor,
    abi: telemetryAnchorAbi,
    functionName: "registerP256Key",
    args: [nameHex(meter.name), meter.key.x, meter.key.y, BigInt(validFrom)],
  });
  return meter;
}

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
