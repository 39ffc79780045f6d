import { type Address, getAddress } from "viem";
import { mnemonicToAccount, privateKeyToAddress } from "viem/accounts";
import { toHex } from "viem/utils";

/** Mnemonics every developer has: of anvil and Hardhat, of Ganache, of Truffle, and the first of BIP-39's own list. */
const PUBLISHED = [
  "test test test test test test test test test test test junk",
  "myth like bonus scare over problem client lizard pioneer submit female collect",
  "candy maple cake sugar pudding cream honey rich smooth crumble sweet treat",
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
];
const FOLDER = "m/44'/60'/0'/0";
/** Our own local chain uses indexes up to 141. */
const INDEXES = 160;

let published: Set<Address> | undefined;

/** Worked out when first wanted: stretching the mnemonics takes a second. */
function publishedAddresses(): Set<Address> {
  if (published !== undefined) return published;
  published = new Set();
  for (const mnemonic of PUBLISHED) {
    const folder = mnemonicToAccount(mnemonic, { path: FOLDER }).getHdKey();
    for (let index = 0; index < INDEXES; index++) {
      const { privateKey } = folder.deriveChild(index);
      if (privateKey !== null) published.add(privateKeyToAddress(toHex(privateKey)));
    }
  }
  return published;
}

/** Whether the key of an address comes from a published mnemonic: anyone can spend what it holds and do what it may. */
export function isPublished(address: Address): boolean {
  return publishedAddresses().has(getAddress(address));
}
