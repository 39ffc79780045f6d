import { ofEveryPage } from "../src/i18n/namespaces.ts";

/** What the bundler knows about a module while it chooses the chunks. */
interface ModuleInfo {
  isEntry: boolean;
  importers: readonly string[];
  dynamicImporters: readonly string[];
}
interface Bundle {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** Packages that every page needs. They change less often than our code, so browsers can cache them for longer. */
const react = /\/node_modules\/(react|react-dom|scheduler|react-router|@tanstack|@lingui)\//;
/** The bundler itself splits all other packages. */
const ours = /\/(web|sdk)\/src\/|\/node_modules\/lucide-react\/|preload-helper/;
/** Code of wallets and of checks against the chain. The bundler splits it, since no page needs all of it. */
const ofChains = /\/src\/(wallet|chain|proofs|abi)\//;
const page = /\/features\/(.+)\/(?:page|layout)\.tsx$/;
const domain = /\/src\/(?:features\/)?([a-z0-9-]+)\//;

/**
 * The entry point and the lazily loaded modules that need `id`: those that import it, directly or through other static
 * imports.
 */
function rootsOf(id: string, bundle: Bundle): { isInEntry: boolean; lazy: string[] } {
  const seen = new Set([id]);
  const lazy: string[] = [];
  for (const module of seen) {
    const info = bundle.getModuleInfo(module);
    if (info?.isEntry) return { isInEntry: true, lazy: [] };
    if (info?.dynamicImporters.length) lazy.push(module);
    for (const importer of info?.importers ?? []) seen.add(importer);
  }
  return { isInEntry: false, lazy };
}

/**
 * The chunk of a module, chosen by who needs it: every page, several pages, one page, or several lazily loaded parts (one
 * chunk for each folder). Null for a module that one lazily loaded part needs.
 */
function chunkOf(id: string, bundle: Bundle): string | null {
  if (react.test(id)) return "react";
  const { isInEntry, lazy } = rootsOf(id, bundle);
  if (isInEntry) return "app";
  const pages = lazy.flatMap((root) => page.exec(root)?.[1] ?? []);
  const domains = new Set(lazy.map((root) => domain.exec(root)?.[1]));
  if (pages[0] !== undefined) return domains.size === 1 ? `page-${pages[0].replace("/", "-")}` : "pages";
  const isShared = lazy.length > 1 && !ofChains.test(id);
  return isShared ? `${domain.exec(id)?.[1] ?? "shared"}-parts` : null;
}

/** Texts that are waited for together, of each language; all others are files of their own. */
const texts: Record<string, RegExp> = {
  every: new RegExp(`^(${ofEveryPage.join("|")})$`),
  products: /^(products|filters|glossary)$/,
  product: /^(product|chart)$/,
  readings: /^(readings|performance)$/,
  panel: /^(transact|reasons)$/,
  forms: /^(account|forms)$/,
};
const catalog = /\/src\/i18n\/([a-z]{2}-[A-Z]{2})\/([a-z]+)\.json$/;

function textsOf(id: string): string | null {
  const [, language, namespace] = catalog.exec(id) ?? [];
  if (namespace === undefined) return null;
  const [name] = Object.entries(texts).find(([, namespaces]) => namespaces.test(namespace)) ?? [namespace];
  return `${name}-${language}`;
}

export const chunkGroups = [
  { name: textsOf, test: catalog, priority: 2 },
  {
    name: chunkOf,
    test: (id: string) => (ours.test(id) || react.test(id)) && !/\/src\/main\.tsx$|\.css$/.test(id),
    priority: 1,
    includeDependenciesRecursively: false,
  },
];
