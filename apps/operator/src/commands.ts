import { operatorScopes, rejectionCodes } from "@aqua/sdk/api/rules";
import { Argument, Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import {
  addSections,
  type Context,
  commandGroup,
  databaseSetting,
  ignoreOtherOptions,
  keystoreSettings,
  operatorSettings,
  repeated,
  safeExport,
  serverSetting,
  tokenSetting,
  withChain,
  withDryRun,
  withJson,
  withReason,
} from "./commandDeclaration.ts";
import { declareDevice } from "./device/declaration.ts";
import { declareEvidence } from "./evidence/declaration.ts";
import { declareMoney } from "./money/declaration.ts";
import { declareProduct } from "./product/declaration.ts";
import { declareWebhook } from "./webhook/declaration.ts";

type Declaration = (program: CommandUnknownOpts, context: Context) => void;

/**
 * Declares all commands. A new command is a function such as `declareStatus`, here or in the command's own folder, and a
 * place in this list. Its action imports the module that does the work, because most commands need no chain.
 */
export function declareCommands(context: Context): Command {
  const program = new Command("aqua")
    .usage("<command>")
    .helpOption("-h, --help", "explains the command")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: context.terminal.out, writeErr: context.terminal.out, outputError: () => {} });
  const declarations: Declaration[] = [
    ...[declareStatus, declareJobs, declareIdentity, declareAccount, declareOperator, declareKey, declareRecovery],
    ...[declareWebhook, declareDeploy, declareProduct, declareEvidence, declareMoney, declareRegister],
    ...[declareDevice, declareBatches, declareIncome],
    ...[declareVerify, declareAudit, declareLog],
    ...[declareMigrate, declareUpgrade, declareDoctor, declareBackup, declareRestore, declareCompletion],
  ];
  for (const declare of declarations) declare(program, context);
  program.addHelpText(
    "after",
    "\n`aqua help <command>` and `aqua help <command> <subcommand>` explain one of them.\nExit codes: 0 done, 1 refused, 2 not understood; `verify`, `audit` and `log verify` have others.",
  );
  return program;
}

const declareStatus: Declaration = (program, { terminal }) => {
  const status = withJson(program.command("status"))
    .summary("what runs, and what needs a person")
    .description(
      "What runs on the server's database: processes with their roles, who leads which work, how far the tables are behind each chain, jobs that fail or were given up with the reason and the request they came from, readings that wait to be anchored, and what the keys can still pay.",
    )
    .action(async (options) => (await import("./status.ts")).printStatus(options, terminal));
  addSections(status, { examples: ["status"], settings: [serverSetting, tokenSetting] });
};

const declareJobs: Declaration = (program, { terminal }) => {
  const jobs = commandGroup(program, "jobs", "tries jobs again that fail or were given up");
  withReason(withJson(jobs.command("retry")))
    .summary("tries jobs again now: one, all of a kind, or all")
    .description(
      "Tries jobs again now that fail or were given up. `aqua status` lists them. A mail that is older than three days is not sent any more.",
    )
    .argument("[job]", "the number of a job, or a kind such as mail.send; without it all")
    .action(async (job, options) => (await import("./jobs.ts")).retryJobs(job, options, terminal));
  addSections(jobs, { examples: ["jobs retry", "jobs retry mail.send"], settings: operatorSettings });
};

