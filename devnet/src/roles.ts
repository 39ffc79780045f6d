import {
  functionRoleCalls,
  grantCalls,
  guardianCalls,
  handoverCalls,
  type ManagedContract,
  type Role,
  roles,
} from "@aqua/contracts/deploy/roles";
import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { DAY } from "@aqua/sdk/durations";
import type { Address } from "viem";
import { encodeFunctionData, getAbiItem, toFunctionSelector } from "viem/utils";
import { roleAccount } from "./accounts.ts";
import type { Call } from "./sender.ts";

interface RoleTargets {
  manager: Address;
  identity: Address;
  registry: Address;
  anchor: Address;
  vaults: readonly Address[];
  termDeposits: readonly Address[];
  /** Delay in seconds between the announcement and the execution of the owner's calls. */
  ownerDelay: number;
}

/**
 * Delay in seconds between the announcement and the execution of the owner's calls on the local chain, as in
 * `contracts/deploy/example.json`.
 */
export const OWNER_DELAY = 2 * DAY;
/** Id of a role of the local chain alone, above those of the deployment. */
export const EDITOR_ROLE = 100n;

/** Grants every role of docs/contracts.md and the editor's, and revokes the deployer's. */
export function roleCalls(targets: RoleTargets): Call[] {
  const { manager, identity, registry, anchor, vaults, termDeposits, ownerDelay } = targets;
  const from = roleAccount("deployer");
  const holder = (role: Role) => ({ address: roleAccount(role).address, delay: role === "owner" ? ownerDelay : 0 });
  const of = (contract: ManagedContract, target: Address) => functionRoleCalls(manager, contract, target);
  const calls = [
    ...of("IdentityRegistry", identity),
    ...of("ProductRegistry", registry),
    ...of("TelemetryAnchor", anchor),
    ...vaults.flatMap((vault) => of("DemandVault", vault)),
    ...termDeposits.flatMap((product) => of("TermDeposit", product)),
    ...grantCalls(manager, Object.fromEntries(roles.map((role) => [role, holder(role)]))),
    ...guardianCalls(manager),
    ...editorCalls(manager, registry),
    ...handoverCalls(manager, holder("owner"), from.address),
  ];
  return calls.map(({ what, to, data }) => ({ from, to, data, what }));
}

/**
 * Edits of a product's text on this machine must show at once, so `setMetadata` belongs to a separate role without the
 * owner's delay. This role may call no other function.
 */
function editorCalls(manager: Address, registry: Address): Pick<Call, "what" | "to" | "data">[] {
  const selector = toFunctionSelector(getAbiItem({ abi: productRegistryAbi, name: "setMetadata" }));
  const abi = accessManagerAbi;
  const calls = [
    encodeFunctionData({ abi, functionName: "setTargetFunctionRole", args: [registry, [selector], EDITOR_ROLE] }),
    encodeFunctionData({ abi, functionName: "labelRole", args: [EDITOR_ROLE, "editor"] }),
    encodeFunctionData({ abi, functionName: "grantRole", args: [EDITOR_ROLE, roleAccount("editor").address, 0] }),
  ];
  return calls.map((data) => ({ what: "make the editor", to: manager, data }));
}
