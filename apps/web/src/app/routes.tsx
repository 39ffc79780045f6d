import { type ComponentType, lazy } from "react";
import { matchRoutes, type RouteObject, useRoutes } from "react-router";
import { loadTexts } from "../i18n/i18n.ts";
import type { Namespace } from "../i18n/namespaces.ts";
import { Layout } from "./layout.tsx";

type Page = { default: ComponentType };
type LoadPage = () => Promise<Page>;

/** A page arrives with its texts. scripts/check-size.mjs reads this table: one route a line. */
function page(load: LoadPage, ...texts: Namespace[]): LoadPage {
  return () => Promise.all([load(), loadTexts(...texts)]).then(([module]) => module);
}

const home = page(() => import("../pages/home/page.tsx"), "home", "products");
const accountSoon = page(() => import("../pages/account-soon/page.tsx"), "account");

const pages: Record<string, LoadPage> = {
  "/": home,
  "/home": home,
  "/transparency": page(() => import("../pages/transparency/page.tsx"), "transparency", "products"),
  "/products": page(() => import("../pages/products/page.tsx"), "products"),
  "/product/:shortId": page(() => import("../pages/product/page.tsx"), "products"),
  "/liquidity/:shortId": page(() => import("../pages/liquidity/page.tsx"), "liquidity", "products"),
  "/performance/:shortId": page(() => import("../pages/performance/page.tsx"), "performance", "products"),
  "/portfolios": page(() => import("../pages/portfolios/page.tsx"), "portfolio", "products"),
  "/about": page(() => import("../pages/about/page.tsx"), "about"),
  "/sign-in": accountSoon,
  "/sign-up": accountSoon,
  "/forgot-password": accountSoon,
  "/account": accountSoon,
  "*": page(() => import("../pages/not-found/page.tsx")),
};

const children: RouteObject[] = Object.entries(pages).map(([path, load]) => {
  const Page = lazy(load);
  return { path, element: <Page /> };
});

/** Fetches the code and texts of a page before it is asked for. Never throws: the navigation itself will tell. */
export function preloadPage(pathname: string) {
  const match = matchRoutes(children, pathname)?.at(-1);
  pages[match?.route.path ?? ""]?.().catch(() => undefined);
}

const routes: RouteObject[] = [{ element: <Layout onIntent={preloadPage} />, children }];

/**
 * The pages under their layout. The router's declarative mode is used on purpose: loaders and actions, which we leave
 * to the query cache, would cost 18 kB of the first load.
 */
export function Routes() {
  return useRoutes(routes);
}