const declareIdentity: Declaration = (program, { terminal }) => {
  const load = () => import("./identity.ts");
  const identity = commandGroup(program, "identity", "who waits to be verified, and decisions");
  const reasons = `one of the codes ${rejectionCodes.join(", ")}, which the person reads in their language, or a text`;
  withJson(identity.command("list"))
    .summary("who waits to be verified, longest first")
    .option("--status <status>", "pending, verified, rejected or expired", "pending")
    .option("--page <n>", "a page of the list", "1")
    .action(async (options) => (await load()).listCases(options, terminal));
  withJson(identity.command("show"))
    .summary("what was submitted")
    .argument("<case>")
    .action(async (id, options) => (await load()).showCase(id, options, terminal));
  withJson(identity.command("document"))
    .summary("saves the document")
    .argument("<case>")
    .option("--out <file>", "where to save it (default: <case>.<type> in this folder)")
    .action(async (id, options) => (await load()).saveDocument(id, options, terminal));
  withJson(identity.command("approve"))
    .summary("verifies the person")
    .argument("<case>")
    .option("--days <n>", "for how many days", "365")
    .action(async (id, options) => (await load()).approveCase(id, options, terminal));
  withJson(identity.command("reject"))
    .summary("turns the submission down; the person reads the reason")
    .argument("<case>")
    .option("--reason <why>", reasons)
    .action(async (id, options) => (await load()).refuseCase({ act: "reject", id, options, terminal }));
  withJson(identity.command("revoke"))
    .summary("takes a verification back; the person reads the reason")
    .argument("<case>")
    .option("--reason <why>", reasons)
    .action(async (id, options) => (await load()).refuseCase({ act: "revoke", id, options, terminal }));
  const chainAct = (name: "freeze" | "unfreeze") =>
    withJson(withChain(identity.command(name)))
      .argument("<wallet>", "the address of the wallet")
      .option("--dry-run", "shows what changes for the holder; sends nothing")
      .addOption(safeExport())
      .option("--out <file>", `the batch file (default: safe-<chain>-${name}-<wallet>.json)`)
      .option("--from <address>", "the account that will send, such as the Safe (default: the key's)")
      .action(async (wallet, options) =>
        (await import("./walletFreeze.ts")).setFrozen({ name, wallet }, options, terminal),
      );
  chainAct("freeze")
    .summary("stops a wallet on chain until the owner lifts it")
    .description(
      "Stops a wallet on chain, for example when its key was stolen. It can then neither deposit, transfer, withdraw nor claim. Only the owner lifts it. The chain stores no reason: keep it in your own files.",
    );
  chainAct("unfreeze")
    .summary("lifts the freeze of a wallet")
    .description(
      "Lifts the freeze of a wallet, which then has the state that its record gives. If the owner has a delay, the first run announces the act, and the same command after the delay carries it out.",
    );
  addSections(identity, {
    examples: [
      "identity list",
      "identity approve <case> --days 365",
      `identity reject <case> --reason ${rejectionCodes[0]}`,
      "identity freeze 0x… --chain 8453 --dry-run",
    ],
    settings: [
      ...operatorSettings,
      ["GUARDIAN_PRIVATE_KEY", "the guardian's key, for freeze; or a keystore, see `aqua help key`"],
      ["OWNER_PRIVATE_KEY", "the owner's key, for unfreeze; or a keystore"],
    ],
  });
};

const declareAccount: Declaration = (program, { terminal }) => {
  const account = commandGroup(program, "account", "logs an account out everywhere, or accepts its rows");
  withJson(account.command("logout"))
    .summary("ends every log-in of the account")
    .description(
      "Ends every log-in of the account, as when a device is lost whose owner cannot log in. The owner reads it in the account.",
    )
    .argument("<email>")
    .action(async (email, options) => (await import("./account.ts")).logOut(email, options, terminal));
  withJson(account.command("accept"))
    .summary("states the account's rows as they are, and ends its log-ins")
    .description(
      "For an account whose rows in the database differ from the public log: its owner cannot log in. Run this only after you have checked the rows. The public log then states them as they are, as your act, and every log-in of the account ends.",
    )
    .argument("<email>")
    .action(async (email, options) => (await import("./account.ts")).acceptAccount(email, options, terminal));
  addSections(account, {
    examples: ["account logout ada@example.org", "account accept ada@example.org"],
    settings: operatorSettings,
  });
};

