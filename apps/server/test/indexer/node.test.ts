import { createPublicClient, custom, encodeAbiParameters } from "viem";
import { expect, it } from "vitest";
import { createNode } from "../../src/indexer/node.ts";

it("createNode removes from a token's name the characters that the database cannot store and those that reorder the surrounding text", async () => {
  const answer = encodeAbiParameters([{ type: "string" }], ["USD\0 \u202e00.5\u2066"]);
  const client = createPublicClient({ transport: custom({ request: async () => answer }) });
  const { name, symbol } = await createNode(client, 1).token("0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f", true);
  expect([name, symbol]).toEqual(["USD 00.5", "USD 00.5"]);
});
