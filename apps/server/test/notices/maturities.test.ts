import type { Address } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mailFormat } from "../../src/mail/format.ts";
import { DAY, DOLLAR, openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import { CHAIN_ID, openWorld, type World } from "../indexer/world.ts";
import { served } from "../portfolio/api.ts";
import { withDatabase } from "../support/databases.ts";
import { type Notices, openNotices, openOwner } from "./support.ts";

const en = mailFormat("en-US");
let world: World;
let term: TermWorld;

beforeAll(async () => {
  world = await openWorld();
  term = await openTermDeposit(world);
});
afterAll(() => world.stop());

withDatabase("the mails about a maturity", (open) => {
  const suite = served(() => world, open, "suite");
  let notices: Notices;
  let maturity: number;
  const until = async (time: number) => {
    await world.mine([], time - (await world.head()).time);
    await suite.caughtUp();
  };

  beforeAll(async () => {
    await openOwner(suite.db, [world.wallets[0] as Address]);
    const chain = { chainId: CHAIN_ID, deployment: world.deployed.deployment, status: suite.indexer.status };
    notices = await openNotices(suite.db, [chain]);
    // Three receipts of 30 days: without an instruction, into an open term, and into one that closes meanwhile.
    await world.mine([1, 2, 3].map(() => term.open(0, 0, 500n * DOLLAR)));
    maturity = (await world.head()).time + 30 * DAY;
    await world.mine([term.by(0, "setAutoRoll", [2n, 1n, 0n, 1n]), term.by(0, "setAutoRoll", [3n, 0n, 0n, 2n])]);
    await world.mine([term.as("owner", "setTerm", [0n, 10n ** 12n, false])]);
  });
  afterAll(async () => {
    expect(notices.errors).toEqual([]);
    await notices.close();
  });

  const rollEnd = () => en.dateTime((maturity + 3 * DAY) * 1_000);
  /** The mails of a turn by receipt. */
  const mails = async () => {
    const texts = (await notices.turn()).map(({ text }) => text);
    return [1, 2, 3].map((id) => texts.find((text) => text.includes(`deposit receipt ${id} in`)) ?? "");
  };
  const expectInstructions = ([none = "", principal = "", all = ""]: string[]) => {
    for (const text of [none, principal, all])
      expect(text).toContain("The deposit earns interest until maturity and nothing after it.");
    expect(none).toContain("no rollover. From maturity you can collect principal and interest");
    expect(none).toContain("The payment needs cash in the contract.");
    expect(principal).toContain(`The interest is paid to your wallet ${world.wallets[0]}.`);
    expect(principal).toContain("New receipt: 3 months at 6% a year, from the moment of the rollover.");
    expect(principal).toContain(`from ${en.dateTime(maturity * 1_000)} until ${rollEnd()}`);
    expect(all).toContain("roll over principal and interest.");
    expect(all).toContain("The chosen term, 30 days at 5% a year, is closed now.");
    expect(all).toContain(`If it does not reopen before ${rollEnd()}, nothing rolls over`);
  };

  it("say what the instruction will do under the present terms, until when, and the last moment to change it", async () => {
    await until(maturity - 7 * DAY);
    const texts = await mails();
    expectInstructions(texts);
    for (const text of texts) expect(text).toContain(`Change this before ${en.dateTime(maturity * 1_000)}.`);
  });

  it("offer no change after the maturity, when anyone may have carried out the instruction", async () => {
    await until(maturity + 3_600);
    const texts = await mails();
    expectInstructions(texts);
    for (const text of texts) expect(text).not.toContain("Change this");
  });
});
