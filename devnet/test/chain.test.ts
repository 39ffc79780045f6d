import { afterEach, expect, it, vi } from "vitest";
import { roleAccount } from "../src/accounts.ts";
import { type Chain, startChain } from "../src/chain.ts";
import { freePort } from "./support/port.ts";

let chain: Chain;
afterEach(() => chain.stop());

/** How often the chain was looked at and how many blocks were sealed, from now on. */
function countCalls() {
  const calls = vi.spyOn(chain.rpc, "call");
  const of = (method: string) => calls.mock.calls.filter(([name]) => name === method).length;
  return { looks: () => of("txpool_status"), sealed: () => of("evm_mine") };
}

it("Chain seals a block each time while there are transactions, and one of four at rest", async () => {
  chain = await startChain({ port: await freePort(), blockTime: "manual" });
  const { looks, sealed } = countCalls();
  await chain.follow(0.01);
  await expect.poll(looks, { interval: 5 }).toBeGreaterThan(40);
  const atRest = sealed() / looks();
  expect(atRest).toBeGreaterThan(0.2);
  expect(atRest).toBeLessThan(0.5);

  const [before, begun] = [sealed(), looks()];
  const { address: from } = roleAccount("faucet");
  await chain.rpc.call("anvil_impersonateAccount", [from]);
  await chain.rpc.call("anvil_setBalance", [from, "0xde0b6b3a7640000"]);
  const hash = await chain.rpc.call("eth_sendTransaction", [{ from, to: from }]);
  const receipt = () => chain.rpc.call("eth_getTransactionReceipt", [hash]);
  await expect.poll(receipt, { interval: 5 }).toMatchObject({ status: "0x1" });
  // Its block and two confirmations come one after the other.
  await expect.poll(sealed, { interval: 5 }).toBeGreaterThanOrEqual(before + 3);
  expect(looks() - begun).toBeGreaterThanOrEqual(3);
});

it("Chain seals nothing while someone else has set an interval of anvil's own", async () => {
  chain = await startChain({ port: await freePort(), blockTime: "manual" });
  const { looks, sealed } = countCalls();
  await chain.follow(0.01);
  await expect.poll(looks, { interval: 5 }).toBeGreaterThan(2);
  const interval = await chain.rpc.call("anvil_getIntervalMining");
  await chain.rpc.call("evm_setIntervalMining", [0]);
  const asked = vi.mocked(chain.rpc.call).mock.calls;
  const from = asked.length;
  const refused = () => asked.slice(from).filter(([name]) => name === "anvil_getIntervalMining").length;
  await expect.poll(refused, { interval: 5 }).toBeGreaterThan(5);
  const before = sealed();
  const again = refused();
  await expect.poll(refused, { interval: 5 }).toBeGreaterThan(again + 5);
  expect(sealed()).toBe(before);
  await chain.rpc.call("evm_setIntervalMining", [interval]);
  await expect.poll(sealed, { interval: 5 }).toBeGreaterThan(before);
});
