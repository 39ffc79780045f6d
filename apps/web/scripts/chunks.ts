import { languageCodes } from "@aqua/sdk/languages";

/**
 * Which file of the build a module goes into, by what needs it: every page, pages that show products, pages of one
 * product, its panel, one page alone. A page then loads few files at once instead of dozens in turn. What opens with a
 * press stays a file of its own; the wallet's dialog and all it needs are one file.
 */
const groups: readonly [name: string, modules: readonly RegExp[]][] = [
  ["base", [/\/node_modules\/(react|react-dom|scheduler|react-router|@tanstack|@lingui)\//]],
  [
    "app",
    [
      /\/web\/src\/(?!send-error-report)[a-z-]+\.tsx?$/,
      /\/src\/app\/(?!drawer|wallet-)/,
      /\/src\/app\/wallet-area/,
      /\/src\/i18n\/[a-z0-9]+\.ts$/,
      /\/src\/features\/([a-z-]+|live\/.*|account\/(info|confirm\/ask)|readings\/(live|keys)|products\/(detail|list|prefetch|deposit-state|product-labels))\.tsx?$/,
      /\/src\/features\/chat\/(launcher|assistant|free-place|use-.*)\.tsx?$/,
      /\/src\/wallet\/(store|handover|lazy\/(provider|island))\.tsx?$/,
      /\/src\/ui\/(after-paint|amount|animated-number|badge|boundary|button|class-names|copy-text|count-up|dialog|disclosure|error-state|notice|page-head|section|skeleton|skip-link|spinner|stamp|term|theme|toast|unknown|use-(?!printing).*)\.tsx?$/,
      /\/sdk\/src\/(chains|causes|durations|chain\/wallet-errors|api\/(client|calls|rules)|maths\/units)\.ts$/,
      /\/node_modules\/(eventsource|eventsource-parser)\//,
      /\/node_modules\/lucide-react\/(?!.*\/icons\/)/,
    ],
  ],
  ["chart", [/\/src\/ui\/chart\/(?!chart-table|parts-bar)/, /\/node_modules\/(d3-[a-z]+|internmap)\//]],
  [
    "products",
    [
      /\/src\/features\/products\/(list-view|badges|card|cells|earnings|link-tabs|long-wait|picture|product-column)\.tsx?$/,
      /\/src\/features\/(portfolio\/(value|scope)|transact\/form\/amount-text)\.ts$/,
      /\/src\/features\/readings\/(anchors|reading-text)\.ts$/,
      /\/src\/ui\/(address|contours|copy-button|depth-lines|empty|gauge|pager|seed|segmented|table|thread|unknown-reason|chart\/parts-bar)\.tsx?$/,
    ],
  ],
  [
    "product",
    [
      /\/src\/features\/products\/(address-choice|coverage|exit-wait|product-[a-z]+|range|range-control)\.tsx?$/,
      /\/src\/features\/transact\/form\/use-panel-tab\.ts$|\/src\/ui\/explained-term\.tsx$/,
      /\/sdk\/src\/maths\/[a-z]+\.ts$/,
      /\/src\/features\/product\/(action|head-figures|layout|notices|skip-to-deposit)\.tsx?$/,
    ],
  ],
  [
    "forms",
    [/\/src\/features\/account\/(use-form|failure|failure-notice|field-problems|entry-frame|redirect-path)\.tsx?$/],
  ],
  ["fields", [/\/src\/ui\/(details|key-lines|tabs|text-field)\.tsx$/]],
  [
    "panel",
    [
      /\/src\/features\/transact\/(demand|eligibility|form|progress)\//,
      /\/src\/features\/wallet-dialog\/(open|link|prove|stored-switch|refusals)\.ts$/,
      /\/src\/features\/account\/(reasons|confirm\/with-confirmation)\.ts$/,
      /\/src\/wallet\/(lazy\/operations|transactions|exact-amount)\.ts$/,
    ],
  ],
  ["proof", [/\/src\/features\/account\/(email-proof|send-code)\.tsx?$/]],
];

/** Tabs of these pages are loaded when they are opened; all else of a page comes with it. */
const pages: Record<string, RegExp> = {
  home: /\/src\/features\/home\//,
  products:
    /\/src\/features\/products\/(card-skeleton|filters|filter-bar|filter-text|my-balances|nothing-found|page|product-list|table|compare-tray|use-typed)\.|\/sdk\/src\/search|\/ui\/select-field/,
  overview:
    /\/src\/features\/product\/(page|coverage|fact-text|facts|first-sentences|income-chart|main-risks|more|notice-list|notice-text|overview|term-table|yield)\.tsx?$/,
  performance:
    /\/src\/(features\/performance\/(?!output-chart|report-evidence)|features\/products\/performance|features\/readings\/(check-state|devices|income|verification-outcome|proof-text|step-list|verify|evidence-chain)\.)|\/sdk\/src\/csv|\/ui\/save-file/,
  liquidity: /\/src\/(features\/liquidity\/|features\/products\/liquidity|ui\/table-skeleton)/,
  transparency:
    /\/src\/features\/transparency\/(summary|known-summary|named-section|page|products-tab|reserves|sections|reserve-parts|use-named-part)\./,
  about: /\/src\/features\/about\//,
  portfolios: /\/src\/features\/portfolio\/(not-connected|page|skeletons|use-scope|query)\./,
};

/** Texts that are waited for together, of each language; all others are files of their own. */
const texts: Record<string, RegExp> = {
  every: /^(ui|shell|menu|footer)$/,
  products: /^(products|filters|glossary)$/,
  product: /^(product|chart)$/,
  readings: /^(readings|performance)$/,
  panel: /^(transact|reasons)$/,
  forms: /^(account|forms)$/,
};
const catalog = /\/src\/i18n\/([a-z]{2}-[A-Z]{2})\/([a-z]+)\.json$/;

function groupOfTexts(name: string, namespaces: RegExp, language: string) {
  return {
    name: `${name}-${language}`,
    test: (id: string) => {
      const [, of, namespace] = catalog.exec(id) ?? [];
      return of === language && namespace !== undefined && namespaces.test(namespace);
    },
  };
}

/** After all others, so that it takes nothing that a page needs without a wallet. */
const wallet: typeof groups = [
  // The verifier of readings needs them too.
  ["keccak", [/\/node_modules\/@noble\/hashes\/esm\/(sha3|utils|crypto|_u64)\.js$/]],
  ["secp256k1", [/\/node_modules\/@noble\/(curves|hashes)\//]],
  [
    "wallet",
    [
      /\/src\/wallet\/island\/entry\.tsx$/,
      // Pictures of the connect dialog, which the kit loads one by one.
      /\/rainbowkit\/dist\/(?:wallets\/walletConnectors\/)?(assets|login|(trust|walletConnect|metaMask|okx|imToken)Wallet)-[^/]*\.js$/,
    ],
  ],
  // In the demo's build alone; what describes a request waits for one.
  ["demo-wallet", [/\/src\/wallet\/demo\/(announce|sheet)\.tsx?$/]],
];

/** Names the language of a file of texts, which the bundler would not. */
const ownTexts = {
  name: (id: string) => {
    const [, language, namespace] = catalog.exec(id) ?? [];
    return namespace === undefined ? null : `${namespace}-${language}`;
  },
  test: catalog,
  debugName: "texts",
};

const asGroup = ([name, modules]: (typeof groups)[number]) => ({
  name,
  test: (id: string) => modules.some((module) => module.test(id)),
});

/** For the bundler: what comes first holds what it shares with a later one. */
export const chunkGroups = [
  ...groups.map(asGroup),
  ...Object.entries(pages).map(([page, modules]) => ({ name: `page-${page}`, test: (id: string) => modules.test(id) })),
  ...languageCodes.flatMap((language) =>
    Object.entries(texts).map(([name, namespaces]) => groupOfTexts(name, namespaces, language)),
  ),
  ownTexts,
  ...wallet.map(asGroup),
].map((group, index, all) => ({ ...group, priority: all.length - index }));
