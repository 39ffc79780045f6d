import { rejectionCodes } from "@aqua/sdk/api/rules";

/** The settings with which a call is signed. */
const signingSettings = `  OPERATOR_KEYSTORE, OPERATOR_KEY, OPERATOR_PASSPHRASE_FILE
                  your key, where the server requires signatures; see \`aqua help operator\`
`;

export const identityUsage = `Usage: aqua identity <command>

  list [--status pending|verified|rejected|expired] [--page N]
                                who waits to be verified, longest first
  show <case>                   what was submitted
  document <case> [--out FILE]  saves the document; without --out as <case>.<type> in this folder
  approve <case> [--days N]     verifies the person, for a year unless said otherwise
  reject <case> --reason WHY    turns the submission down; the person reads the reason
  revoke <case> --reason WHY    takes a verification back; the person reads the reason

  WHY is one of these, which the person reads in their language, or a text they read as it is:
${rejectionCodes.map((code) => `    ${code}`).join("\n")}

  --json                        the server's answer instead of words

Settings, from the environment:
  AQUA_URL        where the server is, such as https://aqua.example (default http://localhost:8080)
  OPERATOR_TOKEN  the token the server was started with
${signingSettings}`;

export const accountUsage = `Usage: aqua account logout EMAIL [--json]

  Ends every log-in of the account, as when a device is lost whose owner cannot log in. The owner reads it in the account.

Settings, from the environment:
  AQUA_URL        where the server is, such as https://aqua.example (default http://localhost:8080)
  OPERATOR_TOKEN  the token the server was started with
${signingSettings}`;

export const operatorUsage = `Usage: aqua operator key --out FILE

  Makes a key with which you sign each call that changes something, and prints its address. FILE is a keystore of version
  3 (Web3 Secret Storage), encrypted with a passphrase; no file is overwritten. Once a server has the address in its
  OPERATOR_KEYS, it accepts such calls only with a signature, and records them in its public log.

Settings, from the environment:
  OPERATOR_KEYSTORE         the file, for all commands that change something
  OPERATOR_PASSPHRASE_FILE  a file with its passphrase; without it the terminal asks
  OPERATOR_KEY              the key itself, 0x and 64 hex digits, in place of a keystore
`;

export const deployUsage = `Usage: aqua deploy --config FILE [--send]

  --config FILE      what to deploy, and who holds which role; see docs/operators/deploying.md
  --send             does it; without it the steps, their gas and addresses are shown, and nothing is changed
  --rpc URL          a node of the chain (default: the first of RPC_URL_<chain id>)
  --deployer ADDRESS whose steps a dry run shows, where there is no key
  --plain-create     without the CREATE2 proxy: the addresses differ from those on other chains
  --out FOLDER       where <chain id>.json goes (default: DEPLOYMENTS_DIR, else contracts/deployments)
  --start-block N    a block that no contract is before, where no note of it is left; a later one than noted is refused
  --confirmations N  blocks to wait for after each transaction (default 1)

Settings, from the environment:
  DEPLOYER_KEY       the deployer's private key; it ends without any role
`;

export const recoveryUsage = `Usage: aqua recovery <command> --chain N

  message --old A --new B       writes what the new wallet signs, so that it takes over from the old one
     [--out FILE] [--valid-hours N]
  propose --message FILE --signature 0x…
                                proposes it on chain; the old wallet can veto it for 72 hours
  execute --old A               puts the new wallet in the place of the old one, from 72 hours to 17 days later
  cancel --old A                takes a proposal back
  show --old A                  how a wallet stands, and what is proposed

  --rpc URL                     a node of the chain (default: the first of RPC_URL_<chain id>)
  --deployments FOLDER          where <chain id>.json is (default: DEPLOYMENTS_DIR, else contracts/deployments)

Settings, from the environment:
  ATTESTER_PRIVATE_KEY          the attester's key; to execute, any key with gas
  AQUA_URL                      where the server is: the message names its host
`;

