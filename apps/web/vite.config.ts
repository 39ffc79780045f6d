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
 * Modes: `production` leaves the demo wallet out, `demo` and `development` carry it. `__DEMO__` is a constant, so the
 * bundler drops the branch that imports it. `vite build --ssr` makes what renders a page on the server, beside the files
 * that are served.
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
      // It takes some seconds, for which the first start of the demo should not wait.
      ...(mode === "production" && !isSsrBuild ? [compressedFiles(at(folder))] : []),
    ],
    // WalletConnect asks for its own dialog, an SDK whose licence forbids free use and which we never open; the empty
    // package that stands in for it has one entry only.
    resolve: {
      alias: [
        { find: "@reown/appkit/core", replacement: "@reown/appkit" },
        // wagmi's own, which it imports by this path from several places.
        { find: /^\.{1,2}\/(actions\/)?getPublicClient\.js$/, replacement: at("src/wallet/connect/public-client.ts") },
        // The package names its development build for every condition.
        ...(command === "build" ? [{ find: "react-router", replacement: reactRouter }] : []),
      ],
    },
    define: {
      __DEMO__: JSON.stringify(mode !== "production"),
      // Outside a browser's build nothing else says so, and React would take four times as long.
      ...(isSsrBuild ? { "process.env.NODE_ENV": JSON.stringify("production") } : {}),
    },
    // In one piece with its packages: where the app is served, there may be no others.
    ssr: { noExternal: true },
    build: {
      outDir: isSsrBuild ? `${folder}/.server` : folder,
      emptyOutDir: true,
      copyPublicDir: !isSsrBuild,
      // Browsers of this target know modulepreload; one that does not only loads the scripts a step later.
      modulePreload: { polyfill: false },
      target: "es2023",
      // The Content-Security-Policy allows fonts from this origin only, so none may become a data: URL.
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
