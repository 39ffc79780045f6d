import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { Abi, Address, Hex } from "viem";
import { encodeFunctionData, toFunctionSelector } from "viem/utils";
import { roleAccount } from "./accounts.ts";
import type { Call } from "./sender.ts";

/** Role ids of the AccessManager. 0 is its own admin role, held by the owner. */
export const chainRoles = {
  ...{ owner: 1n, guardian: 2n, reporter: 3n, attester: 4n, treasurer: 5n },
  ...{ anchorer: 6n, registrar: 7n },
} as const;

interface RoleTargets {
  manager: Address;
  identity: Address;
  registry: Address;
  anchor: Address;
  vaults: readonly Address[];
  termDeposits: readonly Address[];
}

function selectors(abi: Abi, names: readonly string[]): Hex[] {
  const functions = abi.filter((item) => item.type === "function");
  return names.map((name) => {
    const found = functions.find((item) => item.name === name);
    if (found === undefined) throw new Error(`The contract has no function ${name}.`);
    return toFunctionSelector(found);
  });
}

/** Hands out every role of docs/contracts.md and takes the deployer's away. On the local chain the owner acts without delay. */
export function roleCalls(targets: RoleTargets): Call[] {
  const { manager, identity, registry, anchor, vaults, termDeposits } = targets;
  const from = roleAccount("deployer");
  const call = (what: string, data: Hex): Call => ({ from, to: manager, data, what });
  const allow = (target: Address, abi: Abi, names: readonly string[], role: keyof typeof chainRoles) =>
    call(
      `let the ${role} ${names.join(", ")}`,
      encodeFunctionData({
        abi: accessManagerAbi,
        functionName: "setTargetFunctionRole",
        args: [target, selectors(abi, names), chainRoles[role]],
      }),
    );
  const calls = [
    allow(identity, identityRegistryAbi, ["bind", "renew", "revoke", "proposeRecovery", "cancelRecovery"], "attester"),
    allow(identity, identityRegistryAbi, ["freeze"], "guardian"),
    allow(identity, identityRegistryAbi, ["unfreeze"], "owner"),
    allow(registry, productRegistryAbi, ["list", "open", "setMetadata"], "owner"),
    allow(registry, productRegistryAbi, ["close"], "guardian"),
    allow(anchor, telemetryAnchorAbi, ["anchor"], "anchorer"),
    allow(anchor, telemetryAnchorAbi, ["registerP256Key", "registerSecp256k1Key", "revokeKey"], "registrar"),
  ];
  for (const vault of vaults) {
    calls.push(allow(vault, demandVaultAbi, ["report"], "reporter"));
    calls.push(allow(vault, demandVaultAbi, ["pause"], "guardian"));
    calls.push(allow(vault, demandVaultAbi, ["deploy"], "treasurer"));
    const settings = ["setCap", "setMinDeposit", "unpause", "setQueue", "setCustodian", "setTreasury"];
    calls.push(allow(vault, demandVaultAbi, settings, "owner"));
  }
  for (const product of termDeposits) {
    calls.push(allow(product, termDepositAbi, ["bookLoss"], "reporter"));
    calls.push(allow(product, termDepositAbi, ["pause"], "guardian"));
    calls.push(allow(product, termDepositAbi, ["fundInterest", "withdrawInterest", "deploy"], "treasurer"));
    calls.push(allow(product, termDepositAbi, ["addTerm", "setTerm", "setLimits", "unpause"], "owner"));
  }
  for (const [role, id] of Object.entries(chainRoles) as [keyof typeof chainRoles, bigint][]) {
    const label = encodeFunctionData({ abi: accessManagerAbi, functionName: "labelRole", args: [id, role] });
    const args = [id, roleAccount(role).address, 0] as const;
    const grant = encodeFunctionData({ abi: accessManagerAbi, functionName: "grantRole", args });
    calls.push(call(`name the role ${role}`, label), call(`grant the role ${role}`, grant));
  }
  const admin = [0n, roleAccount("owner").address, 0] as const;
  calls.push(
    call("make the owner admin", encodeFunctionData({ abi: accessManagerAbi, functionName: "grantRole", args: admin })),
  );
  const renounce = [0n, from.address] as const;
  calls.push(
    call(
      "take the admin role from the deployer",
      encodeFunctionData({ abi: accessManagerAbi, functionName: "renounceRole", args: renounce }),
    ),
  );
  return calls;
}
