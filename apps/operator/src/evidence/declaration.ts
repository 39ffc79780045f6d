import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { addSections, type Context, commandGroup, serverSetting, withJson } from "../commandDeclaration.ts";

const FILE = "the product's YAML file";
const DOCUMENT = "the new document: .txt, .md or .pdf";
const ISSUED = "the day on which it was issued, such as 2026-03-01";
const EXPIRES = "the last day on which it is valid, or none";
const UNTIL = "the new evidence_until of the file, such as 2027-03-01T00:00:00Z (default: it stays)";

export function declareEvidence(program: CommandUnknownOpts, context: Context): void {
  const { terminal } = context;
  const evidence = commandGroup(program, "evidence", "documents of products: what expires, and their renewal");
  withJson(evidence.command("list"))
    .summary("the documents that the products name, with their expiry; expired ones first")
    .argument("[product]", "the short id of one product")
    .action(async (product, options) => {
      context.exitCode = await (await import("./list.ts")).listEvidence(product, options, terminal);
    });
  const load = () => import("./productFileEvidence.ts");
  evidence
    .command("add")
    .summary("adds a document to a product's file, and copies it beside the file")
    .argument("<file>", FILE)
    .argument("<document>", DOCUMENT)
    .requiredOption("--title <text>", "what the page calls it, in English")
    .requiredOption("--issuer <text>", "who issued it")
    .requiredOption("--issued <day>", ISSUED)
    .requiredOption("--expires <day>", EXPIRES)
    .option("--until <time>", UNTIL)
    .action(async (file, document, options) => (await load()).addEvidence({ file, document, ...options }, terminal));
  evidence
    .command("renew")
    .summary("puts a new document in place of one in a product's file")
    .argument("<file>", FILE)
    .argument("<document>", DOCUMENT)
    .requiredOption("--title <text>", "the title of the document that it renews")
    .option("--issuer <text>", "who issued it (default: the issuer of the former)")
    .requiredOption("--issued <day>", ISSUED)
    .requiredOption("--expires <day>", EXPIRES)
    .option("--until <time>", UNTIL)
    .action(async (file, document, options) => (await load()).renewEvidence({ file, document, ...options }, terminal));
  addSections(evidence, {
    examples: [
      "evidence list",
      'evidence add sahel-solar.yaml ~/permit.pdf --title "Building permit" --issuer "City of Lyon" --issued 2026-03-01 --expires none',
      'evidence renew sahel-solar.yaml ~/inspection-2027.pdf --title "Inspection of the asset" --issued 2027-03-01 --expires 2028-03-01',
    ],
    settings: [serverSetting],
    exitCodes: "of list: 0 no document has expired, 1 one has expired, 2 not understood",
  });
}
