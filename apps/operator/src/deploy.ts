import { buildContracts } from "@aqua/contracts/deploy/build";
import { type DeployConfig, readConfig } from "@aqua/contracts/deploy/config";
import type { OwnerTask } from "@aqua/contracts/deploy/ownerTask";
import { namedHolder, roleName } from "@aqua/contracts/deploy/roles";
import { deploy, inCoins, type Outcome, type Overview, type StepLine } from "@aqua/contracts/deploy/run";
import { grouped, momentText } from "@aqua/contracts/deploy/settingText";
import { allChains } from "@aqua/sdk/chains";
import { type Address, isAddress, type LocalAccount } from "viem";
import { CommandError } from "./api.ts";
import { deploymentsFolder, keyAccount, rpcUrlOf, wholeOf } from "./chainOptions.ts";
import { keySettings } from "./keystore.ts";
import type { Terminal } from "./terminal.ts";

interface Options {
  config?: string | undefined;
  send?: true | undefined;
  rpc?: string | undefined;
  deployer?: string | undefined;
  plainCreate?: true | undefined;
  out?: string | undefined;
  startBlock?: string | undefined;
  confirmations?: string | undefined;
}

/** `aqua deploy`: lists the steps by which a configuration is deployed on its chain, and with --send executes them. */
export async function runDeploy(values: Options, terminal: Terminal): Promise<void> {
  if (values.config === undefined)
    throw new CommandError("--config must name the configuration; see docs/operators/deploying.md");
  const config = await readConfig(values.config);
  const account = await keyAccount("DEPLOYER_KEY", terminal);
  const send = values.send === true;
  await buildContracts(terminal.out);
  const started = { steps: 0 };
  const outcome = await deploy({
    config,
    account,
    send,
    deployer: deployerOf(values.deployer, account),
    rpcUrl: rpcUrlOf(values.rpc, terminal.environment, config.chainId),
    plainCreate: values.plainCreate === true,
    folder: deploymentsFolder(values.out, terminal.environment),
    startBlock: wholeOf("start-block", values.startBlock, 0) ?? null,
    confirmations: wholeOf("confirmations", values.confirmations, 1) ?? 1,
    overview: (overview) => {
      started.steps = overview.steps.length;
      terminal.out(overviewText(overview));
    },
    progress: (step, number, event) =>
      terminal.out(event === "sending" ? `${number}/${started.steps}  ${step.what} … ` : "done\n"),
  });
  terminal.out(outcomeText(outcome, send));
  const misplaced = send ? misplacedRoles(outcome, config) : [];
  if (misplaced.length > 0)
    throw new CommandError(`${misplaced.join("; ")}: do what is left to the owner, then run the command again`);
}

/** Lists accounts with a role that the configuration does not grant them, and roles without an account. */
function misplacedRoles({ unnamed, unheld }: Outcome, { holders }: DeployConfig): string[] {
  return [
    ...unnamed.map(({ id, account }) => {
      const named = namedHolder(holders, id);
      const whose = named === null ? "which the configuration does not have" : `which is ${named.address}'s`;
      return `${account} holds the role ${roleName(id)}, ${whose}`;
    }),
    ...unheld.map((id) => `no account holds the role ${roleName(id)}, which is ${namedHolder(holders, id)?.address}'s`),
  ];
}

function deployerOf(option: string | undefined, account: LocalAccount | null): Address {
  if (option !== undefined && !isAddress(option)) throw new CommandError("--deployer must be an address");
  if (account === null) {
    if (option === undefined)
      throw new CommandError(`${keySettings("DEPLOYER_KEY")} must be set, or --deployer for a dry run`);
    return option;
  }
  if (option !== undefined && option.toLowerCase() !== account.address.toLowerCase()) {
    throw new CommandError(
      `${keySettings("DEPLOYER_KEY")} is the key of ${account.address}, not of the deployer ${option}`,
    );
  }
  return account.address;
}

function overviewText({ plan, steps, balance, gasPrice, cost, rough, sharedRoles, lateReports }: Overview): string {
  const chain = allChains.find(({ id }) => id === plan.chainId);
  const coin = chain?.native.symbol ?? "coins";
  const total = steps.reduce((sum, { gas }) => sum + (gas ?? 0n), 0n);
  const lines = [
    `Chain     ${plan.chainId}${chain === undefined ? "" : `, ${chain.name}`}`,
    `Deployer  ${plan.deployer}, holds ${inCoins(balance)} ${coin}`,
    ...lateReports.map(
      (shortId) =>
        `Note      a report of ${shortId} may cover more time than its gain is streamed over: a deposit after a late report earns income from before it; make vesting_seconds as long as the usual interval`,
    ),
    ...sharedRoles.map((shared) => `Note      ${shared} at once: the holder of that key has all these roles`),
    "",
    ...steps.flatMap(stepText),
    "",
  ];
  if (total > 0n) {
    const gwei = `${gasPrice / 10n ** 9n}.${String((gasPrice % 10n ** 9n) / 10n ** 6n).padStart(3, "0")}`;
    lines.push(`${rough ? "About " : ""}${grouped(total)} gas, at ${gwei} gwei at most ${inCoins(cost)} ${coin}`);
    if (balance < cost) lines.push(`The deployer holds too little: ${inCoins(cost - balance)} ${coin} are missing`);
  }
  return `${lines.join("\n")}\n`;
}

/** Returns a line with the step's gas or state; empty for a completed step that an earlier one implies. */
function stepText({ step, state, gas }: StepLine, index: number): string[] {
  const implied = step.kind === "call" && step.calls.every(({ reads }) => reads.every((read) => read.impliedByEarlier));
  if (implied && state === "done") return [];
  const right = state === "to do" ? grouped(gas ?? 0n) : state;
  const where = step.kind === "create" ? `  ${step.address}` : "";
  const line = `${String(index + 1).padStart(3)}  ${right.padStart(10)}  ${step.what}${where}`;
  if (step.kind === "create" || step.calls.length === 1 || state === "done") return [line];
  return [line, ...step.calls.map(({ what }) => `${" ".repeat(17)}${what}`)];
}

function taskLines({ what, to, data, by, delay, schedule, scheduled, waitsFor }: OwnerTask): string[] {
  const lines = [`Left to the owner${by === null ? "" : ` ${by}`}: ${what}`];
  if (by === null) return [...lines, "  no account may do it in the current state of the chain"];
  if (schedule !== null) lines.push(`  first to ${schedule.to}`, `    ${schedule.data}`, `  and ${delay} s later`);
  if (scheduled !== null)
    lines.push(`  scheduled, may be done from ${momentText(scheduled.from)} to ${momentText(scheduled.until)}`);
  // If the role were revoked before it is granted, nobody would hold it.
  if (waitsFor !== null)
    return [...lines, `  not before ${waitsFor}; run this command again then, and it shows the call`];
  return [...lines, `  to ${to}`, `    ${data}`];
}

function outcomeText({ file, verified, ownerTasks }: Outcome, send: boolean): string {
  const lines: string[] = [];
  if (verified > 0) lines.push(`The code of ${verified} contracts is the compiler's, byte by byte.`);
  for (const task of ownerTasks) lines.push("", ...taskLines(task));
  if (file !== null) lines.push(`Written: ${file}`);
  if (!send) lines.push("Nothing was sent. --send executes the steps.");
  return `${lines.join("\n")}\n`;
}