const declareOperator: Declaration = (program, { terminal }) => {
  const operator = commandGroup(program, "operator", "names operators, and makes the key with which one signs");
  operator
    .command("key")
    .summary("makes a key in a new keystore and prints its address")
    .description(
      "Makes a key with which you sign each call that changes something, and prints its address. The file is a keystore of version 3 (Web3 Secret Storage), encrypted with a passphrase; no file is overwritten. Once a server has the address in its OPERATOR_KEYS, it accepts such calls only with a signature, and records them in its public log.",
    )
    .requiredOption("--out <file>", "the keystore")
    .action(async ({ out }) => (await import("./key.ts")).makeOperatorKey(out, terminal));
  withReason(withJson(operator.command("add")))
    .summary("names an operator and prints the token, this once")
    .description(
      "Names an operator and prints the token, this once. The operator sets it as OPERATOR_TOKEN. It allows what the scopes allow, and the public log names the operator beside each act. Needs the token of the server. A name is never used again.",
    )
    .argument("<name>", "small letters, digits and hyphens")
    .requiredOption("--scopes <list>", `with commas between them: ${operatorScopes.join(", ")}`)
    .option(
      "--address <address>",
      "the operator's key, which must be in OPERATOR_KEYS: no other one counts for the operator",
    )
    .option("--days <n>", "for how long the token is valid, or `unlimited` (default: 365)")
    .action(async (name, options) => (await import("./operator.ts")).addOperator(name, options, terminal));
  withJson(operator.command("list"))
    .summary("all named operators")
    .action(async (options) => (await import("./operator.ts")).listOperators(options, terminal));
  withReason(withJson(operator.command("revoke")))
    .summary("ends an operator's token for good")
    .argument("<name>")
    .action(async (name, options) => (await import("./operator.ts")).revokeOperator(name, options, terminal));
  addSections(operator, {
    examples: [
      "operator key --out operator.json",
      "operator add ada --scopes identity,read --address 0x51e1… --days 90",
      "operator revoke ada",
    ],
    settings: [
      serverSetting,
      tokenSetting,
      ["OPERATOR_KEYSTORE", "the file, for all commands that change something"],
      ["OPERATOR_PASSPHRASE_FILE", "a file with its passphrase; without it the terminal asks"],
      ["OPERATOR_KEY", "the key itself, 0x and 64 hex digits, in place of a keystore"],
    ],
  });
};

const declareKey: Declaration = (program, { terminal }) => {
  const key = commandGroup(program, "key", "makes the key of a role in a new keystore");
  key
    .command("new")
    .summary("makes a key in a new keystore and prints its address")
    .description(
      "Makes a key for any role on a chain, and prints its address. The file is a keystore of version 3 (Web3 Secret Storage), encrypted with a passphrase; no file is overwritten. For the registrar, REGISTRAR_KEYSTORE names the file in place of REGISTRAR_PRIVATE_KEY, and so for the other roles: docs/operators/keys.md.",
    )
    .requiredOption("--out <file>", "the keystore")
    .option("--passphrase-file <file>", "a file with the passphrase; without it the terminal asks")
    .action(async (options) => (await import("./key.ts")).makeKey(options, terminal));
  addSections(key, { examples: ["key new --out registrar.json"] });
};

const declareRecovery: Declaration = (program, { terminal }) => {
  const load = () => import("./recovery.ts");
  const recovery = commandGroup(
    program,
    "recovery",
    "puts a person's new wallet in the place of one whose key is lost",
  );
  withChain(recovery.command("message"))
    .summary("writes what the new wallet signs, so that it takes over from the old one")
    .option("--old <address>", "the wallet whose key is lost")
    .option("--new <address>", "the new wallet")
    .option("--out <file>", "where to write it; without it the terminal shows it")
    .option("--valid-hours <n>", "how long it may be proposed (default: 24)")
    .action(async (options) => (await load()).runRecovery("message", options, terminal));
  withDryRun(withChain(recovery.command("propose")))
    .summary("proposes it on chain; the old wallet can veto it for 72 hours")
    .option("--message <file>", "the message that the new wallet signed")
    .option("--signature <hex>", "its signature")
    .action(async (options) => (await load()).runRecovery("propose", options, terminal));
  withDryRun(withChain(recovery.command("execute")))
    .summary("puts the new wallet in the place of the old one, from 72 hours to 17 days later")
    .option("--old <address>", "the wallet whose key is lost")
    .action(async (options) => (await load()).runRecovery("execute", options, terminal));
  withDryRun(withChain(recovery.command("cancel")))
    .summary("takes a proposal back")
    .option("--old <address>", "the wallet whose key is lost")
    .action(async (options) => (await load()).runRecovery("cancel", options, terminal));
  withJson(withChain(recovery.command("show")))
    .summary("the state of a wallet, and what is proposed")
    .option("--old <address>", "the wallet whose key is lost")
    .action(async (options) => (await load()).runRecovery("show", options, terminal));
  ignoreOtherOptions(recovery);
  withJson(withChain(recovery.command("move")))
    .summary("moves all holdings of the old wallet to the new one, in every product")
    .description(
      "Executes the recovery if that is due, then calls `recover` of every product in which the old wallet has shares, requests in the queue, claimable money or receipts. What is moved already is skipped, so run it again after an interruption. Money that lies in the old wallet itself cannot be moved.",
    )
    .requiredOption("--old <address>", "the wallet whose key is lost")
    .option("--dry-run", "shows the holdings and the calls; sends nothing")
    .addOption(safeExport())
    .option("--out <file>", "the batch file (default: safe-<chain>-recovery-<wallet>.json)")
    .action(async (options) => (await import("./recoveryMove.ts")).moveHoldings(options, terminal));
  addSections(recovery, {
    examples: [
      "recovery message --chain 8453 --old 0x… --new 0x… --out message.txt",
      "recovery propose --chain 8453 --message message.txt --signature 0x…",
      "recovery execute --chain 8453 --old 0x… --dry-run",
      "recovery move --chain 8453 --old 0x… --dry-run",
    ],
    settings: [
      ["ATTESTER_PRIVATE_KEY", "the attester's key; to execute and move, any key with gas"],
      ...keystoreSettings,
      ["AQUA_URL", "where the server is: the message names its host"],
    ],
  });
};