export const verifyUsage = `Usage: aqua verify FILE [--rpc URL] [--contract 0x…]
       aqua verify --from SERVER DEVICE NUMBER [--rpc URL] [--contract 0x…]

  FILE                  a reading's proof or a wallet's income of a month (JSON), or a batch file (NDJSON)
  --from SERVER DEVICE NUMBER
                        the proof as a server gives it, such as --from https://aqua.example pump-1 42
  --next FILE           of a batch file, the one after it: checked as well, and whether each device's readings go on;
                        again for each further file, from batch 1 on to leave no reading out
  --rpc URL             a node of the chain; without it nothing is known of keys and anchors. For an income it must keep
                        the state of old blocks (an archive node)
  --contract ADDRESS    the contract TelemetryAnchor you trust
                        (default: of the chain's deployment; else the file is believed, and that is said)
  --deployments FOLDER  where <chain id>.json is (default: DEPLOYMENTS_DIR, else contracts/deployments)

Exit codes: 0 everything is right, 1 a step failed, 2 not understood, 3 nothing wrong, but not all could be checked
`;

export const auditUsage = `Usage: aqua audit SITE [--rpc URL]…

  Reads the chain's events from a node and compares every figure of the site's public API with what they say: products,
  prices, queues, movements, reserves, roles, acts, batches and each wallet, each answer at the block that it names.
  Nothing is asked of the site but what anyone may ask. Prints a line for each part while it runs.

  --rpc URL           a node of the site's chain, again for each further chain (default: RPC_URL_<chain id>); it should
                      keep old states, and must not be the site's own
  --registry ADDRESS  the product registry you trust, one for each chain in the site's order (default: the site's)
  --from BLOCK        the first block of the contracts (default: found through the node)
  --wallets N         compares N wallets instead of all, chosen by the seed
  --seed TEXT         another seed chooses other wallets (default: aqua)
  --state FILE        keeps the parts that are done, so that an interrupted audit goes on
  --json              {"part","figures","findings":[{"path","expected","found","block"}]} for each part, one a line

Exit codes: 0 all equal, 1 a figure differs, 2 not understood, or site or node cannot be reached
`;

export const logUsage = `Usage: aqua log <command>

  verify SITE                   checks the whole public log of a site: every entry and hash, the signatures of its
                                checkpoint and of each operator's act, that an act says what its entry contains, and
                                that earlier checkpoints are a part of it
     [--key VKEY]               the log's key that you trust (default: of --state, else the one that the site names)
     [--state FILE]             keeps the verified checkpoint, and compares it the next time
     [--rpc URL]…               a node of each chain: compares the checkpoints that batches on chain name
     [--registry ADDRESS]…      the product registry you trust, one for each chain in the site's order (default: the
                                site's)
  list [--kind KIND]            the newest entries in words; those about accounts only with --kind account
  restore --size N --root BASE64 --reason WHY
                                after the restore of a backup: declares that the last checkpoint before it, of N entries,
                                is no longer a part of the log. Everybody can read this and the reason; it is never undone

Settings, from the environment; verify needs none:
  AQUA_URL        where the server is, such as https://aqua.example (default http://localhost:8080)
  OPERATOR_TOKEN  the token the server was started with; not for list
${signingSettings}
Exit codes of verify: 0 nothing found, 1 a finding, 2 not understood, or site or node cannot be reached
`;

