/** True in builds with the demo wallet (modes `demo`, `development`); a compile-time constant, see vite.config.ts. */
declare const __DEMO__: boolean;

/** What src/early.js has kept of a page that cannot answer yet. */
interface EarlyInput {
  /** The button pressed last. */
  pressed: HTMLElement | null;
  /** What fields were changed to last; of a group of radio buttons the chosen one. */
  entered: Map<HTMLInputElement | HTMLSelectElement, { value: string; checked?: boolean }>;
  /** Nothing is kept any more. */
  end: () => void;
}

interface Window {
  /** Gone once all of the page can answer. */
  early?: EarlyInput;
}
