import { blocks } from "../blocks.ts";

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