const declareDeploy: Declaration = (program, { terminal }) => {
  const deploy = program
    .command("deploy")
    .summary("brings a chain's contracts to what a configuration says")
    .option("--config <file>", "what to deploy, and who holds which role; see docs/operators/deploying.md")
    .option("--send", "does it; without it the steps, their gas and addresses are shown, and nothing is changed")
    .option("--rpc <url>", "a node of the chain (default: the first of RPC_URL_<chain id>)")
    .option("--deployer <address>", "whose steps a dry run shows, where there is no key")
    .option("--plain-create", "without the CREATE2 proxy: the addresses differ from those on other chains")
    .option("--out <folder>", "where <chain id>.json goes (default: DEPLOYMENTS_DIR, else contracts/deployments)")
    .option(
      "--start-block <n>",
      "a block that no contract is before, where no note of it is left; a later one than noted is refused",
    )
    .option("--confirmations <n>", "blocks to wait for after each transaction (default: 1)")
    .action(async (options) => (await import("./deploy.ts")).runDeploy(options, terminal));
  addSections(deploy, {
    examples: ["deploy --config base.json", "deploy --config base.json --send"],
    settings: [["DEPLOYER_KEY", "the deployer's private key; it ends without any role"], ...keystoreSettings],
  });
};

const declareBatches: Declaration = (program, { terminal }) => {
  const load = () => import("./batches.ts");
  const batches = commandGroup(program, "batches", "missing batches of readings");
  withJson(batches.command("list"))
    .summary("which batches the chain holds and the server lacks, and what was declared lost")
    .action(async (options) => (await load()).listMissing(options, terminal));
  withReason(withJson(batches.command("import")))
    .summary("takes in batch files that stand on chain")
    .argument("<files...>", "in the order of their numbers")
    .action(async (files, options) => (await load()).importFiles(files, options, terminal));
  withJson(batches.command("declare-lost"))
    .summary("the next missing batch has no file any more")
    .description(
      "The next missing batch has no file any more: the batches after it and the product's devices go on without it. Everybody can read this and the reason; it is never undone.",
    )
    .argument("<product>")
    .argument("<number>", "the number of the batch")
    .requiredOption("--reason <why>", "the reason, which everybody can read")
    .action(async (shortId, number, options) => (await load()).declareLost({ shortId, number, options, terminal }));
  ignoreOtherOptions(batches);
  addSections(batches, {
    examples: ["batches list", "batches import 7.ndjson 8.ndjson"],
    settings: operatorSettings,
  });
};

const declareIncome: Declaration = (program, { terminal }) => {
  const income = withJson(program.command("income"))
    .summary("what may be reported of a product now")
    .description(
      "What may be reported of a product now: window, what its registers counted, gain, and the head to name as evidence.",
    )
    .argument("<product>")
    .action(async (shortId, options) => (await import("./income.ts")).printIncome(shortId, options, terminal));
  addSections(income, { examples: ["income sahel-solar"], settings: [serverSetting] });
};

