/** The 32-byte word at an index of a call's result or a log's data. Throws when there are fewer. */
export function wordAt(data: string, index: number): bigint {
  const text = data.slice(2 + index * 64, 2 + (index + 1) * 64);
  if (text.length !== 64) throw new Error("The node's answer is too short");
  return BigInt(`0x${text}`);
}

/** The address in a word. */
export const addressIn = (value: bigint) => `0x${(value & ((1n << 160n) - 1n)).toString(16).padStart(40, "0")}`;

/** A call's data: the function's selector and its arguments, one word each. */
export const callData = (selector: string, ...words: bigint[]) =>
  selector + words.map((one) => one.toString(16).padStart(64, "0")).join("");
