/** What the mounted island offers the shell; handed over once its providers stand. */
export interface IslandControls {
  openConnect(): void;
  openAccount(): void;
  openNetwork(): void;
  disconnect(): Promise<void>;
  switchChain(chainId: number): Promise<void>;
  /** Tries the wallet used last; resolves when it is connected or known to be gone. */
  reconnect(): Promise<void>;
  addRecentTransaction(transaction: { hash: `0x${string}`; description: string }): void;
}

let handOver: (controls: IslandControls) => void = () => undefined;
const ready = new Promise<IslandControls>((resolve) => {
  handOver = resolve;
});

/** The island calls this from its first effect. */
export function islandReady(controls: IslandControls): void {
  handOver(controls);
}

/** Resolves when the island stands; stays pending while nobody asked for it. */
export function whenIslandReady(): Promise<IslandControls> {
  return ready;
}
