import { defineConfig } from "vite";

/**
 * Like the app's configuration: an SDK that is never opened is replaced by an empty package, which has only one entry.
 */
export default defineConfig({ resolve: { alias: { "@reown/appkit/core": "@reown/appkit" } } });
