import type { ChainReader } from "@aqua/sdk/proofs/chain";
import {
  alone,
  type FileStep,
  type PublishedBatch,
  type SignatureCheck,
  verifyAnchoring,
  verifyBatchFile,
} from "@aqua/sdk/proofs/verifyFile";
import { type MessagePeer, shared } from "./signature-work.ts";

/** A check of a batch file: every step, or only the anchoring on chain. */
export interface FileTask {
  file: Uint8Array;
  trusted: Pick<ChainReader, "chainId" | "contract"> | null;
  /** Null for a malformed file; the chain is then not queried. */
  published: PublishedBatch | null;
  only: "anchoring" | null;
}

export interface Checked {
  checked: number;
  of: number;
}

/** Messages from the page: first a task, then the results of chain calls. `result` is missing if the call failed. */
export type ToWorker = { task: FileTask } | { answered: number; result?: string };
/** Messages from the worker. Chain calls run in the page, where the visitor's wallet is. */
export type FromWorker =
  | { call: number; to: `0x${string}`; data: `0x${string}` }
  | Checked
  | { steps: FileStep[] }
  | { failed: string };

/**
 * The minimum size, in bytes, of a file that helper workers check. A smaller file is checked sooner without them: some
 * hundred signatures are checked in the time that a helper needs to start.
 */
const worthSharing = 256 * 1024;

export function doTask({
  task: { file, trusted, published, only },
  call,
  onChecked,
  signatures = alone,
}: {
  task: FileTask;
  call: ChainReader["call"];
  onChecked: (checked: Checked) => void | Promise<void>;
  signatures?: SignatureCheck;
}): Promise<FileStep[]> {
  if (published === null) return verifyBatchFile(file, { chain: null });
  const chain = { ...trusted, call };
  return only === "anchoring"
    ? verifyAnchoring(file, chain, published)
    : verifyBatchFile(file, { chain, published, onChecked, signatures });
}

/** A worker's main function: runs the task it receives. */
export function serveTask(page: MessagePeer): void {
  const pendingCalls = new Map<number, { resolve: (result: string) => void; reject: (error: Error) => void }>();
  const send = (message: FromWorker) => page.postMessage(message);
  let calls = 0;
  const call: ChainReader["call"] = (to, data) =>
    new Promise((resolve, reject) => {
      const id = ++calls;
      pendingCalls.set(id, { resolve, reject });
      send({ call: id, to, data });
    });
  page.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
    if ("task" in data) {
      const { task } = data;
      const helpers = task.only === null && task.file.length >= worthSharing ? shared() : null;
      doTask({ task, call, onChecked: send, signatures: helpers ?? alone })
        .finally(() => helpers?.end())
        .then(
          (steps) => send({ steps }),
          (error: unknown) => send({ failed: String(error) }),
        );
      return;
    }
    const pendingCall = pendingCalls.get(data.answered);
    pendingCalls.delete(data.answered);
    if (data.result === undefined) pendingCall?.reject(new Error("No node answered the chain call"));
    else pendingCall?.resolve(data.result);
  });
}
