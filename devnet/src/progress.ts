/** Reports each step and how long it took. */
export interface Progress {
  /** Runs one step. Reports its end, and now and then that it still runs. */
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

/** Reports nothing; for tests. */
export const silent: Progress = { step: (_name, work) => work(() => {}) };
