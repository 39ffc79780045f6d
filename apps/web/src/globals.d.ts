/** True in builds that carry the demo wallet (modes `demo`, `development`); a constant, see vite.config.ts. */
declare const __DEMO__: boolean;
