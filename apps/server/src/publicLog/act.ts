import { type OperatorAct, operatorAct } from "@aqua/sdk/proofs/log/entry";
import { type Hex, recoverTypedDataAddress } from "viem";

/**
 * Returns the lower-case address of the key that signed an act (EIP-712), or null if the signature is not one.
 * @param origin the origin of the log that the act belongs to
 */
export async function operatorOf(
  { reason, ...act }: Pick<OperatorAct, "call" | "commitment" | "time" | "signature"> & { reason: string | undefined },
  origin: string,
): Promise<Hex | null> {
  const message = operatorAct({ site: origin, ...act, reason });
  try {
    return (await recoverTypedDataAddress({ ...message, signature: act.signature as Hex })).toLowerCase() as Hex;
  } catch {
    // The recovery throws for any signature that is not 65 bytes of a valid form.
    return null;
  }
}
