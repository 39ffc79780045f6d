/** Blocks of all chains as the server's events report them: each an event "block", whose `detail` is the chain's id. */
export const blocks = new EventTarget();

/** Resolves with the next block of a chain, or after `milliseconds` where none comes. */
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
