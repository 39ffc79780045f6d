/** A text of the server that the connected wallet signs to prove ownership. */
export interface ProofTask {
  /** The exact text for this wallet on this chain. Throws when the server returns none. */
  prepare(address: `0x${string}`, chainId: number): Promise<string>;
  /** Sends the signed text to the server. Throws when it is not accepted. */
  verify(message: string, signature: `0x${string}`): Promise<void>;
}

export interface RecentTransaction {
  /** Its wallet and chain. */
  address: `0x${string}`;
  chainId: number;
  hash: `0x${string}`;
  description: string;
}

/** What the mounted island offers the shell, available once its providers are mounted. */
export interface IslandControls {
  /** Asks `isWanted` just before the dialog opens; false leaves it closed. Resolves once that is done. */
  openConnect(isWanted: () => boolean): Promise<void>;
  openAccount(): void;
  openNetwork(): void;
  disconnect(): Promise<void>;
  switchChain(chainId: number): Promise<void>;
  /**
   * Opens the kit's sign-in dialog, or its connect dialog first when there is no wallet. False when the visitor
   * cancelled.
   */
  signIn(task: ProofTask): Promise<boolean>;
  /** Reconnects the wallet used last; resolves when it is connected or known to be unavailable. */
  reconnect(): Promise<void>;
  /** Adds it to the kit's recent transactions, unless its wallet has been disconnected or changed meanwhile. */
  addRecentTransaction(transaction: RecentTransaction): void;
}

let current: IslandControls | null = null;
const waiting: ((controls: IslandControls) => void)[] = [];
/** Remounts the island after a crash. */
let revive: (() => void) | null = null;

/** Called by the island's first effect, also after a crash. */
export function islandReady(controls: IslandControls): void {
  current = controls;
  revive = null;
  for (const resolve of waiting.splice(0)) resolve(controls);
}

/** The island crashed: its controls are unusable until `again` has remounted it. */
export function islandCrashed(again: () => void): void {
  current = null;
  revive = again;
}

export function isIslandReady(): boolean {
  return current !== null;
}

/** Resolves when the island is mounted, and remounts it after a crash; stays pending while nothing has requested it. */
export function whenIslandReady(): Promise<IslandControls> {
  if (current !== null) return Promise.resolve(current);
  const ready = new Promise<IslandControls>((resolve) => {
    waiting.push(resolve);
  });
  revive?.();
  return ready;
}
