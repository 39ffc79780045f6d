/** A text of the server that the connected wallet signs to prove who holds it. */
export interface ProofTask {
  /** The exact text for this wallet on this chain. Throws when the server gives none. */
  prepare(address: `0x${string}`, chainId: number): Promise<string>;
  /** Shows the server the signed text. Throws when it does not accept it. */
  verify(message: string, signature: `0x${string}`): Promise<void>;
}

export interface RecentTransaction {
  /** Whose it is, and where. */
  address: `0x${string}`;
  chainId: number;
  hash: `0x${string}`;
  description: string;
}

/** What the mounted island offers the shell, available once its providers are mounted. */
export interface IslandControls {
  openConnect(): void;
  openAccount(): void;
  openNetwork(): void;
  disconnect(): Promise<void>;
  switchChain(chainId: number): Promise<void>;
  /** Opens the kit's sign-in dialog, its connect dialog first when there is no wallet. False when the visitor gave up. */
  signIn(task: ProofTask): Promise<boolean>;
  /** Tries the wallet used last; resolves when it is connected or known to be gone. */
  reconnect(): Promise<void>;
  /** Lists it among the kit's recent ones, unless the wallet that sent it has been disconnected or changed meanwhile. */
  addRecentTransaction(transaction: RecentTransaction): void;
}

let current: IslandControls | null = null;
const waiting: ((controls: IslandControls) => void)[] = [];
/** Renders the island anew after it has broken. */
let revive: (() => void) | null = null;

/** The island calls this from its first effect, again after a crash. */
export function islandReady(controls: IslandControls): void {
  current = controls;
  revive = null;
  for (const resolve of waiting.splice(0)) resolve(controls);
}

/** The island broke: its controls lead nowhere until `again` has rendered it anew. */
export function islandCrashed(again: () => void): void {
  current = null;
  revive = again;
}

/** Resolves when the island is mounted, which is tried again after a crash; stays pending while nobody asked for it. */
export function whenIslandReady(): Promise<IslandControls> {
  if (current !== null) return Promise.resolve(current);
  const ready = new Promise<IslandControls>((resolve) => {
    waiting.push(resolve);
  });
  revive?.();
  return ready;
}
