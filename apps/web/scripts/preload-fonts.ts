import type { HtmlTagDescriptor, Plugin } from "vite";

/** Preloads the latin subset of the two faces; every other subset is fetched only when a page holds its letters. */
export function preloadLatinFonts(): Plugin {
  return {
    name: "aqua:preload-latin-fonts",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const files = Object.keys(bundle ?? {}).filter((file) => /-latin-wght-normal-[^/]*\.woff2$/.test(file));
        return files.map(
          (file): HtmlTagDescriptor => ({
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: "" },
            injectTo: "head",
          }),
        );
      },
    },
  };
}
