import type { Command, CommandUnknownOpts, OptionValues } from "@commander-js/extra-typings";
import { addSections, type Context, commandGroup, keystoreSettings, withJson } from "../commandDeclaration.ts";

const FILE = "the product's file";

/** The options by which a product's file is compared with its chain, which the file names. */
function withNode<Arguments extends unknown[], Options extends OptionValues, Global extends OptionValues>(
  command: Command<Arguments, Options, Global>,
) {
  return command
    .argument("<file>", FILE)
    .option(
      "--from <address>",
      "the account that acts, such as a Safe (default: that of the key, else the first that may)",
    )
    .option("--rpc <url>", "a node of the chain (default: the first of RPC_URL_<chain id>)")
    .option(
      "--deployments <folder>",
      "where <chain id>.json is (default: DEPLOYMENTS_DIR, else contracts/deployments)",
    );
}

/** The ways in which acts are carried out. Without one they are only shown. */
function withWays<Arguments extends unknown[], Options extends OptionValues, Global extends OptionValues>(
  command: Command<Arguments, Options, Global>,
) {
  return command
    .option("--send", "sends what the key may do, schedules what has to wait, and makes scheduled calls in time")
    .option("--export <kind>", "safe: writes what the account can send now for the Transaction Builder of its Safe")
    .option("--out <file>", "the file of --export")
    .option("--calldata", "prints what the account can send now as call data")
    .option("--rehearse", "plays all acts on a fork of the chain first, and shows the figures before and after")
    .option("--confirmations <n>", "blocks to wait for after each transaction (default: 1)");
}

export function declareProduct(program: CommandUnknownOpts, { terminal }: Context): void {
  const product = commandGroup(program, "product", "a product from one file: texts, terms, limits and evidence");
  product
    .command("init")
    .summary("writes an example with comments, or the file of a product that the chain lists")
    .argument("<file>", FILE)
    .option("--type <type>", "demand or term", "demand")
    .option("--short-id <id>", "the name of the product's page (default: that of the file)")
    .option("--chain <id>", "the chain's id (default: 31337, the local chain)")
    .option("--from-chain", "writes the file of a product that the chain lists, in place of an example")
    .option("--products <folder>", "where the document of --from-chain is (default: PRODUCTS_DIR)")
    .option("--rpc <url>", "a node of the chain, for --from-chain (default: the first of RPC_URL_<chain id>)")
    .option("--deployments <folder>", "where <chain id>.json is (default: DEPLOYMENTS_DIR, else contracts/deployments)")
    .action(async (file, options) => (await import("./newFile.ts")).writeNewFile(file, options, terminal));
  product
    .command("document")
    .summary("writes the product's document for a server, and prints its hash")
    .argument("<file>", FILE)
    .option("--out <folder>", "the server's folder of products (default: PRODUCTS_DIR)")
    .action(async (file, options) => (await import("./newFile.ts")).writeDocument(file, options, terminal));
  const load = () => import("./acts.ts");
  withJson(withNode(product.command("plan")))
    .summary("how the chain differs from the file, who may change it, and the exact transactions")
    .action(async (file, options) => (await load()).plan(file, options, terminal));
  withJson(withWays(withNode(product.command("apply"))))
    .summary("brings the chain to what the file says")
    .action(async (file, options) => (await load()).apply(file, options, terminal));
  withJson(withWays(withNode(product.command("open"))))
    .summary("opens a closed product for deposits, and ends a pause")
    .action(async (file, options) => (await load()).open(file, options, terminal));
  withJson(withWays(withNode(product.command("close"))))
    .summary("closes it for deposits, until it is opened again; withdrawals go on")
    .option("--pause", "pauses it for 7 days instead")
    .action(async (file, options) => (await load()).close(file, options, terminal));
  withJson(withNode(product.command("status")))
    .summary("what is on the chain, what is to be done, and what is scheduled")
    .action(async (file, options) => (await load()).status(file, options, terminal));
  addSections(product, {
    examples: [
      "product init sahel-solar.yaml --type demand",
      "product plan sahel-solar.yaml",
      "product apply sahel-solar.yaml --send",
      "product apply sahel-solar.yaml --export safe --out batch.json",
    ],
    settings: [
      ["PRODUCT_KEY", "the key of the account that acts: the owner's; to close, the guardian's"],
      ...keystoreSettings,
      ["AQUA_URL, OPERATOR_TOKEN", "the server, which `status` asks for the file's devices"],
      ["ANVIL", "for --rehearse, the program anvil of Foundry (default: on the PATH)"],
      ["PRODUCTS_DIR", "a server's folder of products"],
    ],
  });
}
