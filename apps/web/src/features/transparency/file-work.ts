import type { ChainReader } from "@aqua/sdk/proofs/chain";
import { type FileStep, type PublishedBatch, verifyAnchoring, verifyBatchFile } from "@aqua/sdk/proofs/verifyFile";

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

/** A worker as its page has it, or the page as its worker has it. */
export interface Line {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

export function doTask(
  { file, trusted, published, only }: FileTask,
  call: ChainReader["call"],
  onChecked: (checked: Checked) => void | Promise<void>,
): Promise<FileStep[]> {
  if (published === null) return verifyBatchFile(file, null);
  const chain = { ...trusted, call };
  return only === "anchoring"
    ? verifyAnchoring(file, chain, published)
    : verifyBatchFile(file, chain, published, onChecked);
}

/** What a worker does all its life: the task it is sent. */
export function serveTask(page: Line): void {
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
      doTask(data.task, call, say).then(
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
