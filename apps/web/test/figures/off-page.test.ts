import type { FileStep } from "@aqua/sdk/proofs/verifyFile";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type FileTask, type Line, serveTask } from "../../src/features/transparency/file-work.ts";
import { doOffPage } from "../../src/features/transparency/off-page.ts";
import { aBatchFile } from "../readings/proofs.ts";

/** A worker that runs the worker's own code on the other end of a real channel. */
function workers(load: "loads" | "fails" = "loads") {
  const made: { ended: boolean }[] = [];
  class FakeWorker implements Line {
    ended = false;
    readonly #channel = new MessageChannel();
    readonly #failed: (() => void)[] = [];
    constructor() {
      made.push(this);
      const { port1, port2 } = this.#channel;
      if (load === "loads") serveTask(port2);
      else
        queueMicrotask(() => {
          for (const listener of this.#failed) listener();
        });
      port1.start();
      port2.start();
    }
    postMessage(message: unknown) {
      this.#channel.port1.postMessage(message);
    }
    addEventListener(type: "message" | "error", listener: (event: MessageEvent) => void) {
      if (type === "error") this.#failed.push(listener as () => void);
      else this.#channel.port1.addEventListener("message", listener);
    }
    terminate() {
      this.ended = true;
      this.#channel.port1.close();
      this.#channel.port2.close();
    }
  }
  vi.stubGlobal("Worker", FakeWorker);
  return made;
}

afterEach(() => vi.unstubAllGlobals());

const unanswered = () => Promise.reject(new Error("nobody"));
const taskOf = async (change: Partial<FileTask> = {}): Promise<FileTask> => ({
  ...{ file: (await aBatchFile()).file, trusted: null, published: {}, only: null },
  ...change,
});
const states = (steps: readonly FileStep[]) => steps.map(({ step, state }) => `${step} ${state}`);

const ways = [
  ["a worker", () => workers()],
  ["a browser without workers", () => vi.stubGlobal("Worker", undefined)],
  ["a browser that does not load the worker", () => workers("fails")],
] as const;

describe.each(ways)("a batch file checked by %s", (_, prepare) => {
  const ask = async (task: FileTask, call: (to: string, data: string) => Promise<string>) => {
    prepare();
    return doOffPage(task, { call, signal: new AbortController().signal, onChecked: () => {} });
  };

  it("has the chain asked by the page, and every step told", async () => {
    const { call } = await aBatchFile();
    const asked = vi.fn(call);
    expect(states(await ask(await taskOf(), asked))).toEqual([
      ...["form pass", "key pass", "signature pass", "chain pass", "tree pass", "batch pass", "anchored pass"],
      "time pass",
    ]);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("leaves open what nobody answers, and asks nobody about what is no batch", async () => {
    const steps = await ask(await taskOf(), unanswered);
    expect(steps.filter(({ reason }) => reason === "chain_away").map(({ step }) => step)).toEqual([
      ...["key", "signature", "anchored"],
    ]);
    const asked = vi.fn(unanswered);
    const none = await ask(await taskOf({ file: new Uint8Array([1]), published: null }), asked);
    expect(none[0]).toMatchObject({ step: "form", state: "fail" });
    expect(asked).not.toHaveBeenCalled();
  });

  it("can be asked about the chain alone", async () => {
    const { call } = await aBatchFile();
    expect(states(await ask(await taskOf({ only: "anchoring" }), call))).toEqual(["batch pass", "anchored pass"]);
  });
});

describe("a check that takes its time", () => {
  it("is told of after a second, and then four times a second", async () => {
    workers();
    const times = [0, 900, 1_000, 1_200, 1_250];
    const clock = vi.spyOn(performance, "now").mockImplementation(() => times.shift() ?? 1_300);
    const { call, file } = await aBatchFile(64 * 4);
    const seen: number[] = [];
    await doOffPage(await taskOf({ file }), {
      ...{ call, signal: new AbortController().signal },
      onChecked: ({ checked, of }) => seen.push(checked / of),
    });
    clock.mockRestore();
    expect(seen).toEqual([0.25, 0.75]);
  });

  it.each([
    ["ends its worker", () => workers()],
    [
      "stops in the page",
      () => {
        vi.stubGlobal("Worker", undefined);
        return [];
      },
    ],
  ])("%s when it is closed", async (_, prepare) => {
    const made = prepare();
    const closing = new AbortController();
    const { file, call } = await aBatchFile();
    const asking = { signal: closing.signal, onChecked: () => {} };
    const task = await taskOf({ file });
    // Closed while the chain is being asked.
    const running = doOffPage(task, {
      ...asking,
      call: (...asked) => call(...asked).finally(() => closing.abort()),
    });
    await expect(running).rejects.toThrow(/abort/i);
    expect(made.every(({ ended }) => ended)).toBe(true);
    await expect(doOffPage(task, { ...asking, call })).rejects.toThrow(/abort/i);
  });
});
