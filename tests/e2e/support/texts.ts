import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../../apps/web/src/i18n");

/** The app's texts in one language, with the values of simple placeholders. */
export function textsOf(language: string): (key: string, values?: Record<string, string>) => string {
  const all: Record<string, string> = {};
  for (const file of readdirSync(join(folder, language)))
    Object.assign(all, JSON.parse(readFileSync(join(folder, language, file), "utf8")));
  return (key, values = {}) => {
    const text = all[key];
    if (text === undefined) throw new Error(`${language} has no text ${key}`);
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  };
}
