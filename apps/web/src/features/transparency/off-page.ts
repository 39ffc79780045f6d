import type { ChainReader } from "@aqua/sdk/proofs/chain";
import type { FileStep } from "@aqua/sdk/proofs/verifyFile";
import type { Checked, FileTask, FromWorker, ToWorker } from "./batch-file-task.ts";

interface Asking {
  /** Performs the chain calls. Runs in the page. */
  call: ChainReader["call"];
  signal: AbortSignal;
  onChecked: (checked: Checked) => void;
}

/** Delay before the first progress report of a check, and between further reports, in milliseconds. */
const pace = { first: 1_000, next: 250 };

/**
 * Runs a task in a worker, because tens of thousands of signatures take a minute and the page must stay responsive.
 * Without workers the task runs in the page, with pauses.
 */
export async function doOffPage(task: FileTask, { call, signal, onChecked }: Asking): Promise<FileStep[]> {
  signal.throwIfAborted();
  const asking = { call, signal, onChecked: paced(onChecked) };
  const worker = startWorker();
  const done = worker && (await byWorker(worker, task, asking).finally(() => worker.terminate()));
  return done ?? inPage(task, asking);
}

function startWorker(): Worker | null {
  try {
    return new Worker(new URL("./batch-file-worker.ts", import.meta.url), { type: "module" });
  } catch {
    // Workers are unavailable or not allowed.
    return null;
  }
}

/** Resolves to null if the worker could not be loaded. */
function byWorker(worker: Worker, task: FileTask, { call, signal, onChecked }: Asking): Promise<FileStep[] | null> {
  return new Promise((resolve, reject) => {
    const send = (message: ToWorker) => worker.postMessage(message);
    let hasStarted = false;
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.addEventListener("error", () => {
      if (hasStarted) reject(new Error("The worker stopped before the check ended"));
      else resolve(null);
    });
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      hasStarted = true;
      if ("call" in data)
        call(data.to, data.data).then(
          (result) => send({ answered: data.call, result }),
          () => send({ answered: data.call }),
        );
      else if ("checked" in data) onChecked(data);
      else if ("steps" in data) resolve(data.steps);
      else reject(new Error(data.failed));
    });
    send({ task });
  });
}

async function inPage(task: FileTask, { call, signal, onChecked }: Asking): Promise<FileStep[]> {
  const { doTask } = await import("./batch-file-task.ts");
  return doTask({
    task,
    call,
    async onChecked(checked) {
      onChecked(checked);
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
    },
  });
}

function paced(onChecked: (checked: Checked) => void): (checked: Checked) => void {
  let due = performance.now() + pace.first;
  return (checked) => {
    const now = performance.now();
    if (now < due) return;
    due = now + pace.next;
    onChecked(checked);
  };
}
