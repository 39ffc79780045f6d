import { createPublicClient, custom, encodeAbiParameters } from "viem";
import { expect, it } from "vitest";
import { createNode } from "../../src/indexer/node.ts";

it("takes from a token's name what the database cannot hold and what reorders the text around it", async () => {
  const answer = encodeAbiParameters([{ type: "string" }], ["USD\0 \u202e00.5\u2066"]);
  const client = createPublicClient({ transport: custom({ request: async () => answer }) });
  const { name, symbol } = await createNode(client, 1).token("0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f", true);
  expect([name, symbol]).toEqual(["USD 00.5", "USD 00.5"]);
});
