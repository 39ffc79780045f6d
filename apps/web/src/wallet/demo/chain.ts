import { localChain } from "@aqua/sdk/chains";
import { defineChain, http } from "viem";
import { rpcUrl } from "../rpc-url.ts";

export const chain = defineChain({
  id: localChain.id,
  name: localChain.name,
  nativeCurrency: localChain.native,
  rpcUrls: { default: { http: [rpcUrl(localChain.id)] } },
});
export const transport = http(rpcUrl(localChain.id));
