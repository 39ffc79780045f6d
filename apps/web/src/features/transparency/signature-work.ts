import { alone, type SignatureCheck, type Signed } from "@aqua/sdk/proofs/verifyFile";

/** The maximum number of workers. More would not speed up the check of a few readings. */
const maxWorkers = 8;

/** A worker seen from its owner, or the owner seen from its worker. */
export interface MessagePeer {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

type Answer = { holds: (boolean | null)[] } | { failed: string };

/** A helper's main function: checks the signatures it receives. */
export function serveSignatures(owner: MessagePeer): void {
  owner.addEventListener("message", ({ data }: MessageEvent<readonly Signed[]>) => {
    const send = (answer: Answer) => owner.postMessage(answer);
    alone.check(data).then(
      (holds) => send({ holds }),
      (error: unknown) => send({ failed: String(error) }),
    );
  });
}

/**
 * Distributes signatures over workers, one per core. If a worker cannot be started or loaded, its share is checked
 * here. The workers end with the worker that started them, or with `end`.
 */
export function shared(): SignatureCheck & { end(): void } {
  const helpers = Array.from({ length: Math.min(maxWorkers, navigator.hardwareConcurrency || 1) }, startHelper);
  return {
    atOnce: alone.atOnce * helpers.length,
    async check(signed) {
      const share = Math.ceil(signed.length / helpers.length);
      const parts = helpers.map((helper, index) => helper.check(signed.slice(index * share, (index + 1) * share)));
      return (await Promise.all(parts)).flat();
    },
    end: () => {
      for (const helper of helpers) helper.end();
    },
  };
}

function startHelper(): Pick<SignatureCheck, "check"> & { end(): void } {
  let worker: Worker | null = null;
  let fail = () => {};
  try {
    worker = new Worker(new URL("./signature-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("error", () => {
      worker = null;
      fail();
    });
  } catch {
    // Workers are unavailable, or a worker may not start another one.
  }
  return {
    check: (signed) =>
      new Promise((resolve, reject) => {
        const checkHere = () => alone.check(signed).then(resolve, reject);
        if (worker === null) return checkHere();
        fail = checkHere;
        const onAnswer = ({ data }: MessageEvent<Answer>) =>
          "holds" in data ? resolve(data.holds) : reject(new Error(data.failed));
        worker.addEventListener("message", onAnswer, { once: true });
        worker.postMessage(signed);
      }),
    end: () => worker?.terminate(),
  };
}
