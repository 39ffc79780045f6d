import type { Abi, Address, Hex } from "viem";

/** The deployed contracts; each has its artefact in contracts/out and its ABI in the SDK. */
export type ContractName =
  | "AccessManager"
  | "IdentityRegistry"
  | "ProductRegistry"
  | "TelemetryAnchor"
  | "TestDollar"
  | "ReceiptRenderer"
  | "DemandVault"
  | "RedemptionQueue"
  | "TermDeposit";

/** A question to the chain whose answer says whether a call has had its effect. One that reverts counts as no. */
export interface Read {
  address: Address;
  abi: Abi;
  functionName: string;
  args: readonly unknown[];
  is: (value: unknown) => boolean;
  /** Set where an earlier step of the plan does the same: then a question that reverts counts as yes. */
  impliedByEarlier?: true;
  /** In words, when the answer shows that the call can never have its effect any more. */
  conflict?: (value: unknown) => string | null;
  /** The product's field, such as `terms.0`, that `conflict` is about. */
  field?: string;
  /** What the call sets, as the answer has it and as it is wanted. */
  settings?: (value: unknown) => readonly Setting[];
}

/** A setting of a product in words, such as "1 000 000 USDC": as the chain has it, and as it is wanted. */
export interface Setting {
  name: string;
  found: string;
  wanted: string;
}

/** A transaction that sets something up, and how to see that it is done. */
export interface Call {
  what: string;
  to: Address;
  data: Hex;
  reads: readonly Read[];
  /** A condition that must hold on chain before the call, and how to read it. */
  after?: { what: string; reads: readonly Read[] };
}

/** A contract that is created, and what it must look like on chain. */
export interface Creation {
  kind: "create";
  /** Its own name in the plan, such as `vault/sahel-solar`; the salt of its address comes from it. */
  key: string;
  what: string;
  contract: ContractName;
  address: Address;
  initCode: Hex;
  runtime: Runtime;
  /** Values that the constructor sets for good, beside the code. */
  reads: readonly Read[];
  /** Set where the registry has listed it at another address than the configuration's values give. */
  listedElsewhere: boolean;
}

/** Runtime code with its immutables filled in, and their offsets in it. */
export interface Runtime {
  code: Hex;
  immutables: readonly { name: string; value: Hex; starts: readonly number[]; field: string | undefined }[];
}

/** Calls that take effect together, in one transaction. More than one only to the AccessManager, which has a multicall. */
export interface Setup {
  kind: "call";
  key: string;
  what: string;
  calls: readonly Call[];
}

export type Step = Creation | Setup;

/** An error that the operator can correct. */
export class DeployError extends Error {
  override name = "DeployError";
}
