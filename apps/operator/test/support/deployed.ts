import { readConfig } from "@aqua/contracts/deploy/config";
import { readDeployment } from "@aqua/contracts/deploy/files";
import { deploy } from "@aqua/contracts/deploy/run";
import type { Deployment } from "@aqua/sdk/deployment";
import type { LocalAccount } from "viem";
import type { Anvil } from "./anvil.ts";
import { writeConfig } from "./config.ts";

/** Deploys a configuration on a chain, as `aqua deploy --send` does, and returns what it wrote into the folder. */
export async function deployed(
  chain: Pick<Anvil, "url">,
  { folder, deployer, content }: { folder: string; deployer: LocalAccount; content: { chain_id: number } },
): Promise<Deployment> {
  await deploy({
    config: await readConfig(await writeConfig(folder, "config", content)),
    rpcUrl: chain.url,
    deployer: deployer.address,
    account: deployer,
    send: true,
    plainCreate: false,
    folder,
    startBlock: null,
    confirmations: 1,
    overview: () => {},
    progress: () => {},
  });
  const found = await readDeployment(folder, content.chain_id);
  if (found === null) throw new Error("nothing was deployed");
  return found;
}
