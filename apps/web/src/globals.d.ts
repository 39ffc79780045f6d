/** True in builds with the demo wallet (modes `demo`, `development`); a compile-time constant, see vite.config.ts. */
declare const __DEMO__: boolean;

interface Window {
  /** Ends the waiting of src/early.js; the button pressed last meanwhile, and fields that changed. Gone once it was called. */
  takeEarlyInput?: () => { pressed: HTMLElement | null; entered: Set<HTMLInputElement | HTMLSelectElement> };
}
