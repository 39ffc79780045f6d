import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { Abi, AbiFunction, Address, Hex } from "viem";
import { encodeFunctionData, isAddressEqual, toFunctionSelector } from "viem/utils";
import type { Call, Read } from "./steps.ts";

/** Role ids of the AccessManager. 0 is its own admin role, which goes to the owner. */
export const roleIds = {
  admin: 0n,
  owner: 1n,
  guardian: 2n,
  reporter: 3n,
  attester: 4n,
  treasurer: 5n,
  anchorer: 6n,
  registrar: 7n,
  confirmer: 8n,
} as const;
/** The roles an account of its own holds. */
export type Role = Exclude<keyof typeof roleIds, "admin">;
export const roles = Object.keys(roleIds).filter((role) => role !== "admin") as Role[];

/** An account that holds a role on chain. */
export interface Member {
  id: bigint;
  account: Address;
}

/** A role's name; of one that is not ours, its number. */
export function roleName(id: bigint): string {
  return Object.entries(roleIds).find(([, known]) => known === id)?.[0] ?? `number ${id}`;
}

/** Holder of a role, and the delay in seconds between the announcement of a call and the call. */
export interface Holder {
  address: Address;
  delay: number;
}

const managed = {
  IdentityRegistry: identityRegistryAbi,
  ProductRegistry: productRegistryAbi,
  TelemetryAnchor: telemetryAnchorAbi,
  DemandVault: demandVaultAbi,
  TermDeposit: termDepositAbi,
} as const satisfies Record<string, Abi>;
export type ManagedContract = keyof typeof managed;

/** Functions of a contract by role: the table under "Roles" in docs/contracts.md, which a test compares with this. */
export const roleTable: Record<ManagedContract, Partial<Record<Role, readonly string[]>>> = {
  IdentityRegistry: {
    attester: ["bind", "renew", "revoke", "proposeRecovery", "cancelRecovery"],
    guardian: ["freeze"],
    owner: ["unfreeze"],
  },
  ProductRegistry: { owner: ["list", "open", "setMetadata"], guardian: ["close"] },
  TelemetryAnchor: { anchorer: ["anchor"], registrar: ["registerP256Key", "registerSecp256k1Key", "revokeKey"] },
  DemandVault: {
    reporter: ["report", "renewEvidence"],
    confirmer: ["confirmLoss", "restore", "takeBackLoss"],
    guardian: ["pause"],
    treasurer: ["deploy"],
    owner: ["setCap", "setMinDeposit", "unpause", "setQueue", "setCustodian", "setTreasury", "setEvidence"],
  },
  TermDeposit: {
    treasurer: ["fundInterest", "withdrawInterest", "deploy"],
    reporter: ["bookLoss", "renewEvidence"],
    confirmer: ["confirmLoss", "takeBackLoss"],
    guardian: ["pause"],
    owner: ["addTerm", "setTerm", "setLimits", "unpause", "setEvidence"],
  },
};

type ManagerFunction =
  | "setTargetFunctionRole"
  | "labelRole"
  | "grantRole"
  | "revokeRole"
  | "setRoleGuardian"
  | "renounceRole";
type ManagerCall = { what: string; functionName: ManagerFunction; args: readonly unknown[]; reads: Call["reads"] };

function callOf(manager: Address, { what, functionName, args, reads }: ManagerCall): Call {
  // The names and arguments are put together below, in one place each.
  const data = encodeFunctionData({ abi: accessManagerAbi as Abi, functionName, args });
  return { what, to: manager, data, reads };
}

function selectorsOf(contract: ManagedContract, names: readonly string[]): Hex[] {
  const functions = managed[contract].filter((item): item is typeof item & AbiFunction => item.type === "function");
  return names.map((name) => {
    const found = functions.find((item) => item.name === name);
    if (found === undefined) throw new Error(`${contract} has no function ${name}.`);
    return toFunctionSelector(found);
  });
}

/** The calls that give the functions of the contract at `target` to the roles of the table. */
export function functionRoleCalls(manager: Address, contract: ManagedContract, target: Address): Call[] {
  const granted = Object.entries(roleTable[contract]) as [Role, readonly string[]][];
  return granted.map(([role, names]) => {
    const selectors = selectorsOf(contract, names);
    return callOf(manager, {
      what: `let the ${role} ${names.join(", ")}`,
      functionName: "setTargetFunctionRole",
      args: [target, selectors, roleIds[role]],
      reads: selectors.map((selector) => ({
        address: manager,
        abi: accessManagerAbi,
        functionName: "getTargetFunctionRole",
        args: [target, selector],
        is: (value) => value === roleIds[role],
      })),
    });
  });
}

