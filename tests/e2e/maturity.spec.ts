import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { List } from "@aqua/sdk/api/envelope";
import type { Holding } from "@aqua/sdk/api/portfolio";
import type { TimeDetail } from "@aqua/sdk/api/product";
import { parseUnits } from "@aqua/sdk/maths/units";
import type { Page } from "@playwright/test";
import type { Address } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { DEPOSITOR_COUNT, depositor } from "../../devnet/src/accounts.ts";
import { api, connect } from "./support/app";
import { chain } from "./support/chain";
import { overflow } from "./support/pages";
import { expect, repeatedIf, test } from "./support/test";
import type { TestWallet } from "./support/wallet";

interface Matured {
  owner: PrivateKeyAccount;
  holding: Holding;
  product: TimeDetail;
  id: bigint;
  /** Principal and interest, smallest units. */
  due: bigint;
}

async function receiptsOf(owner: PrivateKeyAccount): Promise<Holding[]> {
  return (await api<List<Holding>>(`account/hold/${owner.address}?type=time_deposit&page_size=100`)).items;
}

/** A receipt of the seeded world that has matured and waits for its owner, in a product that still takes deposits. */
async function matured(): Promise<Matured> {
  for (let index = 0; index < DEPOSITOR_COUNT; index++) {
    const owner = depositor(index);
    for (const holding of await receiptsOf(owner)) {
      if (!holding.receipt?.matured || holding.receipt.roll !== "none") continue;
      const product = await api<TimeDetail>(`product/${holding.short_id}`);
      const units = (amount: string | null) => parseUnits(amount ?? "", holding.decimals);
      const due = units(holding.receipt.principal) + units(holding.receipt.interest_at_maturity);
      const receipt = { owner, holding, product, id: BigInt(holding.deposit_id ?? 0), due };
      // The server may not have indexed the previous test's action on the receipt yet.
      if ((await statusOf(receipt)) === 2n) return receipt;
    }
  }
  throw new Error("nobody has a matured receipt");
}

async function statusOf({ product, id }: Matured): Promise<bigint> {
  const call = { address: product.contract as Address, abi: termDepositAbi, functionName: "receiptOf" } as const;
  const [{ status }] = await chain.readContract({ ...call, args: [id] });
  return status;
}

function balanceOf({ product, owner }: Matured): Promise<bigint> {
  const call = { address: product.asset.address as Address, abi: testDollarAbi, functionName: "balanceOf" } as const;
  return chain.readContract({ ...call, args: [owner.address] });
}

/** Opens the actions of the receipt in the portfolio of its owner. */
async function openReceipt(page: Page, wallet: TestWallet, { owner, id }: Matured) {
  wallet.become(owner);
  await page.goto("/portfolios?tab=time");
  await connect(page, "test.wallet", owner.address);
  return page.getByTestId(`receipt-${id}`);
}

for (const size of [
  { width: 1440, height: 900 },
  { width: 360, height: 780 },
])
  test.describe(`at ${size.width} px`, repeatedIf(size.width !== 360), () => {
    test.use({ viewport: size });

    test("a matured deposit is collected from the portfolio, to the last unit", async ({ page, wallet }) => {
      const receipt = await matured();
      const before = await balanceOf(receipt);
      const actions = await openReceipt(page, wallet, receipt);
      await actions.getByRole("button", { name: `Collect, receipt ${receipt.id}` }).click();
      expect(await overflow(page)).toBe(0);
      await actions.getByRole("button", { name: /^Collect [\d,.]+ tUSD$/ }).click();
      await expect(actions.getByText(/^You (withdrew|collected) /)).toBeVisible();
      expect((await balanceOf(receipt)) - before).toBe(receipt.due);
      expect(await statusOf(receipt)).toBe(3n);
      // After its outcome was read, the receipt leaves the list. A receipt of another product may have the same number.
      await actions.getByRole("button", { name: "Done" }).click();
      await expect(actions.getByRole("button", { name: "Done" })).toHaveCount(0);
      await expect(
        page.getByRole("row", { name: new RegExp(`${receipt.holding.name}.*No\\. ${receipt.id}\\b`) }),
      ).toHaveCount(0);
    });

    test("a matured deposit is rolled over with all it has earned", async ({ page, wallet }) => {
      const receipt = await matured();
      const before = await balanceOf(receipt);
      const actions = await openReceipt(page, wallet, receipt);
      await actions.getByRole("button", { name: `Roll over, receipt ${receipt.id}` }).click();
      await actions.getByRole("radio", { name: /^Principal and/ }).check();
      expect(await overflow(page)).toBe(0);
      await actions.getByRole("button", { name: /^Roll over for/ }).click();
      await expect(actions.getByText("Your deposit is rolled over.")).toBeVisible();
      expect(await balanceOf(receipt)).toBe(before);
      expect(await statusOf(receipt)).toBe(5n);
      // The page shows the payment as soon as the chain has it. The server indexes that block a moment later.
      const principals = async () =>
        (await receiptsOf(receipt.owner)).map((item) => parseUnits(item.receipt?.principal ?? "0", item.decimals));
      await expect.poll(principals).toContain(receipt.due);
    });
  });
