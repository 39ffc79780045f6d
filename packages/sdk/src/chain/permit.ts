import { type Address, domainSeparator, type Hex, parseAbi, parseSignature, type TypedDataDomain } from "viem";
import type { ChainClient } from "./client.ts";
import { type Order, type PermitSignature, paidIn } from "./orders.ts";

const permitAbi = parseAbi([
  "function nonces(address owner) view returns (uint256)",
  "function name() view returns (string)",
  "function version() view returns (string)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function PERMIT_TYPEHASH() view returns (bytes32)",
  "function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
]);

/** The typed-data type of EIP-2612. */
const permitTypes = {
  Permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

/** The EIP-712 type hash of `permitTypes`. */
const permitTypehash = "0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9";

/** Seconds for which a permit is valid. */
const permitLife = 20n * 60n;

/** Code prefix of an account that only delegates (EIP-7702). Such an account still signs with its own key. */
const delegation = "0xef0100";

/** True if `owner` signs with a private key. EIP-2612 tokens reject the signature of a contract wallet. */
async function signsByKey(client: ChainClient, owner: Address): Promise<boolean> {
  const code = await client.getCode({ address: owner });
  return code === undefined || code === "0x" || code.startsWith(delegation);
}

/**
 * The EIP-712 domain of a token with EIP-2612; null for a token without it. ERC-5267 returns the domain directly. For
 * older tokens it is built from name and version, and used only if it hashes to their DOMAIN_SEPARATOR. A token may
 * have another form of permit in such a domain, as DAI does; therefore its PERMIT_TYPEHASH, if it has one, must be that
 * of EIP-2612.
 */
async function permitDomain(client: ChainClient, chainId: number, token: Address): Promise<TypedDataDomain | null> {
  const at = { address: token, abi: permitAbi } as const;
  const typehash = await client.readContract({ ...at, functionName: "PERMIT_TYPEHASH" }).catch(() => permitTypehash);
  if (typehash !== permitTypehash) return null;
  try {
    const [, name, version] = await client.readContract({ ...at, functionName: "eip712Domain" });
    return { name, version, chainId, verifyingContract: token };
  } catch {
    // The token does not implement ERC-5267.
  }
  try {
    const [name, separator, version] = await Promise.all([
      client.readContract({ ...at, functionName: "name" }),
      client.readContract({ ...at, functionName: "DOMAIN_SEPARATOR" }),
      client.readContract({ ...at, functionName: "version" }).catch(() => "1"),
    ]);
    const domain = { name, version, chainId, verifyingContract: token };
    return domainSeparator({ domain }) === separator ? domain : null;
  } catch {
    return null;
  }
}

/** The typed data that a wallet signs (EIP-2612). Amounts in smallest units, the deadline in Unix seconds. */
export interface PermitRequest {
  domain: TypedDataDomain;
  types: typeof permitTypes;
  primaryType: "Permit";
  message: { owner: Address; spender: Address; value: bigint; nonce: bigint; deadline: bigint };
}

/**
 * A permit for exactly the amount that `order` pays in. Null if the token does not support permits or the owner's
 * account cannot sign one. `now` is in Unix milliseconds.
 */
export async function permitRequest({
  client,
  order,
  now,
}: {
  client: ChainClient;
  order: Order;
  now: number;
}): Promise<PermitRequest | null> {
  const { owner, terms } = order;
  const { asset, contract, chainId } = terms;
  if (!(await signsByKey(client, owner))) return null;
  const domain = await permitDomain(client, chainId, asset);
  if (domain === null) return null;
  const [nonce, block] = await Promise.all([
    client.readContract({ address: asset, abi: permitAbi, functionName: "nonces", args: [owner] }),
    client.getBlock(),
  ]);
  // On a quiet chain the last block may be old, and block times may run ahead of this clock. The later of the two is
  // used.
  const time = BigInt(Math.floor(now / 1_000));
  const deadline = (block.timestamp > time ? block.timestamp : time) + permitLife;
  const message = { owner, spender: contract, value: paidIn(order), nonce, deadline };
  return { domain, types: permitTypes, primaryType: "Permit", message };
}

/** Splits the signature into the form that the contracts accept. */
export function splitPermit({ message: { deadline } }: PermitRequest, signature: Hex): PermitSignature {
  const { r, s, v, yParity } = parseSignature(signature);
  return { deadline, v: Number(v ?? BigInt(yParity + 27)), r, s };
}
