/**
 * Blocks of all chains as the server's events report them. Each is an event "block" whose `detail` is the id of the
 * chain.
 */
export const blocks = new EventTarget();

/** Resolves with the next block of a chain, or after `milliseconds` if no block comes. */
export function nextBlock(chainId: number, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      blocks.removeEventListener("block", onBlock);
      resolve();
    };
    const onBlock = (event: Event) => {
      if ((event as CustomEvent<number>).detail === chainId) end();
    };
    const timer = setTimeout(end, milliseconds);
    blocks.addEventListener("block", onBlock);
  });
}
