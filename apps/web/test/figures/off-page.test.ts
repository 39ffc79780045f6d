import { alone, type FileStep } from "@aqua/sdk/proofs/verifyFile";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type FileTask, serveTask } from "../../src/features/transparency/batch-file-task.ts";
import { doOffPage } from "../../src/features/transparency/off-page.ts";
import { type MessagePeer, serveSignatures } from "../../src/features/transparency/signature-work.ts";
import { aBatchFile } from "../readings/proofs.ts";

/** Creates workers that run the real worker code at the other end of a channel. `helpers`: true if helper workers load. */
function workers(load: "loads" | "fails" = "loads", helpers: "load" | "fail" | "none" = "load") {
  const made: { ended: boolean; helper: boolean; asked: number }[] = [];
  class FakeWorker implements MessagePeer {
    ended = false;
    asked = 0;
    readonly helper: boolean;
    readonly #channel = new MessageChannel();
    readonly #failed: (() => void)[] = [];
    constructor(url: URL) {
      this.helper = url.pathname.includes("signature-worker");
      if (this.helper && helpers === "none") throw new Error("no worker within another");
      made.push(this);
      const { port1, port2 } = this.#channel;
      if (this.helper && helpers === "load") serveSignatures(port2);
      else if (!this.helper && load === "loads") serveTask(port2);
      else
        queueMicrotask(() => {
          for (const listener of this.#failed) listener();
        });
      port1.start();
      port2.start();
    }
    postMessage(message: unknown) {
      this.asked++;
      this.#channel.port1.postMessage(message);
    }
    addEventListener(type: "message" | "error", listener: (event: MessageEvent) => void, options?: { once: boolean }) {
      if (type === "error") this.#failed.push(listener as () => void);
      else this.#channel.port1.addEventListener("message", listener, options);
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

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const unanswered = () => Promise.reject(new Error("nobody"));
const taskOf = async (change: Partial<FileTask> = {}): Promise<FileTask> => ({
  file: (await aBatchFile()).file,
  trusted: null,
  published: {},
  only: null,
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

  it("lets the page perform the chain calls, and reports every step", async () => {
    const { call } = await aBatchFile();
    const asked = vi.fn(call);
    expect(states(await ask(await taskOf(), asked))).toEqual([
      ...["form pass", "key pass", "signature pass", "chain pass", "tree pass", "batch pass", "anchored pass"],
      "time pass",
    ]);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("leaves steps open without an answer, and queries nothing for a malformed file", async () => {
    const steps = await ask(await taskOf(), unanswered);
    expect(steps.filter(({ reason }) => reason === "chain_away").map(({ step }) => step)).toEqual([
      ...["key", "signature", "anchored"],
    ]);
    const asked = vi.fn(unanswered);
    const none = await ask(await taskOf({ file: new Uint8Array([1]), published: null }), asked);
    expect(none[0]).toMatchObject({ step: "form", state: "fail" });
    expect(asked).not.toHaveBeenCalled();
  });

  it("can repeat the chain steps alone", async () => {
    const { call } = await aBatchFile();
    expect(states(await ask(await taskOf({ only: "anchoring" }), call))).toEqual(["batch pass", "anchored pass"]);
  });
});

describe("a large batch file", () => {
  const ask = async (file: Uint8Array) => {
    vi.stubGlobal("navigator", { hardwareConcurrency: 3 });
    const { call } = await large;
    return doOffPage(await taskOf({ file }), { call, signal: new AbortController().signal, onChecked: () => {} });
  };
  let large: ReturnType<typeof aBatchFile>;
  beforeAll(() => {
    large = aBatchFile(900);
  });

  it.each([
    ["load", 3],
    ["fail", 3],
    ["none", 0],
  ] as const)(
    "has its signatures distributed over helpers, with the same outcome where they %s",
    async (how, started) => {
      const made = workers("loads", how);
      const { file } = await large;
      expect(new Set((await ask(file)).map(({ state }) => state))).toEqual(new Set(["pass"]));
      const helpers = made.filter(({ helper }) => helper);
      expect(helpers).toHaveLength(started);
      if (how === "load") for (const { asked } of helpers) expect(asked).toBeGreaterThan(1);
      if (how === "load") expect(made.every(({ ended }) => ended)).toBe(true);
      // With two wrong lines the first is reported, although another helper has found the second.
      const lines = new TextDecoder().decode(file).split("\n");
      const corrupted = lines.map((line, index) =>
        index === 101 || index === 180 ? line.replace(/"signature":"0x..../, '"signature":"0x0000') : line,
      );
      const wrong = await ask(new TextEncoder().encode(corrupted.join("\n")));
      expect(wrong.find(({ step }) => step === "signature")).toMatchObject({ state: "fail", line: 102 });
    },
  );

  it("ends with an error where a helper cannot check its share", async () => {
    workers();
    const { file } = await large;
    vi.spyOn(alone, "check").mockRejectedValue(new Error("out of memory"));
    await expect(ask(file)).rejects.toThrow("out of memory");
  });

  it("starts no helpers when it is small", async () => {
    const made = workers();
    const { call } = await aBatchFile();
    await doOffPage(await taskOf(), { call, signal: new AbortController().signal, onChecked: () => {} });
    expect(made.filter(({ helper }) => helper)).toEqual([]);
  });
});

describe("a long check", () => {
  it("reports progress after a second, and then four times a second", async () => {
    workers();
    const times = [0, 900, 1_000, 1_200, 1_250];
    const clock = vi.spyOn(performance, "now").mockImplementation(() => times.shift() ?? 1_300);
    const { call, file } = await aBatchFile(64 * 4);
    const seen: number[] = [];
    await doOffPage(await taskOf({ file }), {
      call,
      signal: new AbortController().signal,
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
    // The check is aborted during a chain call.
    const running = doOffPage(task, {
      ...asking,
      call: (...asked) => call(...asked).finally(() => closing.abort()),
    });
    await expect(running).rejects.toThrow(/abort/i);
    expect(made.every(({ ended }) => ended)).toBe(true);
    await expect(doOffPage(task, { ...asking, call })).rejects.toThrow(/abort/i);
  });
});
