import { createPublicClient } from "viem";
import { chain, transport } from "./chain.ts";
import { describeRequest } from "./request-text.ts";

/** Reads names and units of the contracts in a request. */
const reader = createPublicClient({ chain, transport });

/** The text of a request. Loaded with the first one, since it needs the ABI of every contract. */
export const describe = (asked: Parameters<typeof describeRequest>[0]) => describeRequest(asked, reader);
