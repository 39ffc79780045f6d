import { type ComponentType, lazy } from "react";
import { matchRoutes, type RouteObject, useRoutes } from "react-router";
import { Layout } from "./layout.tsx";

type Page = { default: ComponentType };

const pages: Record<string, () => Promise<Page>> = {
  "/": () => import("../pages/home/page.tsx"),
  "/home": () => import("../pages/home/page.tsx"),
  "/transparency": () => import("../pages/transparency/page.tsx"),
  "/products": () => import("../pages/products/page.tsx"),
  "/product/:shortId": () => import("../pages/product/page.tsx"),
  "/liquidity/:shortId": () => import("../pages/liquidity/page.tsx"),
  "/performance/:shortId": () => import("../pages/performance/page.tsx"),
  "/portfolios": () => import("../pages/portfolios/page.tsx"),
  "/about": () => import("../pages/about/page.tsx"),
  "/sign-in": () => import("../pages/account-soon/page.tsx"),
  "/sign-up": () => import("../pages/account-soon/page.tsx"),
  "/forgot-password": () => import("../pages/account-soon/page.tsx"),
  "/account": () => import("../pages/account-soon/page.tsx"),
  "*": () => import("../pages/not-found/page.tsx"),
};

const children: RouteObject[] = Object.entries(pages).map(([path, load]) => {
  const Page = lazy(load);
  return { path, element: <Page /> };
});

/** Fetches the code of a page before it is asked for. Never throws: the navigation itself will tell. */
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
