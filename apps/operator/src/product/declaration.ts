import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { addSections, type Context, commandGroup } from "../commandDeclaration.ts";

const FILE = "the product's file";

export function declareProduct(program: CommandUnknownOpts, { terminal }: Context): void {
  const product = commandGroup(program, "product", "a product from one file: texts, terms, limits and evidence");
  product
    .command("init")
    .summary("writes an example with comments, and the document that it names")
    .argument("<file>", FILE)
    .option("--type <type>", "demand or term", "demand")
    .option("--short-id <id>", "the name of the product's page (default: that of the file)")
    .option("--chain <id>", "the chain's id (default: 31337, the local chain)")
    .action(async (file, options) => (await import("./newFile.ts")).writeExample(file, options, terminal));
  product
    .command("document")
    .summary("writes the product's document for a server, and prints its hash")
    .argument("<file>", FILE)
    .option("--out <folder>", "the server's folder of products (default: PRODUCTS_DIR)")
    .action(async (file, options) => (await import("./newFile.ts")).writeDocument(file, options, terminal));
  addSections(product, {
    examples: ["product init sahel-solar.yaml --type demand", "product document sahel-solar.yaml --out products"],
    settings: [["PRODUCTS_DIR", "a server's folder of products"]],
  });
}
