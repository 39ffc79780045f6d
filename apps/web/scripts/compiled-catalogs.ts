import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";

const catalog = /\/src\/i18n\/[a-z]{2}-[A-Z]{2}\/[a-z-]+\.json$/;

/** Compiles every ICU message of a catalog while it is bundled, so the ICU parser never reaches a browser. */
export function compiledCatalogs(): Plugin {
  return {
    name: "aqua:compiled-catalogs",
    enforce: "pre",
    transform(code, id) {
      if (!catalog.test(id)) return null;
      const messages = JSON.parse(code) as Record<string, string>;
      const compiled = Object.entries(messages).map(([key, message]) => [key, compileMessageOrThrow(message)]);
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
    },
  };
}
