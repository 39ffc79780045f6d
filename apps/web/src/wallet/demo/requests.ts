import { rpcCodes } from "@aqua/sdk/chain/wallet-errors";
import { createStore } from "../../create-store.ts";
import { type OwnerQuestion, ProviderError } from "./provider.ts";

type Hex = `0x${string}`;

/** The accounts that the owner may connect. */
export interface Accounts {
  /** The account that `npm start` prepares. */
  demo: Hex;
  /** The account of this browser. */
  own: Hex;
}

interface Pending {
  id: number;
  reject(): void;
}
export type PendingRequest =
  | (Pending & { question: OwnerQuestion; approve(): void })
  | (Pending & { question: { kind: "account" } & Accounts; approve(account: Hex): void });

/** Requests that wait for the owner. The owner answers the first one next. */
export const pendingRequests = createStore<readonly PendingRequest[]>([]);
let count = 0;

/** Queues a request for the owner. The promise rejects with ProviderError 4001 if the owner rejects the request. */
function enqueue<Answer>(
  make: (parts: Pending & { approve(answer: Answer): void }) => PendingRequest,
): Promise<Answer> {
  count += 1;
  const id = count;
  const remove = () => pendingRequests.set(pendingRequests.get().filter((request) => request.id !== id));
  return new Promise((resolve, reject) => {
    const request = make({
      id,
      approve: (answer) => {
        remove();
        resolve(answer);
      },
      reject: () => {
        remove();
        reject(new ProviderError(rpcCodes.userRejected, "User rejected the request."));
      },
    });
    pendingRequests.set([...pendingRequests.get(), request]);
  });
}

/** Resolves if the owner agrees. Otherwise throws ProviderError 4001. */
export function askOwner(question: OwnerQuestion): Promise<void> {
  return enqueue<void>((parts) => ({ ...parts, question }));
}

/** Resolves to the account that the owner connects. Throws ProviderError 4001 if the owner chooses none. */
export function chooseAccount(accounts: Accounts): Promise<Hex> {
  return enqueue<Hex>((parts) => ({ ...parts, question: { kind: "account", ...accounts } }));
}
