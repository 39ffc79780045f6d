import { type ComponentType, lazy, type ReactNode, useMemo, useState } from "react";
import { matchRoutes, Outlet, type RouteObject, useRoutes } from "react-router";
import { useOwnClock } from "../i18n/clock.ts";
import { loadTexts, useLanguage } from "../i18n/i18n.ts";
import type { Locale } from "../i18n/languages.ts";
import type { Namespace } from "../i18n/namespaces.ts";
import { PageErrorBoundary } from "./error-boundary.tsx";
import { Layout } from "./layout.tsx";

type Page = { default: ComponentType };
type Frame = { default: ComponentType<{ children: ReactNode }> };

/** The code of all pages. Only development builds contain the pages in `dev-*`. */
const modules = import.meta.glob<Page>(["../features/**/page.tsx", "!../features/dev-*/page.tsx"]);

/** Code and texts of a page. */
interface Parts<Loaded> {
  /** Paths of source files below src/. */
  modules: readonly string[];
  texts: readonly Namespace[];
  load: () => Promise<Loaded>;
}
type PageParts = Parts<Page>;

function partsOf<Loaded>(module: string, load: () => Promise<Loaded>, texts: readonly Namespace[]): Parts<Loaded> {
  return {
    modules: [module],
    texts,
    load: () => Promise.all([load(), loadTexts(...texts)]).then(([loaded]) => loaded),
  };
}

/** The page of a feature's folder together with its texts. */
function page(folder: string, ...texts: Namespace[]): PageParts {
  const path = `features/${folder}/page.tsx`;
  return partsOf(path, modules[`../${path}`] as () => Promise<Page>, texts);
}

/**
 * A component that loads when it is first rendered or when `load` is called. If it is already loaded, it renders at
 * once. React's own `lazy` suspends even then, and the spinner that replaces the page stays for 300 ms.
 */
function lazyPart<Props extends object>({ load, ...parts }: Parts<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | null = null;
  async function loadPart() {
    const module = await load();
    loaded = module.default;
    return module;
  }
  const Lazy = lazy(loadPart) as ComponentType<Props>;
  function Part(props: Props) {
    // The component stays the same while it is mounted, because another one would lose its state.
    const [Shown] = useState(() => loaded ?? Lazy);
    return <Shown {...props} />;
  }
  return { ...parts, load: loadPart, Part };
}

/** The frame of a product's pages. It stays mounted, with the text typed into its panel, while the pages change. */
const frame = lazyPart(
  partsOf<Frame>("features/product/layout.tsx", () => import("../features/product/layout.tsx"), [
    "products",
    "product",
  ]),
);

/** A page of a product, with its frame. */
function ofProduct(folder: string): PageParts {
  const own = page(folder);
  return {
    modules: [...own.modules, ...frame.modules],
    texts: frame.texts,
    load: () => Promise.all([own.load(), frame.load()]).then(([loaded]) => loaded),
  };
}

const pages: Record<string, PageParts> = {
  "/": page("home", "home", "products"),
  "/home": page("home", "home", "products"),
  "/transparency": page("transparency", "transparency", "products"),
  "/products": page("products", "products", "filters"),
  "/product/:shortId": ofProduct("product"),
  "/liquidity/:shortId": ofProduct("liquidity"),
  "/performance/:shortId": ofProduct("performance"),
  "/portfolios": page("portfolio", "portfolio", "products"),
  "/about": page("about", "about", "glossary"),
  "/sign-in": page("account/sign-in", "account", "forms"),
  "/sign-up": page("account/sign-up", "account", "forms"),
  "/forgot-password": page("account/forgot-password", "account", "forms"),
  "/account": page("account", "account"),
  "/stop-switch": page("account/stop-switch", "security", "forms"),
  "/operator": page("desk", "desk"),
  "/unsubscribe": page("account/unsubscribe", "emails", "forms"),
  ...(__DEMO__ && {
    "/dev/outbox": partsOf("features/dev-outbox/page.tsx", () => import("../features/dev-outbox/page.tsx"), ["outbox"]),
  }),
  ...(import.meta.env.DEV && {
    "/dev/ui": partsOf("features/dev-ui/page.tsx", () => import("../features/dev-ui/page.tsx"), ["forms"]),
  }),
  "*": page("errors/not-found"),
};

const components = Object.entries(pages).map(([path, parts]) => {
  const { Part, load } = lazyPart(parts);
  return { path, Page: Part, parts: { ...parts, load } };
});

/** The parts of a page, or undefined for an unknown path. */
export function partsOfPage(pathname: string): PageParts | undefined {
  return matchRoutes(components, pathname)?.at(-1)?.route.parts;
}

/** Loads the code and texts of a page. */
export async function loadPage(pathname: string): Promise<void> {
  await partsOfPage(pathname)?.load();
}

/** Loads a page's code and texts ahead of time. Never throws; the navigation itself shows a failure. */
export function preloadPage(pathname: string): void {
  loadPage(pathname).catch(() => undefined);
}

/**
 * Pages that remount on a change of language. Their charts store texts when they are drawn, and they contain no input
 * that could be lost.
 */
const drawn = new Set(["/liquidity/:shortId", "/performance/:shortId"]);

const isOfProduct = (path: string) => path.endsWith("/:shortId");

/**
 * A page preserves its state, including typed text and open panels, when the language changes. The exception is an
 * amount: "1,000" must not become "1" in a language with a decimal comma, so the panel with the amount is reset.
 */
function pageKey(path: string, language: Locale): string {
  return drawn.has(path) ? language : path;
}

function routesIn(language: Locale): RouteObject[] {
  const product = {
    element: (
      <frame.Part>
        <Outlet />
      </frame.Part>
    ),
    // An error of one page leaves head and panel in place.
    children: components
      .filter(({ path }) => isOfProduct(path))
      .map(({ path, Page }) => ({
        path,
        element: (
          <PageErrorBoundary key={path}>
            <Page key={pageKey(path, language)} />
          </PageErrorBoundary>
        ),
      })),
  };
  const others = components
    .filter(({ path }) => !isOfProduct(path))
    .map(({ path, Page }) => ({ path, element: <Page key={pageKey(path, language)} /> }));
  return [{ element: <Layout onIntent={preloadPage} />, children: [product, ...others] }];
}

/**
 * The pages inside their layout. Each language gets new elements, because React skips identical elements and would not
 * update their texts. Uses the router's declarative mode. Its loaders and actions would add 18 kB to the initial load;
 * we use the query cache instead.
 */
export function Routes() {
  const language = useLanguage();
  const ownClock = useOwnClock();
  // biome-ignore lint/correctness/useExhaustiveDependencies: dates are read on render, as texts are
  const routes = useMemo(() => routesIn(language), [language, ownClock]);
  return useRoutes(routes);
}