/** Whether `account` holds a role, with just this delay when one is given. */
function holds({
  manager,
  id,
  account,
  wanted,
}: {
  manager: Address;
  id: bigint;
  account: Address;
  wanted: { held: boolean; delay?: number };
}) {
  return {
    address: manager,
    abi: accessManagerAbi,
    functionName: "hasRole",
    args: [id, account],
    is: (value: unknown) => {
      const [held, delay] = value as [boolean, number];
      return held === wanted.held && (wanted.delay === undefined || delay === wanted.delay);
    },
  };
}

/** The calls that name each role and give it to its holder. */
export function grantCalls(manager: Address, holders: Partial<Record<Role, Holder>>): Call[] {
  return roles.flatMap((role) => {
    const holder = holders[role];
    if (holder === undefined) return [];
    const id = roleIds[role];
    const reads = [holds({ manager, id, account: holder.address, wanted: { held: true, delay: holder.delay } })];
    return [
      callOf(manager, {
        what: `name the role ${role}`,
        functionName: "labelRole",
        args: [id, role],
        // A name cannot be read back; it is set in one transaction with the guardian, and stays when the holder changes.
        reads: [guarded(manager, "owner")],
      }),
      callOf(manager, {
        what: `make ${holder.address} the ${role}${holder.delay > 0 ? `, with a delay of ${holder.delay} s` : ""}`,
        functionName: "grantRole",
        args: [id, holder.address, holder.delay],
        reads,
      }),
    ];
  });
}

/**
 * The calls by which the guardian may cancel what a holder of another role has scheduled, before its delay is over. Without
 * them only that holder and the admin, which is the owner too, could. The guardian's own role keeps the admin for it.
 */
export function guardianCalls(manager: Address): Call[] {
  return roles
    .filter((role) => role !== "guardian")
    .map((role) =>
      callOf(manager, {
        what: `let the guardian cancel what the ${role} has scheduled`,
        functionName: "setRoleGuardian",
        args: [roleIds[role], roleIds.guardian],
        reads: [guarded(manager, role)],
      }),
    );
}

/** Whether the guardian may cancel what a role's holder has scheduled. */
function guarded(manager: Address, role: Role): Read {
  return {
    address: manager,
    abi: accessManagerAbi,
    functionName: "getRoleGuardian",
    args: [roleIds[role]],
    is: (value) => value === roleIds.guardian,
  };
}

/** Whom the configuration gives a role: the owner is admin too. None for a role that is not ours. */
export function namedHolder(holders: Record<Role, Holder>, id: bigint): Holder | null {
  const role = roles.find((each) => roleIds[each] === id);
  if (role !== undefined) return holders[role];
  return id === roleIds.admin ? holders.owner : null;
}

/** Accounts with a role that the configuration gives to another account, or to none; admins last. */
export function unnamedMembers(members: readonly Member[], holders: Record<Role, Holder>): Member[] {
  return members
    .filter(({ id, account }) => {
      const named = namedHolder(holders, id);
      return named === null || !isAddressEqual(named.address, account);
    })
    .sort((one, other) => Number(one.id === roleIds.admin) - Number(other.id === roleIds.admin));
}

/** The calls that take its role from each of `unnamed`, once the account that the configuration names holds it. */
export function revokeCalls(
  manager: Address,
  unnamed: readonly Member[],
  holders: Record<Role, Holder>,
): readonly Call[] {
  return unnamed.map(({ id, account }) => {
    const call = callOf(manager, {
      what: `take the role ${roleName(id)} from ${account}`,
      functionName: "revokeRole",
      args: [id, account],
      reads: [
        {
          address: manager,
          abi: accessManagerAbi,
          functionName: "getAccess",
          args: [id, account],
          // Zero only for one who neither holds the role nor will from a later moment on.
          is: (value) => (value as readonly [number, ...unknown[]])[0] === 0,
        },
      ],
    });
    const named = namedHolder(holders, id);
    if (named === null) return call;
    const reads = [holds({ manager, id, account: named.address, wanted: { held: true } })];
    return { ...call, after: { what: `${named.address} is the ${roleName(id)}`, reads } };
  });
}

/** The last calls of a deployment: the owner becomes admin, with its delay, and the deployer steps back. */
export function handoverCalls(manager: Address, owner: Holder, deployer: Address): Call[] {
  if (isAddressEqual(owner.address, deployer)) throw new Error("The deployer cannot be the owner.");
  const id = roleIds.admin;
  return [
    callOf(manager, {
      what: `make the owner admin${owner.delay > 0 ? `, with a delay of ${owner.delay} s` : ""}`,
      functionName: "grantRole",
      args: [id, owner.address, owner.delay],
      reads: [holds({ manager, id, account: owner.address, wanted: { held: true, delay: owner.delay } })],
    }),
    callOf(manager, {
      what: "take the admin role from the deployer",
      functionName: "renounceRole",
      args: [id, deployer],
      reads: [holds({ manager, id, account: deployer, wanted: { held: false } })],
    }),
  ];
}
