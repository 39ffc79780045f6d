/**
 * Weighs the code that each page needs for its first view: the entry point, the page, and what both import statically.
 * Charts, wallet, menus and other lazily loaded parts do not count.
 *
 *   node scripts/check-size.mjs [--dist <folder>] [--summary <file>]
 *
 * Exits 1 when a page or the styles are too heavy, when wallet code is reachable statically, or when the production
 * build holds the demo wallet. `--summary` writes {"passed": n, "failed": n, "failures": [text]}.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

/**
 * What a page may load before its first view works. Most of it is React, the router and the query cache (94 kB). Speed
 * itself is measured by `npm run bench -- web`; this finds code that a page loads by mistake.
 */
const limit = 150_000;
/** One for each route of the specification, the two that links in e-mails open, and the desk of operators. */
const expectedPages = 15;
/** 14 kB with the headers they are sent with. */
const stylesLimit = 13_600;
/** Loaded when somebody wants a wallet or checks something on the chain. */
const walletCode = /node_modules\/(@rainbow-me|@wagmi|wagmi|viem|ox|@walletconnect|@reown)\//;
const demoWallet = "aqua-demo-wallet";
/** The desk of operators and its texts, of which nothing may reach a depositor. */
const deskCode = /\/src\/(features\/desk\/|i18n\/[^/]+\/desk\.json)/;

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

const layout = "src/features/product/layout.tsx";
const inLayout = ["product", "liquidity", "performance"];
const pages = [...fileOf.keys()].flatMap(
  (module) => /^apps\/web\/src\/features\/(.+)\/page\.tsx$/.exec(module)?.[1] ?? [],
);
check(pages.length >= expectedPages, `${pages.length} pages found in the build, expected ${expectedPages}`);

console.log("Initial JavaScript of each page without its texts, gzip\n");
for (const page of pages.sort()) {
  const found = reached("src/main.tsx");
  reached(`src/features/${page}/page.tsx`, found);
  if (inLayout.includes(page)) reached(layout, found);
  const files = [...found];
  const total = files.reduce((sum, file) => sum + weight(file), 0);
  console.log(`  ${page.padEnd(24)} ${(total / 1000).toFixed(1).padStart(6)} kB`);
  check(total <= limit, `${page} needs ${(total / 1000).toFixed(1)} kB, more than ${limit / 1000} kB`);
  const wallet = files.flatMap((file) => chunks[file].modules).filter((id) => walletCode.test(id));
  check(wallet.length === 0, `${page} loads wallet code at once: ${wallet.slice(0, 3).join(", ")}`);
}

// Each file with code of the desk holds nothing else, and only such files and the list of routes can load it.
const deskFiles = Object.keys(chunks).filter((file) => chunks[file].modules.some((id) => deskCode.test(id)));
const shared = deskFiles.flatMap((file) =>
  chunks[file].modules.filter((id) => /\/src\//.test(id) && !deskCode.test(id)),
);
check(deskFiles.length > 0, "no file of the build holds the desk");
check(shared.length === 0, `files of the desk hold other code as well: ${shared.slice(0, 3).join(", ")}`);
const loads = Object.keys(chunks).filter(
  (file) => !deskFiles.includes(file) && chunks[file].imports.some((next) => deskFiles.includes(next)),
);
check(loads.length === 0, `the desk is loaded with ${loads.join(", ")}`);

/** Whether `file` imports itself through others: its code could then run before that of a file it needs. */
const isInCircle = (file) => chunks[file].imports.some((next) => withImports(next, new Set()).has(file));
const circle = Object.keys(chunks).filter(isInCircle);
check(circle.length === 0, `files import each other in a circle (see chunks.ts): ${circle.join(", ")}`);

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