const declareRegister: Declaration = (program, { terminal }) => {
  const register = withJson(withChain(program.command("register")))
    .summary("who holds a product after a block: wallets, value, cost and income")
    .description(
      "The investor register of a product after a block: wallets with their shares or receipts, value and cost, and with --year what each paid in, got out and earned in that year. It is computed from the chain's events alone, through any node. It has no names: those are in the identity cases.",
    )
    .argument("<product>", "the product's short id")
    .option("--block <n>", "the block (default: the newest)")
    .option("--year <year>", "adds the income of that year in UTC, until the block at most")
    .option("--csv <file>", "also writes it to a file for spreadsheets")
    .action(async (shortId, options) => (await import("./register.ts")).printRegister(shortId, options, terminal));
  addSections(register, {
    examples: ["register sahel-solar --chain 8453 --block 31000000 --year 2026 --csv register.csv"],
    settings: [["RPC_URL_<chain id>", "a node of the chain, where --rpc is not given"]],
  });
};

const declareVerify: Declaration = (program, context) => {
  const verify = withJson(program.command("verify"))
    .usage("FILE [options]\n       aqua verify --from SERVER DEVICE NUMBER [options]")
    .summary("checks a reading's proof or a batch file")
    .argument(
      "[file...]",
      "a reading's proof or a wallet's income of a month (JSON), or a batch file (NDJSON); with --from a device and a number",
    )
    .option("--from <server>", "the proof as a server gives it, such as --from https://aqua.example pump-1 42")
    .option(
      "--next <file>",
      "of a batch file, the one after it: checked as well, and whether each device's readings go on; again for each further file, from batch 1 on to leave no reading out",
      repeated,
    )
    .option(
      "--rpc <url>",
      "a node of the chain; without it nothing is known of keys and anchors. For an income it must keep the state of old blocks (an archive node)",
    )
    .option(
      "--contract <address>",
      "the contract TelemetryAnchor you trust (default: of the chain's deployment; else the file is believed, and that is said)",
    )
    .option("--deployments <folder>", "where <chain id>.json is (default: DEPLOYMENTS_DIR, else contracts/deployments)")
    .action(async (words, options) => {
      context.exitCode = await (await import("./verify.ts")).runVerify(words, options, context.terminal);
    });
  addSections(verify, {
    examples: ["verify proof.json --rpc https://…", "verify --from https://aqua.example pump-1 42"],
    exitCodes:
      "0 everything is right, 1 a step failed, 2 not understood, 3 nothing wrong, but not all could be checked",
  });
};

const declareAudit: Declaration = (program, context) => {
  const audit = program
    .command("audit")
    .summary("compares every figure of a site with the chain")
    .description(
      "Reads the chain's events from a node and compares every figure of the site's public API with what they say: products, prices, queues, movements, reserves, roles, acts, batches and each wallet, each answer at the block that it names. Nothing is asked of the site but what anyone may ask. Prints a line for each part while it runs.",
    )
    .argument("<site>", "the site's address")
    .option(
      "--rpc <url>",
      "a node of the site's chain, again for each further chain (default: RPC_URL_<chain id>); it should keep old states, and must not be the site's own",
      repeated,
    )
    .option(
      "--registry <address>",
      "the product registry you trust, one for each chain in the site's order (default: the site's)",
      repeated,
    )
    .option("--from <block>", "the first block of the contracts (default: found through the node)")
    .option("--wallets <n>", "compares N wallets instead of all, chosen by the seed")
    .option("--seed <text>", "another seed chooses other wallets", "aqua")
    .option("--state <file>", "keeps the parts that are done, so that an interrupted audit goes on")
    .option("--json", '{"part","figures","findings":[{"path","expected","found","block"}]} for each part, one a line')
    .action(async (site, options) => {
      context.exitCode = await (await import("./audit.ts")).runAudit(site, options, context.terminal);
    });
  addSections(audit, {
    examples: ["audit https://aqua.example --rpc https://…"],
    exitCodes: "0 all equal, 1 a figure differs, 2 not understood, or site or node cannot be reached",
  });
};

