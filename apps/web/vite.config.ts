import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunkModules } from "./scripts/chunk-modules.ts";
import { compiledCatalogs } from "./scripts/compiled-catalogs.ts";
import { preloadLatinFonts } from "./scripts/preload-fonts.ts";

/** Small modules most pages share; compressed together they are lighter than apart. */
const kit = new RegExp(
  [
    "/src/ui/",
    "/src/i18n/[a-z0-9]+\\.ts$",
    "/src/app/(navigation|change-language|settings|with-texts)\\.tsx?$",
    "/src/page-title\\.ts$",
    "/node_modules/lucide-react/.*icons/(check|chevron-down|arrow-up-right)\\.",
    "/src/features/([a-z-]+|products/(detail|list|deposit-state|product-labels))\\.tsx?$",
    "/sdk/src/(chains|api/client|maths/units)\\.ts$",
    "/node_modules/lucide-react/.*(Icon|utils|build|context)",
  ].join("|"),
);
/** Of the kit, what only some pages or lazy parts show. */
const late =
  /\/ui\/(chart\/|segmented|[a-z]+-field|steps|toast-region|stamp-panel|thread|tooltip|unknown-reason|count-up|dialog|sheet|use-overlay|use-lasting-focus|contours|seed|copy-button|tabs|table|pager|address|wallet-face|gauge|save-file|key-lines|details)/;

const base = /node_modules\/(react|react-dom|scheduler|react-router|@tanstack|@lingui)\//;
/** Of these, what only the wallet kit and a few pages use. */
const ofFew = /\/(useMutation|mutationObserver|useInfiniteQuery|infiniteQueryObserver|useQueries|queriesObserver)\.js$/;

const reactRouter = fileURLToPath(import.meta.resolve("react-router")).replace("/development/", "/production/");

/**
 * Modes: `production` leaves the demo wallet out, `demo` and `development` carry it. `__DEMO__` is a constant, so the
 * bundler drops the branch that imports it.
 */
export default defineConfig(({ command, mode }) => {
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
    resolve: {
      alias: {
        "@reown/appkit/core": "@reown/appkit",
        // The package names its development build for every condition.
        ...(command === "build" ? { "react-router": reactRouter } : {}),
      },
    },
    define: { __DEMO__: JSON.stringify(mode !== "production") },
    build: {
      outDir: `dist/${mode === "demo" ? "demo" : "production"}`,
      emptyOutDir: true,
      manifest: true,
      // Browsers of this target know modulepreload; one that does not only loads the scripts a step later.
      modulePreload: { polyfill: false },
      target: "es2023",
      // The Content-Security-Policy allows fonts from this origin only, so none may become a data: URL.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 900,
      rolldownOptions: {
        output: {
          codeSplitting: {
            // One compressed file of what every page needs is smaller than thirty. Lazy parts stay out by name.
            groups: [
              {
                name: "base",
                test: (id) => base.test(id) && !ofFew.test(id),
                priority: 3,
              },
              {
                name: "kit",
                test: (id) => kit.test(id) && !late.test(id),
                priority: 2,
              },
              // Forms hold fields, and so do pages without a form.
              { name: "text-field", test: /\/ui\/text-field/, priority: 2 },
              {
                name: "forms",
                test: /\/features\/account\/(use-form|failure|failure-notice|checks|entry-frame)\./,
                priority: 1,
              },
              { name: "proof", test: /\/features\/account\/(email-proof|send-code)\./, priority: 0 },
            ],
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
