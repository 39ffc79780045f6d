import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { receiptRendererAbi } from "@aqua/sdk/abi/ReceiptRenderer";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { Abi, Address, Hex } from "viem";
import {
  encodeAbiParameters,
  encodeDeployData,
  keccak256,
  numberToHex,
  pad,
  stringToBytes,
  stringToHex,
  toHex,
} from "viem/utils";
import { type Artefact, runtimeOf } from "./artefacts.ts";
import type { ContractName, Creation } from "./steps.ts";

const abis = {
  AccessManager: accessManagerAbi,
  IdentityRegistry: identityRegistryAbi,
  ProductRegistry: productRegistryAbi,
  TelemetryAnchor: telemetryAnchorAbi,
  TestDollar: testDollarAbi,
  ReceiptRenderer: receiptRendererAbi,
  DemandVault: demandVaultAbi,
  RedemptionQueue: redemptionQueueAbi,
  TermDeposit: termDepositAbi,
} as const satisfies Record<ContractName, Abi>;

export type Artefacts = Record<ContractName, Artefact>;
export const contractNames = Object.keys(abis) as ContractName[];

/** Where a contract goes: by its name in the plan and its creation code with arguments. */
export type Place = (key: string, initCode: Hex) => Address;

/**
 * An immutable: its name, its value and the field of a product that it comes from. Those of EIP-712 depend on the address
 * and are filled in from `name`.
 */
type Immutable = readonly [name: string, value: Address | bigint, field?: string];

interface Wanted {
  key: string;
  what: string;
  contract: ContractName;
  args: readonly unknown[];
  immutables?: readonly Immutable[];
  /** The name an ERC-2612 permit is signed for, of contracts that take one. */
  permitName?: string;
  /** Where the registry has listed it, if it has. */
  listed?: Address | undefined;
  /** Values that the constructor sets for good: the getter's name, the value, its name in words, and a product's field. */
  fixed?: readonly (readonly [getter: string, value: string, words: string, field: string])[];
}

/** Makes the creations of one chain; each is put where `place` says. */
export function creator(artefacts: Artefacts, chainId: number, place: Place) {
  return ({ key, what, contract, args, immutables = [], permitName, listed, fixed = [] }: Wanted): Creation => {
    const artefact = artefacts[contract];
    const bytecode = artefact.creationCode;
    const initCode = encodeDeployData({ abi: abis[contract] as Abi, bytecode, args });
    const placed = place(key, initCode);
    const address = listed ?? placed;
    const values = immutables.map(([name, value, field]) => [name, word(value), field] as const);
    const permit = permitName === undefined ? [] : eip712(permitName, chainId, address);
    return {
      kind: "create",
      key,
      what,
      contract,
      address,
      initCode,
      runtime: runtimeOf(artefact, [...values, ...permit]),
      reads: fixed.map(([functionName, wanted, words, field]) => ({
        address,
        abi: abis[contract] as Abi,
        functionName,
        args: [],
        is: (value) => value === wanted,
        field,
        conflict: (value) =>
          value === wanted
            ? null
            : `${words} of the contract at ${address} is ${value}, the configuration says ${wanted}`,
      })),
      listedElsewhere: address !== placed,
    };
  };
}

const word = (value: Address | bigint): Hex =>
  typeof value === "bigint" ? numberToHex(value, { size: 32 }) : (pad(value, { size: 32 }).toLowerCase() as Hex);

/** OpenZeppelin's EIP712 keeps the domain of the contract's address in immutables, the name and version as short strings. */
function eip712(name: string, chainId: number, address: Address) {
  const [hashedName, hashedVersion] = [keccak256(stringToHex(name)), keccak256(stringToHex("1"))];
  const type = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
  const domain = encodeAbiParameters(
    [{ type: "bytes32" }, { type: "bytes32" }, { type: "bytes32" }, { type: "uint256" }, { type: "address" }],
    [keccak256(stringToHex(type)), hashedName, hashedVersion, BigInt(chainId), address],
  );
  return [
    ["the cached domain separator", keccak256(domain)],
    ["the cached chain id", word(BigInt(chainId))],
    ["the cached address", word(address)],
    ["the hashed name", hashedName],
    ["the hashed version", hashedVersion],
    ["the name", shortString(name)],
    ["the version", shortString("1")],
  ] as const;
}

/** OpenZeppelin's ShortStrings: the text and in the last byte its length. Longer ones no constructor takes. */
function shortString(text: string): Hex {
  const bytes = stringToBytes(text);
  if (bytes.length > 31) throw new Error(`"${text}" is longer than 31 bytes.`);
  const packed = new Uint8Array(32);
  packed.set(bytes);
  packed[31] = bytes.length;
  return toHex(packed);
}