const declareLog: Declaration = (program, context) => {
  const load = () => import("./log.ts");
  const { terminal } = context;
  const log = commandGroup(program, "log", "verifies a site's public log");
  withJson(log.command("verify"))
    .summary("checks the whole public log of a site")
    .description(
      "Checks the whole public log of a site: every entry and hash, the signatures of its checkpoint and of each operator's act, that an act says what its entry contains, and that earlier checkpoints are a part of it.",
    )
    .argument("<site>", "the site's address")
    .option("--key <vkey>", "the log's key that you trust (default: of --state, else the one that the site names)")
    .option("--state <file>", "keeps the verified checkpoint, and compares it the next time")
    .option("--rpc <url>", "a node of each chain: compares the checkpoints that batches on chain name", repeated)
    .option(
      "--registry <address>",
      "the product registry you trust, one for each chain in the site's order (default: the site's)",
      repeated,
    )
    .action(async (site, options) => {
      context.exitCode = await (await load()).verifySite(site, options, terminal);
    });
  withJson(log.command("list"))
    .summary("the newest entries")
    .option("--kind <kind>", "of one kind only; those about accounts only with --kind account")
    .action(async (options) => (await load()).listEntries(options, terminal));
  log
    .command("restore")
    .summary("declares a checkpoint void after the restore of a backup")
    .description(
      "After the restore of a backup: declares that the last checkpoint before it is no longer a part of the log. Everybody can read this and the reason; it is never undone.",
    )
    .requiredOption("--size <n>", "how many entries the lost checkpoint had")
    .requiredOption("--root <base64>", "its root")
    .requiredOption("--reason <why>", "the reason, which everybody can read")
    .action(async (options) => (await load()).declareRestore(options, terminal));
  addSections(log, {
    examples: ["log verify https://aqua.example --state aqua.log", "log list --kind device"],
    settings: operatorSettings,
    exitCodes: "of verify: 0 nothing found, 1 a finding, 2 not understood, or site or node cannot be reached",
  });
};

const declareMigrate: Declaration = (program, { terminal }) => {
  const migrate = program
    .command("migrate")
    .summary("brings the database to this version")
    .description(
      "Brings the database to this version, as each server does when it starts. It takes as long as it takes, and one process does it: others wait. Nothing is changed if a migration fails.",
    )
    .action(async () => (await import("./migrate.ts")).runMigrate(terminal));
  addSections(migrate, {
    examples: ["migrate"],
    settings: [["DATABASE_URL", "the database; behind a pooler with limits of its own, PostgreSQL itself"]],
  });
};

const declareUpgrade: Declaration = (program, { terminal }) => {
  const upgrade = program
    .command("upgrade")
    .summary("migrates the database only once both versions give the same figures")
    .description(
      "Run it of the new build, while the servers of the old one go on. It copies the database twice, migrates one copy, and compares at least 1,000 figures, where there are as many, as the old build serves them with those of the new build: on the migrated copy, and recomputed by the new build from the chain up to the same block. Only if all are the same does it make a backup and migrate the database. Otherwise it prints the differences, and the old build goes on. It takes as long as it takes; Ctrl-C leaves everything as it was.",
    )
    .requiredOption("--from <folder>", "the build that runs now, such as /opt/aqua/current")
    .requiredOption("--backup <folder>", "where the archive of before goes, as by `aqua backup`")
    .option("--recipient <key>", "age1…: encrypts it, as in `aqua backup`", repeated)
    .option(
      "--accept <field>",
      "differences of this field are printed and accepted, such as max_drawdown or queue.ready_shares: the changelog says that it differs; again for each further one",
      repeated,
    )
    .action(async (options) => (await import("./upgrade.ts")).runUpgrade(options, terminal));
  addSections(upgrade, {
    examples: ["upgrade --from /opt/aqua/current --backup /var/backups/aqua"],
    settings: [
      ["the server's", "of a role that may create databases"],
      ["POSTGRES_BIN", "folder of pg_dump and pg_restore (default: on the PATH)"],
    ],
  });
};

