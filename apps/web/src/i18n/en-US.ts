import about from "./en-US/about.json";
import account from "./en-US/account.json";
import home from "./en-US/home.json";
import portfolio from "./en-US/portfolio.json";
import products from "./en-US/products.json";
import shell from "./en-US/shell.json";
import transact from "./en-US/transact.json";
import ui from "./en-US/ui.json";
import wallet from "./en-US/wallet.json";

export const catalog = {
  ...about,
  ...account,
  ...home,
  ...portfolio,
  ...products,
  ...shell,
  ...transact,
  ...ui,
  ...wallet,
};
