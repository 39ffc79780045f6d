import { type ComponentType, lazy, useMemo } from "react";
import { matchRoutes, Outlet, type RouteObject, useRoutes } from "react-router";
import { loadTexts, useLanguage } from "../i18n/i18n.ts";
import type { Locale } from "../i18n/languages.ts";
import type { Namespace } from "../i18n/namespaces.ts";
import { PageErrorBoundary } from "./error-boundary.tsx";
import { Layout } from "./layout.tsx";

type Page = { default: ComponentType };
type LoadPage = () => Promise<Page>;

/** Loads a page together with its texts. scripts/check-size.mjs reads this table: one route a line. */
function page(load: LoadPage, ...texts: Namespace[]): LoadPage {
  return () => Promise.all([load(), loadTexts(...texts)]).then(([module]) => module);
}

const home = page(() => import("../pages/home/page.tsx"), "home");

/** The frame of a product's pages: it stays, with what is typed into its panel, while they change. */
const loadProductLayout = () =>
  Promise.all([import("../pages/product/layout.tsx"), loadTexts("products", "product")]).then(([module]) => module);
const ProductLayout = lazy(loadProductLayout);

/** Loads a page of a product beside its frame. */
function ofProduct(load: LoadPage): LoadPage {
  return () => Promise.all([load(), loadProductLayout()]).then(([module]) => module);
}

const pages: Record<string, LoadPage> = {
  "/": home,
  "/home": home,
  "/transparency": page(() => import("../pages/transparency/page.tsx"), "transparency", "products"),
  "/products": page(() => import("../pages/products/page.tsx"), "products"),
  "/product/:shortId": ofProduct(() => import("../pages/product/page.tsx")),
  "/liquidity/:shortId": ofProduct(() => import("../pages/liquidity/page.tsx")),
  "/performance/:shortId": ofProduct(() => import("../pages/performance/page.tsx")),
  "/portfolios": page(() => import("../pages/portfolios/page.tsx"), "portfolio", "products"),
  "/about": page(() => import("../pages/about/page.tsx"), "about", "glossary"),
  "/sign-in": page(() => import("../pages/sign-in/page.tsx"), "account", "forms"),
  "/sign-up": page(() => import("../pages/sign-up/page.tsx"), "account", "forms"),
  "/forgot-password": page(() => import("../pages/forgot-password/page.tsx"), "account", "forms"),
  "/account": page(() => import("../pages/account/page.tsx"), "account"),
  "/stop-switch": page(() => import("../pages/stop-switch/page.tsx"), "security", "forms"),
  "/unsubscribe": page(() => import("../pages/unsubscribe/page.tsx"), "emails", "forms"),
  ...(__DEMO__ && { "/dev/outbox": page(() => import("../pages/dev-outbox/page.tsx"), "outbox") }),
  ...(import.meta.env.DEV && { "/dev/ui": page(() => import("../pages/dev-ui/page.tsx"), "forms") }),
  "*": page(() => import("../pages/not-found/page.tsx")),
};

const components = Object.entries(pages).map(([path, load]) => ({ path, Page: lazy(load) }));

/** Preloads the code and texts of a page. Never throws: the navigation itself shows a failure. */
export function preloadPage(pathname: string) {
  const match = matchRoutes(components, pathname)?.at(-1);
  pages[match?.route.path ?? ""]?.().catch(() => undefined);
}

/** Pages remounted on a change of language: charts store their texts when drawn, and there is no input to lose. */
const drawn = new Set(["/liquidity/:shortId", "/performance/:shortId"]);

const isOfProduct = (path: string) => path.endsWith("/:shortId");

/**
 * A page keeps its state, including typed text and open panels, when the language changes. The exception is an amount:
 * "1,000" must not turn into one in a language with a decimal comma, so the panel it is typed into is reset.
 */
function pageKey(path: string, language: Locale): string {
  return drawn.has(path) ? language : path;
}

function routesIn(language: Locale): RouteObject[] {
  const product = {
    element: (
      <ProductLayout>
        <Outlet />
      </ProductLayout>
    ),
    // One that fails leaves head and panel in place.
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
 * The pages under their layout, as new elements for each language, since React skips identical elements and their texts
 * would stay. Uses the router's declarative mode: loaders and actions, for which we use the query cache, would add 18
 * kB to the initial load.
 */
export function Routes() {
  const language = useLanguage();
  return useRoutes(useMemo(() => routesIn(language), [language]));
}
