/** True in builds with the demo wallet (modes `demo`, `development`); a compile-time constant, see vite.config.ts. */
declare const __DEMO__: boolean;