const declareDoctor: Declaration = (program, context) => {
  const doctor = withJson(program.command("doctor"))
    .summary("does once what production needs, and says what is wrong")
    .description(
      "Does once what production needs, and says of each step what to do: settings, database and its migrations, SECRET_KEY, keystores, nodes, contracts, roles and gas of our keys, mail, webhooks, MQTT, folders, and PUBLIC_URL as a visitor gets it. It writes nothing but test files, which it deletes, and a test message to the broker of MQTT_URL. Run it on a machine of a server, with the server's settings, while servers run. No secret is printed.",
    )
    .option("--mail <address>", "sends a test mail there; without it the mail server is only greeted")
    .option("--webhook", "sends a signed test event to WEBHOOK_URL; without it the receiver is only connected to")
    .option("--wait <seconds>", "how long a head older than a minute may take to move (default: 20)")
    .action(async (options) => {
      context.exitCode = await (await import("./doctor.ts")).runDoctor(options, context.terminal);
    });
  addSections(doctor, {
    examples: ["doctor --mail ops@example.org"],
    settings: [
      ["the server's", "as the servers have them"],
      ["REGISTRAR_PRIVATE_KEY", "the registrar's key, if devices are enrolled here"],
      ["<ROLE>_KEYSTORE", "keystores of people who act here; no passphrase is asked"],
    ],
    exitCodes: "0 nothing failed, 1 a step failed, 2 not understood",
  });
};

const folderSettings = [
  "the server's folders",
  "DATA_DIR, DELETIONS_URL, BATCH_DIR, DEPLOYMENTS_DIR, PRODUCTS_DIR, LEGAL_DIR, as the server has them",
] as const;

const declareBackup: Declaration = (program, { terminal }) => {
  const backup = program
    .command("backup")
    .summary("writes an archive of the database and the operator's files")
    .description(
      "Writes one archive of the database, the list of deleted accounts and the files of BATCH_DIR, DEPLOYMENTS_DIR, PRODUCTS_DIR and LEGAL_DIR: aqua-backup-<time, UTC>.tar. It has that name only once it is whole and on the disk. The servers go on meanwhile. SECRET_KEY is not in it.",
    )
    .requiredOption("--to <folder>", "where the archive goes")
    .option(
      "--recipient <key>",
      "age1…: encrypts it, so that only the private key of age opens it; again for each further one (.tar.age)",
      repeated,
    )
    .option("--keep <n>", "then removes all but the newest N archives of this command in the folder")
    .action(async (options) => (await import("./backup.ts")).runBackup(options, terminal));
  addSections(backup, {
    examples: ["backup --to /var/backups/aqua --keep 14"],
    settings: [
      databaseSetting,
      ["POSTGRES_BIN", "folder of pg_dump, which must not be older than the database (default: on the PATH)"],
      folderSettings,
    ],
  });
};

const declareRestore: Declaration = (program, { terminal }) => {
  const restore = program
    .command("restore")
    .summary("checks such an archive and puts it back")
    .description(
      "Checks every hash of an archive of `aqua backup`, then fills the empty database of DATABASE_URL and writes the files that are missing. It refuses a damaged, truncated or mixed archive, a database with tables, and a file that exists with another content, before anything is changed.",
    )
    .argument("<archive>")
    .option("--identity <file>", "the private key of age for an encrypted archive, AGE-SECRET-KEY-1…")
    .option(
      "--rehearse",
      "restores into a temporary database beside that of DATABASE_URL, brings it to this version, counts its rows and drops it; needs a role that may create databases",
    )
    .action(async (file, options) => (await import("./restore.ts")).runRestore(file, options, terminal));
  addSections(restore, {
    examples: ["restore aqua-backup-20260301T080000Z.tar --rehearse"],
    settings: [
      databaseSetting,
      [
        "POSTGRES_BIN",
        "folder of pg_restore, which must not be older than the backup's pg_dump (default: on the PATH)",
      ],
      folderSettings,
    ],
  });
};

const declareCompletion: Declaration = (program, { terminal }) => {
  const completion = program
    .command("completion")
    .summary("prints a script by which a shell completes commands and options")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"] as const))
    .action(async (shell) => terminal.out((await import("./completion.ts")).completionScript(program, shell)));
  addSections(completion, { examples: ["completion bash > /etc/bash_completion.d/aqua"] });
};
