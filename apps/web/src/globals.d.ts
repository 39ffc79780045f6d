/** True in builds with the demo wallet (modes `demo`, `development`); a compile-time constant, see vite.config.ts. */
declare const __DEMO__: boolean;

interface Window {
  /** Ends the waiting of src/early.js; the button pressed last meanwhile. Gone once it was called. */
  takeEarlyPress?: () => HTMLElement | null;
}
