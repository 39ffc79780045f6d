import { rpcCodes } from "../lifecycle/refusal.ts";
import { type Asked, ProviderError } from "./provider.ts";

export interface PendingRequest {
  id: number;
  asked: Asked;
  approve(): void;
  reject(): void;
}

let queue: readonly PendingRequest[] = [];
let count = 0;
const listeners = new Set<() => void>();

function change(next: readonly PendingRequest[]) {
  queue = next;
  for (const listener of listeners) listener();
}

/** The request the owner has to answer now; the others wait behind it. */
export function currentRequest(): PendingRequest | null {
  return queue[0] ?? null;
}

export function subscribeRequests(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Puts a request before the owner. Resolves when agreed to; throws ProviderError 4001 when refused. */
export function askOwner(asked: Asked): Promise<void> {
  count += 1;
  const id = count;
  return new Promise((resolve, reject) => {
    const settle = (answer: () => void) => () => {
      change(queue.filter((request) => request.id !== id));
      answer();
    };
    const refused = new ProviderError(rpcCodes.userRejected, "User rejected the request.");
    change([...queue, { id, asked, approve: settle(resolve), reject: settle(() => reject(refused)) }]);
  });
}