export const deviceUsage = `Usage: aqua device <command>

  list                          all enrolled devices
  enrol FILE --chain N --key K  puts the device's key on chain and enrols it; FILE is JSON, see docs/operators/telemetry.md;
                                a co_signed device names its co-signer there, whose key must be on chain
     [--root PEM]               what the certificates of an attested device must lead to
  rotate DEVICE --chain N --key K
                                another key, from which on the one before does not hold any more; of a co-signer too
     [--first]                  the name has no key: a co-signer's first, or a device's after revoke
  revoke DEVICE --chain N       ends its key, or a co-signer's; its earlier signatures remain verifiable
  secret DEVICE                 a new password for MQTT
  interval DEVICE --every T [--since M]
                                it is to report every T (10s, 15m, 1h, 1d), from now or the moment M of its past on
                                (UTC, 2026-03-01 or 2026-03-01T08:30Z); what was said of a later time stays
  declare-lost DEVICE --reason WHY
                                readings after its last accepted one are lost: the next is accepted without them.
                                Everybody can read this and the reason; it is never undone
  retire DEVICE                 takes it out of service for good

  --key K                       0x…,0x…: the coordinates of a P-256 key; an address: a secp256k1 key
  --in-seconds N                when the key begins (default 300)
  --rpc URL                     a node of the chain (default: the first of RPC_URL_<chain id>)
  --deployments FOLDER          where <chain id>.json is (default: DEPLOYMENTS_DIR, else contracts/deployments)

Settings, from the environment:
  REGISTRAR_PRIVATE_KEY         the registrar's key; for what changes keys
  AQUA_URL, OPERATOR_TOKEN      the server and its token; for all but rotate and revoke
  OPERATOR_KEYSTORE, OPERATOR_KEY, OPERATOR_PASSPHRASE_FILE
                                your key, where the server requires signatures; see \`aqua help operator\`
`;

export const batchesUsage = `Usage: aqua batches <command>

  list                          which batches the chain holds and the server lacks, and what was declared lost
  import FILE...                takes in batch files that stand on chain, in the order of their numbers
  declare-lost PRODUCT NUMBER --reason WHY
                                the next missing batch has no file any more: the batches after it and the product's
                                devices go on without it. Everybody can read this and the reason; it is never undone

  --json                        the server's answer instead of words

Settings, from the environment:
  AQUA_URL        where the server is, such as https://aqua.example (default http://localhost:8080)
  OPERATOR_TOKEN  the token the server was started with; not for list
${signingSettings}`;

export const incomeUsage = `Usage: aqua income PRODUCT [--json]

  What may be reported of a product now: window, what its registers counted, gain, and the head to name as evidence.
  AQUA_URL says where the server is.
`;

export const migrateUsage = `Usage: aqua migrate

  Brings the database to this version, as each server does when it starts. It takes as long as it takes, and one process
  does it: others wait. Nothing is changed if a migration fails.

Settings, from the environment:
  DATABASE_URL    the database; behind a pooler with limits of its own, PostgreSQL itself
`;

export const upgradeUsage = `Usage: aqua upgrade --from FOLDER --backup FOLDER [--recipient age1…] [--accept FIELD]

  Run it of the new build, while the servers of the old one go on. It copies the database twice, migrates one copy, and
  compares at least 1,000 figures, where there are as many, as the old build serves them with those of the new build: on
  the migrated copy, and recomputed by the new build from the chain up to the same block. Only if all are the same does it
  make a backup and migrate the database. Otherwise it prints the differences, and the old build goes on. It takes as long
  as it takes; Ctrl-C leaves everything as it was.

  --from FOLDER      the build that runs now, such as /opt/aqua/current
  --backup FOLDER    where \`aqua backup\` writes the archive of before
  --recipient age1…  encrypts it, as in \`aqua backup\`
  --accept FIELD     differences of this field are printed and accepted, such as max_drawdown or queue.ready_shares: the
                     changelog says that it differs; again for each further one

Settings, from the environment: those of the server, of a role that may create databases, and
  POSTGRES_BIN       folder of pg_dump and pg_restore (default: on the PATH)
`;

export const statusUsage = `Usage: aqua status [--json]

  What runs on the server's database: processes with their roles, who leads which work, how far the tables are behind each
  chain, jobs that fail or were given up with the reason and the request they came from, readings that wait to be
  anchored, and what the keys can still pay.

Settings, from the environment:
  AQUA_URL        where the server is, such as https://aqua.example (default http://localhost:8080)
  OPERATOR_TOKEN  the token the server was started with
`;

