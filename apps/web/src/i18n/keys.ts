import type about from "./en-US/about.json";
import type account from "./en-US/account.json";
import type chart from "./en-US/chart.json";
import type chat from "./en-US/chat.json";
import type compare from "./en-US/compare.json";
import type dialog from "./en-US/dialog.json";
import type filters from "./en-US/filters.json";
import type footer from "./en-US/footer.json";
import type forms from "./en-US/forms.json";
import type home from "./en-US/home.json";
import type liquidity from "./en-US/liquidity.json";
import type menu from "./en-US/menu.json";
import type outbox from "./en-US/outbox.json";
import type performance from "./en-US/performance.json";
import type portfolio from "./en-US/portfolio.json";
import type product from "./en-US/product.json";
import type products from "./en-US/products.json";
import type profile from "./en-US/profile.json";
import type register from "./en-US/register.json";
import type shell from "./en-US/shell.json";
import type stakes from "./en-US/stakes.json";
import type transact from "./en-US/transact.json";
import type transparency from "./en-US/transparency.json";
import type ui from "./en-US/ui.json";
import type wallet from "./en-US/wallet.json";
import type { Namespace } from "./namespaces.ts";

/** The English catalog, the one the others are measured against. */
type Catalogs = {
  about: typeof about;
  account: typeof account;
  chart: typeof chart;
  chat: typeof chat;
  compare: typeof compare;
  dialog: typeof dialog;
  filters: typeof filters;
  footer: typeof footer;
  forms: typeof forms;
  home: typeof home;
  liquidity: typeof liquidity;
  menu: typeof menu;
  outbox: typeof outbox;
  performance: typeof performance;
  portfolio: typeof portfolio;
  product: typeof product;
  products: typeof products;
  profile: typeof profile;
  register: typeof register;
  shell: typeof shell;
  stakes: typeof stakes;
  transact: typeof transact;
  transparency: typeof transparency;
  ui: typeof ui;
  wallet: typeof wallet;
};

/** Every key of the English catalog. */
export type MessageKey = { [Name in Namespace]: keyof Catalogs[Name] }[Namespace];
