import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import {
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  parseEther,
  serializeErc6492Signature,
  toHex,
} from "viem";
import { roleAccount } from "../../../../../devnet/src/accounts.ts";
import type { Chain } from "../../../../../devnet/src/chain.ts";
import { Sender } from "../../../../../devnet/src/sender.ts";

const factoryAbi = parseAbi([
  "function create(address owner)",
  "function addressOf(address owner) view returns (address)",
]);

const walletAbi = parseAbi(["function approve(bytes32 hash)"]);

interface Compiled {
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>;
  errors?: { formattedMessage: string }[];
}

/** The compiler of the contracts, from their folder. */
function compileFactory(): Hex {
  const require = createRequire(new URL("../../../../../contracts/package.json", import.meta.url));
  const solc = require("solc") as { compile(input: string): string };
  const content = readFileSync(new URL("./ContractWallet.sol", import.meta.url), "utf8");
  const input = {
    language: "Solidity",
    sources: { "ContractWallet.sol": { content } },
    settings: { outputSelection: { "*": { ContractWalletFactory: ["evm.bytecode.object"] } } },
  };
  const compiled = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled;
  const bytecode = compiled.contracts?.["ContractWallet.sol"]?.ContractWalletFactory?.evm.bytecode.object;
  if (bytecode === undefined) throw new Error(compiled.errors?.map((error) => error.formattedMessage).join("\n"));
  return `0x${bytecode}`;
}

export interface ContractWallets {
  /** Returns the address of this owner's wallet, deployed or not. */
  addressOf(owner: Hex): Promise<Hex>;
  create(owner: Hex): Promise<void>;
  /** Approves a hash on chain in a deployed wallet. */
  approve(wallet: Hex, hash: Hex): Promise<void>;
  /** Converts the owner's signature into that of a wallet that is not deployed yet. */
  counterfactual(owner: Hex, signature: Hex): Hex;
}

/** Deploys the factory of contract wallets on a local chain that mines one block per transaction. */
export async function deployContractWallets(chain: Chain): Promise<ContractWallets> {
  const sender = await Sender.on(chain.rpc);
  const from = roleAccount("deployer");
  await chain.rpc.call("anvil_setBalance", [from.address, toHex(parseEther("10"))]);
  await sender.readNonces([from.address]);
  const factory = getContractAddress({ from: from.address, nonce: BigInt(sender.nonceOf(from.address)) });
  const send = async (to: Hex | null, data: Hex) => {
    const [hash] = await sender.submit([{ from, to, data, what: "contract wallet", gas: 2_000_000n }]);
    // Each transaction is mined in its own block, but the node may answer before it is mined.
    while ((await chain.rpc.call("eth_getTransactionReceipt", [hash])) === null) await sleep(10);
    await sender.settle();
  };
  const creation = (owner: Hex) => encodeFunctionData({ abi: factoryAbi, functionName: "create", args: [owner] });
  await send(null, compileFactory());
  return {
    async addressOf(owner) {
      const data = encodeFunctionData({ abi: factoryAbi, functionName: "addressOf", args: [owner] });
      const word = await chain.rpc.call<Hex>("eth_call", [{ to: factory, data }, "latest"]);
      return `0x${word.slice(-40)}`;
    },
    create: (owner) => send(factory, creation(owner)),
    approve: (wallet, hash) =>
      send(wallet, encodeFunctionData({ abi: walletAbi, functionName: "approve", args: [hash] })),
    counterfactual: (owner, signature) =>
      serializeErc6492Signature({ address: factory, data: creation(owner), signature }),
  };
}