export const jobsUsage = `Usage: aqua jobs retry [JOB | KIND] [--json]

  Tries jobs again now that fail or were given up: one by its number, all of a kind such as mail.send, or all.
  \`aqua status\` lists them. A mail that is older than three days is not sent any more.

Settings, from the environment:
  AQUA_URL        where the server is, such as https://aqua.example (default http://localhost:8080)
  OPERATOR_TOKEN  the token the server was started with
${signingSettings}`;

export const doctorUsage = `Usage: aqua doctor [--mail ADDRESS] [--wait SECONDS] [--json]

  Does once what production needs, and says of each step what to do: settings, database and its migrations, SECRET_KEY,
  nodes, contracts, roles and gas of our keys, mail, MQTT, folders, and PUBLIC_URL as a visitor gets it. It writes nothing
  but test files, which it deletes, and a test message to the broker of MQTT_URL. Run it on a machine of a server, with
  the server's settings, while servers run. No secret is printed.

  --mail ADDRESS    sends a test mail there; without it the mail server is only greeted
  --wait SECONDS    how long a head older than a minute may take to move (default 20)
  --json            {"findings":[{"check","result":"ok|warning|failed","says","next"}]}

Settings, from the environment: those of the server, and REGISTRAR_PRIVATE_KEY

Exit codes: 0 nothing failed, 1 a step failed, 2 not understood
`;

export const backupUsage = `Usage: aqua backup --to FOLDER [--recipient age1…] [--keep N]

  Writes one archive of the database, the list of deleted accounts and the files of BATCH_DIR, DEPLOYMENTS_DIR,
  PRODUCTS_DIR and LEGAL_DIR: FOLDER/aqua-backup-<time, UTC>.tar. It has that name only once it is whole and on the disk.
  The servers go on meanwhile. SECRET_KEY is not in it.

  --recipient age1…  encrypts it, so that only the private key of age opens it; again for each further one (.tar.age)
  --keep N           then removes all but the newest N archives of this command in FOLDER

Settings, from the environment:
  DATABASE_URL       the database
  POSTGRES_BIN       folder of pg_dump, which must not be older than the database (default: on the PATH)
  DATA_DIR, DELETIONS_URL, BATCH_DIR, DEPLOYMENTS_DIR, PRODUCTS_DIR, LEGAL_DIR   as the server has them
`;

export const restoreUsage = `Usage: aqua restore FILE [--identity FILE] [--rehearse]

  Checks every hash of an archive of \`aqua backup\`, then fills the empty database of DATABASE_URL and writes the files
  that are missing. It refuses a damaged, truncated or mixed archive, a database with tables, and a file that exists with
  another content, before anything is changed.

  --identity FILE    the private key of age for an encrypted archive, AGE-SECRET-KEY-1…
  --rehearse         restores into a temporary database beside that of DATABASE_URL, brings it to this version, counts its
                     rows and drops it; needs a role that may create databases

Settings, from the environment:
  DATABASE_URL       the database
  POSTGRES_BIN       folder of pg_restore, which must not be older than the pg_dump of the backup (default: on the PATH)
  DATA_DIR, DELETIONS_URL, BATCH_DIR, DEPLOYMENTS_DIR, PRODUCTS_DIR, LEGAL_DIR   as the server will have them
`;

export const overview = `Usage: aqua <command>

  status     what runs, and what needs a person
  jobs       tries jobs again that fail or were given up
  identity   who waits to be verified: list, show, approve, reject, revoke
  account    logs an account out everywhere
  operator   makes the key with which you sign what you do
  recovery   puts a person's new wallet in the place of one whose key is lost
  deploy     brings a chain's contracts to what a configuration says
  device     devices and their keys: list, enrol, rotate, revoke, retire
  batches    missing batches of readings: list, import, declare-lost
  income     what may be reported of a product now
  verify     checks a reading's proof or a batch file
  audit      compares every figure of a site with the chain
  log        verifies a site's public log: verify, list, restore
  migrate    brings the database to this version
  upgrade    does that only once both versions give the same figures
  doctor     does once what production needs, and says what is wrong
  backup     writes an archive of the database and the operator's files
  restore    checks such an archive and puts it back

  aqua help <command>   explains one of them
`;
