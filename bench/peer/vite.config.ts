import { defineConfig } from "vite";

/** As in the app's: an SDK that is never opened is replaced by an empty package, which has one entry only. */
export default defineConfig({ resolve: { alias: { "@reown/appkit/core": "@reown/appkit" } } });
