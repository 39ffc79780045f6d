import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { List } from "@aqua/sdk/api/envelope";
import type { Holding } from "@aqua/sdk/api/portfolio";
import type { Product } from "@aqua/sdk/api/product";
import { api, connect } from "./support/app";
import { chain } from "./support/chain";
import { as, type Invested, openReceipts } from "./support/invest";
import { overflow } from "./support/pages";
import { expect, test } from "./support/test";
import { expectNotice, expectTrueAbout } from "./support/true-sentences";

/** No other test uses it, because winding down is final. */
const shortId = "atlantic-forest";

test("receipts of a product in winding down draw their shares, one by one and all at once, on a phone too", async ({
  page,
  wallet,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await wallet.provide();
  const product = await api<Invested>(`product/${shortId}`);
  const contract = { address: product.contract, abi: termDepositAbi } as const;
  const receipts = await openReceipts({ account: wallet.account, product, assets: 100_000_000n, count: 4 });
  const [onDesk, onPhone, ...rest] = receipts as [bigint, bigint, bigint, bigint];

  // The loss exceeds the free interest.
  const { cash, deployed, liabilities, claims } = await chain.readContract({ ...contract, functionName: "books" });
  if (claims === 0n) {
    const loss = cash + deployed - liabilities + 1_000_000_000n;
    expect(loss).toBeLessThan(deployed);
    // A second try of this test finds the loss reported.
    const [reviewed] = await chain.readContract({ ...contract, functionName: "reviewedLoss" });
    if (reviewed === 0n)
      await as("reporter", { ...contract, functionName: "bookLoss", args: [loss, `0x${"1".repeat(64)}`] });
    await page.goto(`/product/${shortId}`);
    await expect(page.getByText("A large loss is under review", { exact: true })).toBeVisible();
    await as("confirmer", { ...contract, functionName: "confirmLoss" });
  }
  const claimable = (id: bigint) => chain.readContract({ ...contract, functionName: "claimable", args: [id] });
  const balance = () =>
    chain.readContract({
      address: product.asset.address,
      abi: testDollarAbi,
      functionName: "balanceOf",
      args: [wallet.address],
    });
  const drawable = async () => {
    const { items } = await api<List<Holding>>(`account/hold/${wallet.address}`);
    return items.filter((item) => Number(item.claimable ?? "0") > 0).length;
  };
  await expect.poll(drawable).toBe(4);
  await page.goto(`/product/${shortId}`);
  const { items } = await api<List<Product>>("product/list");
  await expectNotice(page, items.find(({ short_id }) => short_id === shortId) as Product, "windingDown");
  await expectTrueAbout(page, items);
  await page.goto("/portfolios?tab=time");
  await connect(page, "test.wallet", wallet.address);

  for (const [id, size] of [
    [onDesk, { width: 1440, height: 900 }],
    [onPhone, { width: 360, height: 780 }],
  ] as const) {
    await page.setViewportSize(size);
    const actions = page.getByTestId(`receipt-${id}`);
    await actions.getByRole("button", { name: new RegExp(`, receipt ${id}$`) }).click();
    const [share, before] = [await claimable(id), await balance()];
    expect(share).toBeGreaterThan(0n);
    expect(share).toBeLessThan(100_000_000n);
    await actions.getByRole("button", { name: /^Collect [\d,.]+ tUSD$/ }).click();
    await expect(actions.getByText(/^You (withdrew|collected) /)).toBeVisible();
    expect((await balance()) - before).toBe(share);
    expect(await claimable(id)).toBe(0n);
    // The receipt remains, because more is paid when money returns.
    expect(await chain.readContract({ ...contract, functionName: "ownerOf", args: [id] })).toBe(wallet.address);
    expect(await overflow(page)).toBe(0);
  }

  // Still on the phone, everything left is paid at once. The outcome is shown until it is read, though nothing is left.
  await page.getByRole("tab", { name: "Requests" }).click();
  const all = page.getByTestId("claim-all");
  const before = await balance();
  const shares = await Promise.all(rest.map(claimable));
  await all.getByRole("button", { name: "Collect all 2" }).click();
  await expect(all.getByText(/^You (withdrew|collected) /)).toBeVisible();
  expect((await balance()) - before).toBe(shares.reduce((sum, share) => sum + share, 0n));
  expect(await Promise.all(receipts.map(claimable))).toEqual([0n, 0n, 0n, 0n]);
  expect(await overflow(page)).toBe(0);
  await all.getByRole("button", { name: "Done" }).click();
  await expect(all).toHaveCount(0);
});
