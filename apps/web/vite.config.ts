import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunkModules } from "./scripts/chunk-modules.ts";
import { compiledCatalogs } from "./scripts/compiled-catalogs.ts";
import { preloadLatinFonts } from "./scripts/preload-fonts.ts";

/**
 * Modes: `production` leaves the demo wallet out, `demo` and `development` carry it. `__DEMO__` is a constant, so the
 * bundler drops the branch that imports it.
 */
export default defineConfig(({ mode }) => {
  const api = process.env.AQUA_API ?? "http://localhost:8080";
  return {
    plugins: [
      compiledCatalogs(),
      react(),
      tailwindcss(),
      preloadLatinFonts(),
      chunkModules(fileURLToPath(new URL("../..", import.meta.url))),
    ],
    // WalletConnect asks for its own dialog, an SDK whose licence forbids free use and which we never open; the empty
    // package that stands in for it has one entry only.
    resolve: { alias: { "@reown/appkit/core": "@reown/appkit" } },
    define: { __DEMO__: JSON.stringify(mode !== "production") },
    build: {
      outDir: `dist/${mode === "demo" ? "demo" : "production"}`,
      emptyOutDir: true,
      manifest: true,
      target: "es2023",
      // The Content-Security-Policy allows fonts from this origin only, so none may become a data: URL.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 900,
    },
    server: {
      port: Number(process.env.WEB_PORT ?? 5173),
      strictPort: true,
      proxy: { "/api": api, "/rpc": api },
    },
  };
});
