import { SaxesParser } from "saxes";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DOLLAR, openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import { openWorld, type World } from "../indexer/world.ts";

let world: World;
let deposits: TermWorld;

beforeAll(async () => {
  world = await openWorld();
  deposits = await openTermDeposit(world);
  await world.mine([deposits.open(0, 0, 1_234n * DOLLAR + 500_000n)]);
});
afterAll(() => world.stop());

/** Decodes a data URI of the given media type. */
function contentOf(uri: unknown, type: string): string {
  const head = `data:${type};base64,`;
  expect(uri).toMatch(new RegExp(`^${head.replace("+", "\\+")}`));
  return Buffer.from(String(uri).slice(head.length), "base64").toString("utf8");
}

/** Returns the texts of an SVG in order. Throws when it is not XML. */
function textsOf(svg: string): string[] {
  const texts: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("text", (text) => texts.push(text));
  parser.write(svg).close();
  return texts.filter((text) => text.trim() !== "");
}

it("the contract alone produces a receipt's metadata as JSON and its picture as XML", async () => {
  const json = JSON.parse(contentOf(await deposits.read("tokenURI", [1n]), "application/json"));
  expect(json.name).toBe("Test Term #1");
  const traits = Object.fromEntries(
    json.attributes.map((one: { trait_type: string; value: string }) => [one.trait_type, one.value]),
  );
  expect(traits).toMatchObject({ Principal: "1,234.5 tUSD", Rate: "5%", Term: "30 days", State: "Running" });
  const texts = textsOf(contentOf(json.image, "image/svg+xml"));
  expect(texts).toEqual(expect.arrayContaining(["AQUA", "Test Term", "1,234.5 tUSD", "5% a year", traits.Maturity]));
});

it("a product's metadata is JSON", async () => {
  const json = JSON.parse(contentOf(await deposits.read("contractURI"), "application/json"));
  expect(json).toEqual({
    name: "Test Term",
    symbol: "aqTERM",
    description: "Time deposits with interest fixed at opening, each an ERC-721 receipt, in tUSD.",
  });
});
