/** Reports what is being done and how long it took. */
export interface Progress {
  /** Runs one step; says so when it ends, and now and then while it lasts. */
  step<Result>(name: string, work: (note: (text: string) => void) => Promise<Result>): Promise<Result>;
}

const NOTE_EVERY_MS = 2_000;

/** Progress as lines of text. */
export function linesTo(write: (line: string) => void): Progress {
  return {
    async step(name, work) {
      const started = performance.now();
      let noted = started;
      const result = await work((text) => {
        if (performance.now() - noted < NOTE_EVERY_MS) return;
        noted = performance.now();
        write(`  … ${name}: ${text}`);
      });
      write(`  ✓ ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
      return result;
    },
  };
}

/** For tests: says nothing. */
export const silent: Progress = { step: (_name, work) => work(() => {}) };
