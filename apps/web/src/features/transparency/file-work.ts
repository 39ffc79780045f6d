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

/** What is to be checked of a batch file: every step, or only whether the chain holds it. */
export interface FileTask {
  file: Uint8Array;
  trusted: Pick<ChainReader, "chainId" | "contract"> | null;
  /** Null: of a file that is none the chain is not asked. */
  published: PublishedBatch | null;
  only: "anchoring" | null;
}

export interface Checked {
  checked: number;
  of: number;
}

/** From the page: a task, and then what the chain answered to a call; none where nobody did. */
export type ToWorker = { task: FileTask } | { answered: number; result?: string };
/** From the worker. The visitor's wallet lives in the page, so the chain is asked there. */
export type FromWorker =
  | { call: number; to: `0x${string}`; data: `0x${string}` }
  | Checked
  | { steps: FileStep[] }
  | { failed: string };

/** Files of some hundred readings are checked before helpers were started. */
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

/** What a worker does all its life: the task it is sent. */
export function serveTask(page: MessagePeer): void {
  const waiting = new Map<number, { resolve: (result: string) => void; reject: (error: Error) => void }>();
  const say = (message: FromWorker) => page.postMessage(message);
  let calls = 0;
  const call: ChainReader["call"] = (to, data) =>
    new Promise((resolve, reject) => {
      const id = ++calls;
      waiting.set(id, { resolve, reject });
      say({ call: id, to, data });
    });
  page.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
    if ("task" in data) {
      const { task } = data;
      const helpers = task.only === null && task.file.length >= worthSharing ? shared() : null;
      doTask({ task, call, onChecked: say, signatures: helpers ?? alone })
        .finally(() => helpers?.end())
        .then(
          (steps) => say({ steps }),
          (error: unknown) => say({ failed: String(error) }),
        );
      return;
    }
    const asked = waiting.get(data.answered);
    waiting.delete(data.answered);
    if (data.result === undefined) asked?.reject(new Error("Nobody answered for the chain"));
    else asked?.resolve(data.result);
  });
}
