import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import {
  addSections,
  type Context,
  commandGroup,
  keystoreSettings,
  safeExport,
  serverSetting,
  withChain,
  withJson,
} from "../commandDeclaration.ts";

/** `aqua money`: a product's income, its money at the custodian, and its queue. */
export function declareMoney(program: CommandUnknownOpts, { terminal }: Context): void {
  const load = () => import("./acts.ts");
  const money = commandGroup(program, "money", "reports income, and moves a product's money to the custodian and back");
  const act = (name: string) =>
    withJson(withChain(money.command(name)))
      .argument("<product>", "the product's short id")
      .option("--dry-run", "shows the bounds and the figures before and after; sends nothing")
      .addOption(safeExport())
      .option("--out <file>", "the batch file (default: safe-<chain>-<act>-<product>.json)")
      .option("--from <address>", "the account that will send, such as the Safe (default: the key's)");
  act("report")
    .summary("reports the income of a period, or a loss")
    .description(
      "Reports the result since the last report. Without --gain, --loss or --nothing it reports what `aqua income` computes from the anchored readings, with their head as evidence. For a time deposit it books a loss.",
    )
    .option("--gain <amount>", "a gain, paid in from the reporter's account")
    .option("--loss <amount>", "a loss of deployed money")
    .option("--nothing", "a report of nothing, which keeps deposits open")
    .option(
      "--as-of <moment>",
      "up to when it is counted, in UTC: 2026-03-01, 2026-03-01T08:30Z or Unix seconds (default: now)",
    )
    .option("--evidence <hash>", "the root of the evidence; a product with devices needs one")
    .action(async (shortId, options) => (await load()).report(shortId, options, terminal));
  act("deploy")
    .summary("sends money to the custodian, never the buffer or what the queue is owed")
    .requiredOption("--amount <amount>", "in the product's asset")
    .action(async (shortId, options) => (await load()).deploy(shortId, options, terminal));
  act("repay")
    .summary("brings deployed money back")
    .requiredOption("--amount <amount>", "in the product's asset")
    .action(async (shortId, options) => (await load()).repay(shortId, options, terminal));
  act("fund")
    .summary("pays in the interest that a time deposit promises to new receipts")
    .requiredOption("--amount <amount>", "in the product's asset")
    .action(async (shortId, options) => (await load()).fund(shortId, options, terminal));
  act("process")
    .summary("pays the payable requests of the queue, as far as the cash covers them")
    .action(async (shortId, options) => (await load()).processQueue(shortId, options, terminal));
  act("sweep")
    .summary("takes out what belongs to no depositor")
    .description(
      "Of a demand deposit: sends fees and donations to the treasury. Of a time deposit: sends interest that is promised to no receipt to the custodian.",
    )
    .option("--amount <amount>", "of a time deposit, in the product's asset (default: all)")
    .action(async (shortId, options) => (await load()).sweep(shortId, options, terminal));
  const losses = () => import("./losses.ts");
  act("confirm-loss")
    .summary("ends the review of a loss at once, or lets the next one be reviewed")
    .action(async (shortId, options) => (await losses()).confirmLoss(shortId, options, terminal));
  act("take-back-loss")
    .summary("undoes the loss under review")
    .action(async (shortId, options) => (await losses()).takeBackLoss(shortId, options, terminal));
  act("settle-loss")
    .summary("books the loss of a time deposit whose review has ended")
    .action(async (shortId, options) => (await losses()).settleLoss(shortId, options, terminal));
  act("restore-loss")
    .summary("undoes a part of the final losses of a demand deposit")
    .requiredOption("--amount <amount>", "in the product's asset")
    .action(async (shortId, options) => (await losses()).restoreLoss(shortId, options, terminal));
  withJson(withChain(money.command("coverage")))
    .summary("what a product holds, owes and may deploy")
    .argument("<product>", "the product's short id")
    .action(async (shortId, options) => (await load()).coverage(shortId, options, terminal));
  withJson(money.command("liquidity"))
    .summary("how much idle money keeps a promised wait")
    .description(
      "Shows how long withdrawals wait if 10, 30 or 50 % of the deposits leave now, and the idle money with which nine tenths of them wait at most the days that you promise. The server measures both by the inflow of the past.",
    )
    .argument("<product>", "the product's short id")
    .requiredOption("--within <days>", "the wait that you promise")
    .action(async (shortId, options) => (await import("./liquidity.ts")).planLiquidity(shortId, options, terminal));
  addSections(money, {
    examples: [
      "money coverage sahel-solar --chain 8453",
      "money liquidity sahel-solar --within 14",
      "money report sahel-solar --chain 8453 --dry-run",
      "money deploy sahel-solar --chain 8453 --amount 5000 --export safe --from 0x…",
    ],
    settings: [
      ["REPORTER_PRIVATE_KEY", "the reporter's key, to report"],
      ["TREASURER_PRIVATE_KEY", "the treasurer's key, to deploy, to fund, and to sweep a time deposit"],
      ["CUSTODIAN_PRIVATE_KEY", "the key of the account that pays money back, to repay"],
      ["CONFIRMER_PRIVATE_KEY", "the confirmer's key, to confirm, take back or restore a loss"],
      ["KEEPER_PRIVATE_KEY", "any key with gas, to process, to settle a loss, and to sweep a demand deposit"],
      ...keystoreSettings,
      ["RPC_URL_<chain id>", "a node of the chain, where --rpc is not given"],
      serverSetting,
    ],
  });
}
