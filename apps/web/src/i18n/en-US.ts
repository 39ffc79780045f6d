import about from "./en-US/about.json";
import account from "./en-US/account.json";
import home from "./en-US/home.json";
import liquidity from "./en-US/liquidity.json";
import performance from "./en-US/performance.json";
import portfolio from "./en-US/portfolio.json";
import products from "./en-US/products.json";
import shell from "./en-US/shell.json";
import transact from "./en-US/transact.json";
import transparency from "./en-US/transparency.json";
import ui from "./en-US/ui.json";
import wallet from "./en-US/wallet.json";

export const catalog = {
  ...about,
  ...account,
  ...home,
  ...liquidity,
  ...performance,
  ...portfolio,
  ...products,
  ...shell,
  ...transact,
  ...transparency,
  ...ui,
  ...wallet,
};
