/** Blocks of all chains as the server's events report them: each an event "block", whose `detail` is the chain's id. */
export const blocks = new EventTarget();
