import { type OperatorAct, operatorAct } from "@aqua/sdk/proofs/log/entry";
import { type Hex, recoverTypedDataAddress } from "viem";

/**
 * Returns the lower-case address of the key that signed an act (EIP-712), or null if the signature is not one.
 * @param origin the origin of the log that the act belongs to
 */
export async function operatorOf(
  { call, commitment, time, signature }: Pick<OperatorAct, "call" | "commitment" | "time" | "signature">,
  origin: string,
): Promise<Hex | null> {
  const message = operatorAct({ site: origin, call, commitment, time });
  try {
    return (await recoverTypedDataAddress({ ...message, signature: signature as Hex })).toLowerCase() as Hex;
  } catch {
    // The recovery throws for any signature that is not 65 bytes of a valid form.
    return null;
  }
}
