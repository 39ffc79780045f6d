import {
  functionRoleCalls,
  grantCalls,
  guardianCalls,
  handoverCalls,
  type ManagedContract,
  type Role,
  roles,
} from "@aqua/contracts/deploy/roles";
import type { Address } from "viem";
import { roleAccount } from "./accounts.ts";
import type { Call } from "./sender.ts";

interface RoleTargets {
  manager: Address;
  identity: Address;
  registry: Address;
  anchor: Address;
  vaults: readonly Address[];
  termDeposits: readonly Address[];
}

/** Hands out every role of docs/contracts.md and takes the deployer's away. On the local chain the owner acts without delay. */
export function roleCalls(targets: RoleTargets): Call[] {
  const { manager, identity, registry, anchor, vaults, termDeposits } = targets;
  const from = roleAccount("deployer");
  const holder = (role: Role) => ({ address: roleAccount(role).address, delay: 0 });
  const of = (contract: ManagedContract, target: Address) => functionRoleCalls(manager, contract, target);
  const calls = [
    ...of("IdentityRegistry", identity),
    ...of("ProductRegistry", registry),
    ...of("TelemetryAnchor", anchor),
    ...vaults.flatMap((vault) => of("DemandVault", vault)),
    ...termDeposits.flatMap((product) => of("TermDeposit", product)),
    ...grantCalls(manager, Object.fromEntries(roles.map((role) => [role, holder(role)]))),
    ...guardianCalls(manager),
    ...handoverCalls(manager, holder("owner"), from.address),
  ];
  return calls.map(({ what, to, data }) => ({ from, to, data, what }));
}
