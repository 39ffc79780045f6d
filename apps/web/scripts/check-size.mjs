/**
 * Weighs what a browser must fetch before each route can be used: the entry, the route's chunk, what both import statically,
 * and the texts they wait for. Charts, wallet, menus and other parts that arrive later do not count.
 *
 *   node scripts/check-size.mjs [--dist <folder>] [--summary <file>]
 *
 * Exits 1 when a route or the styles are too heavy, when wallet code is reachable statically, or when the production
 * build holds the demo wallet. `--summary` writes {"passed": n, "failed": n, "failures": [text]}.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

/**
 * What a page may need before everything on it can be used; it is read before any of it is here. The pages of a product
 * hold charts and most of a panel. React's DOM, the router and the query cache are 94 kB of each.
 */
const limitOf = (path) => (path.includes(":shortId") ? 200_000 : 175_000);
/** Those of the specification, and the two pages that links in e-mails open. */
const expectedRoutes = 16;
/** 14 kB with the headers they are sent with. */
const stylesLimit = 13_600;
/** Loaded when somebody wants a wallet or checks something on the chain. */
const walletCode = /node_modules\/(@rainbow-me|@wagmi|wagmi|viem|ox|@walletconnect|@reown)\//;
const demoWallet = "aqua-demo-wallet";

const web = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { dist: { type: "string" }, summary: { type: "string" } } });
const dist = values.dist ?? join(web, "dist/production");
if (!existsSync(join(dist, ".vite/chunks.json"))) {
  console.error(`No build in ${dist}: run the build first`);
  process.exit(1);
}
/** Each file of the build with the modules it holds and the files it imports. */
const chunks = JSON.parse(readFileSync(join(dist, ".vite/chunks.json"), "utf8"));
const fileOf = new Map(
  Object.entries(chunks).flatMap(([file, { modules }]) => modules.map((module) => [module, file])),
);

let passed = 0;
const failures = [];
function check(holds, complaint) {
  if (holds) passed += 1;
  else {
    failures.push(complaint);
    console.error(`  ✗ ${complaint}`);
  }
}

/** Files reached by static imports from the one that holds a module of the web app, itself included. */
function reached(module, found = new Set()) {
  const file = fileOf.get(`apps/web/${module}`);
  if (!file) throw new Error(`${module} is in no file of the build`);
  return withImports(file, found);
}

function withImports(file, found) {
  if (found.has(file)) return found;
  found.add(file);
  for (const next of chunks[file].imports) withImports(next, found);
  return found;
}

const weights = new Map();
function weight(file) {
  if (!weights.has(file)) weights.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length);
  return weights.get(file);
}

/** What src/app/routes.tsx loads around each page of a product. */
const productFrame = { modules: ["src/features/product/layout.tsx"], texts: ["products", "product"] };

/** The route table of the app: which page and which texts a path waits for. */
function readRoutes() {
  const source = readFileSync(join(web, "src/app/routes.tsx"), "utf8");
  const call = /(page|ofProduct)\("([a-z/-]+)"((?:, "[a-z]+")*)\)/;
  return [...source.matchAll(/^ {2}"([^"]+)": (.+),$/gm)].map(([, path, expression]) => {
    const match = call.exec(expression);
    if (!match) throw new Error(`Cannot read the route ${path}: ${expression}`);
    const [, kind, folder, texts] = match;
    const frame = kind === "ofProduct" ? productFrame : { modules: [], texts: [] };
    return {
      path,
      modules: [`src/features/${folder}/page.tsx`, ...frame.modules],
      texts: [...[...texts.matchAll(/"([a-z]+)"/g)].map(([, name]) => name), ...frame.texts],
    };
  });
}

const routes = readRoutes();
check(
  routes.length === expectedRoutes,
  `${routes.length} routes found in src/app/routes.tsx, expected ${expectedRoutes}`,
);

console.log("Initial JavaScript, gzip\n");
for (const { path, modules: loaded, texts } of routes) {
  const found = reached("src/main.tsx");
  for (const module of loaded) reached(module, found);
  for (const name of ["ui", "shell", ...texts]) reached(`src/i18n/en-US/${name}.json`, found);
  const files = [...found];
  const total = files.reduce((sum, file) => sum + weight(file), 0);
  console.log(`  ${path.padEnd(24)} ${(total / 1000).toFixed(1).padStart(6)} kB`);
  const limit = limitOf(path);
  check(total <= limit, `${path} needs ${(total / 1000).toFixed(1)} kB, more than ${limit / 1000} kB`);
  const wallet = files.flatMap((file) => chunks[file].modules).filter((id) => walletCode.test(id));
  check(wallet.length === 0, `${path} loads wallet code at once: ${wallet.slice(0, 3).join(", ")}`);
}

/** Scripts of a build that carry the demo wallet. */
function carriers(build) {
  const scripts = readdirSync(join(build, "assets")).filter((file) => file.endsWith(".js"));
  return scripts.filter((file) => readFileSync(join(build, "assets", file), "utf8").includes(demoWallet));
}
if (!values.dist) {
  check(carriers(dist).length === 0, `the production build holds the demo wallet: ${carriers(dist).join(", ")}`);
  // Else the check above would pass because the mark had been renamed.
  const demo = join(web, "dist/demo");
  if (existsSync(demo)) check(carriers(demo).length > 0, `the demo build does not hold the mark ${demoWallet}`);
}
const html = readFileSync(join(dist, "index.html"), "utf8");
const styles = [...html.matchAll(/<link rel="stylesheet"[^>]*\shref="\/([^"]+)"/g)].map(([, file]) => file);
const stylesWeight = styles.reduce((sum, file) => sum + weight(file), 0);
console.log(`  styles of every page     ${(stylesWeight / 1000).toFixed(1).padStart(6)} kB`);
check(styles.length === 1, `index.html links ${styles.length} stylesheets`);
check(stylesWeight <= stylesLimit, `the styles of every page need ${stylesWeight} bytes, more than ${stylesLimit}`);
const inline = html.match(/<script>/g)?.length ?? 0;
check(
  inline === 1,
  `index.html holds ${inline} inline scripts; the server allows each, and that of the theme is the only one`,
);
const classic = /<script(?![^>]*\stype="module")[^>]*\ssrc="([^"]*)"/.exec(html)?.[1];
check(classic === undefined, `index.html waits for ${classic} before its first paint`);

const failed = failures.length;
console.log(`\n${passed} passed, ${failed} failed`);
if (values.summary) writeFileSync(values.summary, JSON.stringify({ passed, failed, failures }));
process.exit(failed === 0 ? 0 : 1);
