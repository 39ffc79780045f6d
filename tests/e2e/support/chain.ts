import { createPublicClient, createTestClient, defineChain, http } from "viem";
import { chainUrl } from "./ports";

export const localChain = defineChain({
  id: 31337,
  name: "Aqua Local",
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [chainUrl] } },
});

export const chain = createPublicClient({ chain: localChain, transport: http(chainUrl), pollingInterval: 100 });
const controls = createTestClient({ chain: localChain, mode: "anvil", transport: http(chainUrl) });

/** Stops the chain's blocks while `work` runs, so that sent transactions stay pending. */
export async function withoutBlocks<T>(work: () => Promise<T>): Promise<T> {
  const interval = await controls.request({ method: "anvil_getIntervalMining" as never });
  await controls.setIntervalMining({ interval: 0 });
  try {
    return await work();
  } finally {
    await controls.mine({ blocks: 1 });
    await controls.setIntervalMining({ interval });
  }
}

/** Mines a block now. */
export const mine = (): Promise<void> => controls.mine({ blocks: 1 });

/** Mines one block with the transactions of `send`, which receives the block's time (Unix seconds) beforehand. */
export function inBlockAt<T>(send: (time: bigint) => Promise<T>): Promise<T> {
  return withoutBlocks(async () => {
    const { timestamp } = await chain.getBlock();
    const now = BigInt(Math.floor(Date.now() / 1000));
    const time = now > timestamp ? now : timestamp + 1n;
    await controls.setNextBlockTimestamp({ timestamp: time });
    return send(time);
  });
}

/** Gives an address this many whole coins of the chain. */
export function setBalance(address: `0x${string}`, coins: bigint): Promise<void> {
  return controls.setBalance({ address, value: coins * 10n ** 18n });
}
