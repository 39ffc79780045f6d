import { join } from "node:path";

/** Number of worlds, each with its own chain and server, and therefore of browsers that run in parallel. */
export const worlds = 3;

/** Folder of the documents of a world's products, which tests may change. */
export const productsOf = (index: number) => join(process.env.AQUA_E2E_DATA ?? "", `products${index}`);

/** Seconds between a chain's blocks. */
export const blockTime = 1;

/** Worker 0 and the run itself use the first world. */
export const world = Number(process.env.TEST_PARALLEL_INDEX ?? 0);

export const portsOf = (index: number) => ({
  http: Number(process.env.AQUA_E2E_PORT ?? 28080) + index,
  chain: Number(process.env.AQUA_E2E_CHAIN_PORT ?? 28545) + index,
  mqtt: Number(process.env.AQUA_E2E_MQTT_PORT ?? 28883) + index,
});
const ports = portsOf(world);
export const productsFolder = productsOf(world);
export const origin = `http://localhost:${ports.http}`;
export const chainUrl = `http://127.0.0.1:${ports.chain}`;
