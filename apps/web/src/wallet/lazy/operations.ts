import type * as chain from "../chain/operations.ts";
import { islandControls } from "./island.tsx";

/**
 * Chain operations for features. Each loads the wallet code first, so a visitor without a wallet downloads none of it.
 * Each is documented at its definition.
 */

const operations = () => import("../chain/operations.ts");
type Operations = typeof chain;

export const readPosition: Operations["readPosition"] = async (...args) => (await operations()).readPosition(...args);
export const readTermPosition: Operations["readTermPosition"] = async (...args) =>
  (await operations()).readTermPosition(...args);
export const perform: Operations["perform"] = async (...args) => (await operations()).perform(...args);
export const estimateGas: Operations["estimateGas"] = async (...args) => (await operations()).estimateGas(...args);
export const readMove: Operations["readMove"] = async (...args) => (await operations()).readMove(...args);
export const readSuccessor: Operations["readSuccessor"] = async (...args) =>
  (await operations()).readSuccessor(...args);
export const performMove: Operations["performMove"] = async (...args) => (await operations()).performMove(...args);
export const performVeto: Operations["performVeto"] = async (...args) => (await operations()).performVeto(...args);
export const waitForSuccess: Operations["waitForSuccess"] = async (...args) =>
  (await operations()).waitForSuccess(...args);

export const signText: Operations["signText"] = async (...args) => {
  await islandControls();
  return (await operations()).signText(...args);
};

/** Asks the wallet to switch to `chainId`. Throws the wallet's error, including a rejection. */
export async function switchChain(chainId: number): Promise<void> {
  await (await islandControls()).switchChain(chainId);
}
