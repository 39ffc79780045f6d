import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunkModules } from "./scripts/chunk-modules.ts";
import { chunkGroups } from "./scripts/chunks.ts";
import { compiledCatalogs } from "./scripts/compiled-catalogs.ts";
import { compressedFiles } from "./scripts/compressed-files.ts";
import { preloadLatinFonts } from "./scripts/preload-fonts.ts";

const reactRouter = fileURLToPath(import.meta.resolve("react-router")).replace("/development/", "/production/");

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Modes: `production` excludes the demo wallet, `demo` and `development` include it. `__DEMO__` is a constant, so the
 * bundler removes the branch that imports it. `vite build --ssr` builds the server's renderer next to the files that
 * are served.
 */
export default defineConfig(({ command, mode, isSsrBuild = false }) => {
  const folder = `dist/${mode === "demo" ? "demo" : "production"}`;
  const api = process.env.AQUA_API ?? "http://localhost:8080";
  return {
    plugins: [
      compiledCatalogs(),
      react(),
      tailwindcss(),
      preloadLatinFonts(),
      chunkModules(at("../..")),
      // Compression takes some seconds. The first start of the demo should not wait for it.
      ...(mode === "production" && !isSsrBuild ? [compressedFiles(at(folder))] : []),
    ],
    // WalletConnect imports its own dialog, an SDK whose licence forbids free use and which we never open. The empty
    // package that replaces it has only one entry point.
    resolve: {
      alias: [
        { find: "@reown/appkit/core", replacement: "@reown/appkit" },
        // wagmi's own function, which it imports by this path from several files.
        { find: /^\.{1,2}\/(actions\/)?getPublicClient\.js$/, replacement: at("src/wallet/connect/public-client.ts") },
        // The package uses its development build for every condition.
        ...(command === "build" ? [{ find: "react-router", replacement: reactRouter }] : []),
      ],
    },
    define: {
      __DEMO__: JSON.stringify(mode !== "production"),
      // Outside a browser build nothing else sets this, and React's development build takes four times as long.
      ...(isSsrBuild ? { "process.env.NODE_ENV": JSON.stringify("production") } : {}),
    },
    // Bundles the renderer with its packages, because the production server may have no node_modules.
    ssr: { noExternal: true },
    build: {
      outDir: isSsrBuild ? `${folder}/.server` : folder,
      emptyOutDir: true,
      copyPublicDir: !isSsrBuild,
      // Browsers of this target support modulepreload. A browser without it only loads the scripts one step later.
      modulePreload: { polyfill: false },
      target: "es2023",
      // The Content-Security-Policy allows fonts only from this origin, so no font may become a data: URL.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 900,
      rolldownOptions: isSsrBuild
        ? {}
        : {
            output: {
              codeSplitting: {
                groups: chunkGroups,
              },
            },
          },
    },
    server: {
      port: Number(process.env.WEB_PORT ?? 5173),
      strictPort: true,
      proxy: { "/api": api, "/rpc": api },
    },
  };
});
