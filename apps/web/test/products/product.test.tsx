import type { Holding } from "@aqua/sdk/api/portfolio";
import type { ProductDetail } from "@aqua/sdk/api/product";
import { dataHashOf } from "@aqua/sdk/proofs/batch";
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import ProductLayout from "../../src/features/product/layout.tsx";
import ProductPage from "../../src/features/product/page.tsx";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { clearAll, store } from "../../src/stored-session.ts";
import { clearWallet, setWallet } from "../../src/wallet/store.ts";
import { summary, token } from "../figures/fixtures.ts";
import { stubMedia } from "../media.ts";
import { answerApi, list, renderPage } from "../page-harness.tsx";
import { aDemand, aTime, blockTime } from "./details.ts";

const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const former = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

afterEach(() => {
  clearWallet();
  clearAll();
  vi.unstubAllGlobals();
});

beforeAll(() => loadTexts("product"));

function open(product: ProductDetail, more: Parameters<typeof answerApi>[0] = {}, search = "") {
  const calls = answerApi({
    [`product/${product.short_id}/devices`]: { body: { data: [] } },
    [`product/${product.short_id}/performance`]: {
      body: {
        data: {
          short_id: product.short_id,
          type: product.type,
          share_price: null,
          apy: [],
          max_drawdown: null,
          series: [],
          reports: [],
          as_of: product.as_of,
        },
      },
    },
    [`product/${product.short_id}/transactions`]: list([]),
    [`product/${product.short_id}/announcements`]: { body: { data: { changes: [] } } },
    "transparency/summary": { body: { data: summary() } },
    ...more,
    [`product/${product.short_id}`]: { body: { data: product } },
  });
  renderPage(
    <ProductLayout>
      <ProductPage />
    </ProductLayout>,
    "/product/:shortId",
    `/product/${product.short_id}${search}`,
  );
  return calls;
}

/** The text of a labelled figure, without its label. */
async function figure(label: string, at = 0) {
  // A term of the glossary is a button within the label.
  const terms = (await screen.findAllByText(label, { selector: "dt, dt button" })).map((found) => found.closest("dt"));
  return [...(terms[at]?.parentElement?.querySelectorAll("dd") ?? [])].map(({ textContent }) => textContent).join("");
}

it("a product's page names the countries to whose residents it is not offered, above all other texts", async () => {
  open(aDemand({ closed_to: ["US", "KP"] }));
  const notice = await screen.findByText("Not offered to residents of these countries: United States and North Korea");
  expect(screen.getByText("Do not deposit if you live there. Existing deposits are not affected.")).toBeTruthy();
  const about = await screen.findByText("A pump in the fields.", { selector: "p.text-16" });
  expect(notice.compareDocumentPosition(about) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

it.each(["?tab=devices", "?tab=contracts", "?tab=activity"])(
  "%s names the countries before anything is typed, as every tab does",
  async (tab) => {
    open(aDemand({ closed_to: ["US"] }), {}, tab);
    await screen.findByText("Not offered to residents of these countries: United States");
  },
);

it("the sheet on a phone names the countries too, because it covers the page", async () => {
  open(aDemand({ closed_to: ["US"] }));
  fireEvent.click(await screen.findByRole("button", { name: "Deposit or withdraw" }));
  const sheet = await screen.findByRole("dialog");
  const notice = await within(sheet).findByText("Not offered to residents of these countries: United States");
  const amount = await within(sheet).findByLabelText("Amount to deposit");
  expect(notice.compareDocumentPosition(amount) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

it("a product's page names no countries if the product is offered everywhere", async () => {
  open(aDemand());
  await screen.findByText("Main risks");
  expect(screen.queryByText(/Not offered/)).toBeNull();
});

describe("the owner's announcements", () => {
  const day = 86_400_000;
  const change = {
    ...{ operation: `0x${"1".repeat(64)}`, nonce: 1, hash: `0x${"2".repeat(64)}` },
    ...{ scheduled_at: blockTime, possible_from: blockTime + 2 * day, possible_until: blockTime + 9 * day },
    ...{ kind: "fee", present: { fee: "0.1" }, next: { fee: "0.12" } },
  };
  const announced = {
    body: { data: { changes: [change], exit: null, exit_unknown: "no_position", as_of: aDemand().as_of } },
  };
  const asked = (calls: ReturnType<typeof open>) =>
    calls.mock.calls.map(([url]) => String(url)).filter((url) => url.includes("announcements"));
  const own = [former, wallet].map((address) => ({ address, create_time: 0, current: false, bindings: [] }));

  it.each(["", "?tab=contracts", "?tab=evidence"])("are above the content, also on another tab: %s", async (tab) => {
    setWallet({ status: "connected", address: wallet, chainId: 31337 });
    const calls = open(aDemand(), { "account/hold": list([]), "product/solar/announcements": announced }, tab);
    await screen.findByText("Announced: performance fee 12.00% instead of 10.00%");
    expect(asked(calls)).toEqual([`/api/v2/product/solar/announcements?wallets=${wallet.toLowerCase()}`]);
  });

  it("are shown beside the exit of all wallets of the account, in one call", async () => {
    setWallet({ status: "connected", address: wallet, chainId: 31337 });
    store({ token: "t", email: "a@b.example" });
    const calls = open(aDemand(), {
      "account/info": {
        body: { data: { email: "a@b.example", country: "FR", identity_status: "verified", wallets: own } },
      },
      "account/hold": list([]),
      "product/solar/announcements": announced,
    });
    await screen.findByText("Announced: performance fee 12.00% instead of 10.00%");
    const wallets = encodeURIComponent([wallet, former].join(",").toLowerCase());
    expect(asked(calls)).toEqual([`/api/v2/product/solar/announcements?wallets=${wallets}`]);
  });

  it("are shown to a visitor without a wallet", async () => {
    const calls = open(aDemand(), { "product/solar/announcements": announced });
    await screen.findByText("Announced: performance fee 12.00% instead of 10.00%");
    expect(screen.getByText(/^Takes effect/)).toBeTruthy();
    expect(asked(calls)).toEqual(["/api/v2/product/solar/announcements"]);
  });

  it("stay while the exit of a restored wallet loads, without the exit of another wallet", async () => {
    const exit = { p50: 10 * day, p90: 16 * day };
    let answerOwn = (_: { body: object }) => {};
    const own = new Promise<{ body: object }>((resolve) => {
      answerOwn = resolve;
    });
    open(aDemand(), {
      "account/hold": list([]),
      "product/solar/announcements": (url: URL) => (url.searchParams.has("wallets") ? own : announced),
    });
    const title = await screen.findByText("Announced: performance fee 12.00% instead of 10.00%");
    act(() => setWallet({ status: "connected", address: wallet, chainId: 31337 }));
    expect(title.isConnected).toBe(true);
    expect(screen.queryByText(/of past cases/)).toBeNull();
    answerOwn({ body: { data: { ...announced.body.data, exit, exit_unknown: null } } });
    expect(await screen.findByText(/In 50% of past cases/)).toBeTruthy();
    expect(title.isConnected).toBe(true);
  });

  it("show that they could not be loaded, and load after Retry", async () => {
    const answers = [{ status: 503, body: { error_code: "unavailable", message: "Busy." } }];
    open(aDemand(), { "product/solar/announcements": () => answers.pop() ?? announced });
    const notice = (await screen.findByText("Announced changes could not be loaded")).closest('[role="alert"]');
    expect(notice?.textContent).toContain("Busy.");
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByText("Announced: performance fee 12.00% instead of 10.00%");
    expect(notice?.isConnected).toBe(false);
  });

  it("name no exit while the other wallets of the account could not be loaded", async () => {
    setWallet({ status: "connected", address: wallet, chainId: 31337 });
    store({ token: "t", email: "a@b.example" });
    const calls = open(aDemand(), {
      "account/info": { status: 503, body: { error_code: "unavailable", message: "Busy." } },
      "account/hold": list([]),
      "product/solar/announcements": announced,
    });
    await screen.findByText("Announced: performance fee 12.00% instead of 10.00%");
    expect(asked(calls)).toEqual(["/api/v2/product/solar/announcements"]);
  });

  it("are not requested for a time deposit, which has neither such a fee nor a custodian", async () => {
    setWallet({ status: "connected", address: wallet, chainId: 31337 });
    const calls = open(aTime(), { "account/hold": list([]) });
    await screen.findByText("Main risks");
    expect(asked(calls)).toEqual([]);
  });
});

describe("the page of a time deposit", () => {
  it("begins with rate and term, what can be withdrawn early, and the deposits against their cap", async () => {
    open(aTime());
    expect(await figure("Rate")).toBe("6.00%fixed for 3 months, APY 6.14%");
    expect(await figure("Cash available now")).toBe("100.00tUSDby early withdrawal, all depositors together");
    expect(await figure("Total assets")).toBe("100.00tUSD10.0% of the cap of 1K tUSD");
  });

  it("shows cash apart from what the custodian has by the operator's books", async () => {
    open(aTime());
    expect(await screen.findByText(/^Cash covers 59.1% of the 101.50 tUSD owed at maturity/)).toBeTruthy();
    expect(screen.getByText(/The custodian holds 50.00 tUSD, as reported by the operator/)).toBeTruthy();
    expect(screen.queryByText(/(?<![\d,])108/)).toBeNull();
  });

  it("names the early withdrawal that costs most, and says that no loss was booked", async () => {
    open(aTime());
    expect(
      await screen.findByText("Early withdrawal earns 2.00% a year and costs up to 0.50% of the deposit."),
    ).toBeTruthy();
    expect(screen.getByText(/^No loss has been recorded since Nov 13, 2023/)).toBeTruthy();
  });

  it("says that a loss under review is not among the recorded ones", async () => {
    open(aTime({ loss_reviewed_until: 1_900_000_000_000 }));
    const text = "A large loss is under review and not included here. Recorded losses: 0.00 tUSD.";
    expect(await screen.findByText(new RegExp(`^${text}`))).toBeTruthy();
    expect(screen.queryByText(/^No loss has been recorded/)).toBeNull();
  });

  it("lists every term with the cost of an early exit, closed ones last and without a maturity", async () => {
    const [term] = aTime().terms;
    if (!term) throw new Error("no term");
    const shut = { ...term, term_id: 1, value: 30, unit: "day" as const, open: false, penalty: "0", maturity: 1 };
    open(aTime({ terms: [shut, term] }));
    const table = await screen.findByRole("table", { name: "Terms" });
    const rows = within(table)
      .getAllByRole("row")
      .slice(1)
      .map((row) => [...row.children].map((cell) => cell.lastElementChild?.textContent));
    expect(rows).toEqual([
      ["3 months", "6.00%", "6.14%", "earns 2.00% a year, costs 0.50% of the deposit", "Feb 10, 2026", "900tUSD"],
      ["30 daysclosed to new deposits", "6.00%", "6.14%", "earns 2.00% a year", "—", "—"],
    ]);
  });

  it("says that nothing is owed rather than that it is covered", async () => {
    open(aTime({ books: { coverage: null, liabilities: "0", principal: "0", receipts: 0 } }));
    await screen.findByText("Main risks");
    expect(screen.getAllByText("No liabilities yet.").length).toBeGreaterThan(0);
    expect(
      screen.getByRole("img", { name: "Cash against liabilities: No liabilities yet.", hidden: true }),
    ).toBeTruthy();
  });

  it("shows what is left for everybody in a winding down", async () => {
    open(aTime({ books: { winding_down: { received: "40.000000", claims: "101.500000" } } }));
    expect((await screen.findByText(/So far: 40.00 of 101.50 tUSD/)).textContent).toContain(
      "first gets the same part of its principal",
    );
  });

  it("shows as available during a pause or a review what is payable, and not what could leave early", async () => {
    const until = blockTime + 1;
    const winding_down = { received: "40.000000", claims: "101.500000" };
    for (const held of [
      { paused_until: until, deposits_paused: true },
      { paused_until: blockTime, loss_reviewed_until: blockTime },
      { books: { winding_down } },
    ]) {
      open(aTime(held));
      await screen.findByText(/payable to receipts, all depositors together/);
      expect(screen.queryByText(/by early withdrawal/)).toBeNull();
      const early = screen.queryAllByText(/^earns 2\.00% a year/).length;
      expect(early > 0).toBe(!("books" in held));
      cleanup();
    }
  });

  it("says of recorded losses whether the assets still cover what is owed", async () => {
    const losses = "25.000000";
    open(aTime({ books: { losses, coverage: "1.000000" } }));
    const covered = "Losses of 25.00 tUSD have been recorded. The product’s assets still cover what it owes.";
    expect(await screen.findByText(covered)).toBeTruthy();
    cleanup();
    const winding_down = { received: "40.000000", claims: "101.500000" };
    open(aTime({ books: { losses, coverage: "0.930000", winding_down } }));
    expect(await screen.findByText("Recorded losses of 25.00 tUSD reduce payments.")).toBeTruthy();
    expect(screen.queryByText(/keep their conditions/)).toBeNull();
  });

  it("sums the visitor's receipts and shows the next maturity", async () => {
    const receipt = (deposit_id: string, value: string, days: number) =>
      ({
        short_id: "harbour",
        wallet,
        deposit_id,
        type: "time_deposit",
        chain_id: 31337,
        principal: value,
        value,
        claimable: null,
        maturity: Date.now() + days * 86_400_000 + 60_000,
      }) as Holding;
    setWallet({ status: "connected", address: wallet, chainId: 31337 });
    open(aTime(), {
      "account/hold": list([
        receipt("1", "10.000001", 40),
        receipt("2", "20.000002", 3),
        { ...receipt("3", "99", 1), short_id: "other" },
      ]),
    });
    await screen.findByText(/2 receipts, next matures/);
    expect(await figure("My deposits")).toBe("30.00tUSD2 receipts, next matures in 3 days");
  });

  it("shows what can be claimed before everything else", async () => {
    setWallet({ status: "connected", address: wallet, chainId: 31337 });
    const held = { short_id: "harbour", wallet, deposit_id: "1", type: "time_deposit", value: "11", principal: "10" };
    open(aTime(), { "account/hold": list([{ ...held, claimable: "11.259999", maturity: 1 }]) });
    await screen.findByText("11.25 tUSD to collect");
  });

  it("labels an early exit and its receipt among the transactions", async () => {
    const transaction = {
      chain_id: 31337,
      hash: `0x${"1".repeat(64)}`,
      log_index: 0,
      block: 1,
      time: blockTime,
      address: wallet,
      kind: "withdraw",
      short_id: "harbour",
      symbol: "tUSD",
      amount: "5",
      shares: null,
      price: null,
      fee: "0.1",
      deposit_id: "7",
      status: "confirmed",
      description: "",
    };
    open(aTime(), { "product/harbour/transactions": list([transaction]) }, "?tab=activity");
    expect((await screen.findByRole("rowheader", { name: /Early withdrawal/ })).textContent).toContain("receipt 7");
  });
});

describe("the page of a demand deposit", () => {
  it("shows fee, buffer, deployed money and queue as on chain", async () => {
    open(
      aDemand({
        vault: {
          fee: "0.100000000000000000",
          buffer: "0.200000000000000000",
          deployed: "40.000000",
          // One of these six is already in the current price.
          settled: "99.000000",
          streaming: "6.000000",
          queue: { address: wallet, shares: "2.000000000000" },
        },
      }),
    );
    expect(await figure("Fees")).toMatch(/^10.00%Performance fee on gains above the previous high/);
    expect(await figure("Cash buffer")).toMatch(/^20.00%/);
    expect(await figure("Invested")).toBe("40.00tUSD38.0% of total assets, with the custodian");
    expect(await figure("Queued withdrawals")).toBe("2.10tUSD2 aqSOL at the current price");
    expect(await figure("Income being added")).toBe("5.00tUSDreported, not yet in the share price");
  });

  it("shows that there is no fee and that all money stays in the contract", async () => {
    open(aDemand());
    expect(await figure("Fees")).toBe("none");
    expect(await figure("Invested")).toBe("0.00tUSDall the money is in the contract");
    expect(await figure("Queued withdrawals")).toBe("—no queue, because the money is never invested");
  });

  it("leaves steps without data open", async () => {
    open(aDemand({ proof_age: null, vault: { last_report: null } }));
    const thread = await screen.findByRole("list", { name: "Source of the yield", hidden: true });
    expect(within(thread).getByText("— none yet")).toBeTruthy();
  });

  it("keeps the printed dates of documents, and marks those about to expire", async () => {
    const paper = (title: string, expires: string | null) => ({
      title,
      issuer: "Registry of Thiès",
      issued: "2023-01-31",
      expires,
      hash: `0x${"cd".repeat(32)}`,
    });
    // The block's date is 14 November 2023.
    open(
      aDemand({
        evidence: [
          paper("Lease", "2023-11-13"),
          paper("Permit", "2023-11-14"),
          paper("Insurance", "2024-03-01"),
          paper("Deed", null),
        ],
      }),
      {},
      "?tab=evidence",
    );
    const of = async (title: string) => (await screen.findByText(title)).closest("li")?.textContent;
    expect(await of("Lease")).toContain("expired Nov 13, 2023");
    expect(await of("Permit")).toContain("expires soon: Nov 14, 2023");
    expect(await of("Insurance")).toContain("valid to Mar 1, 2024");
    expect(await of("Deed")).not.toMatch(/valid|expire/);
  });

  describe("a document of its evidence", () => {
    const text = "The pumps belong to Sahel Water SA.";
    const hash = dataHashOf(new TextEncoder().encode(text));
    const deed = { title: "Deed", issuer: "Registry", issued: "2023-01-31", expires: null, hash };

    /** Opens the document where the site serves this text for it. */
    async function serve(served: string) {
      open(aDemand({ evidence: [deed] }), {}, "?tab=evidence");
      const others = vi.mocked(fetch).getMockImplementation();
      vi.mocked(fetch).mockImplementation(async (input, init) =>
        String(input).includes(`document/${hash}`)
          ? new Response(served, { headers: { "content-type": "text/plain; charset=utf-8" } })
          : (others as typeof fetch)(input, init),
      );
      fireEvent.click(await screen.findByRole("button", { name: "Open Deed" }));
    }

    it("opens, checked against its hash in the browser, and closes", async () => {
      await serve(text);
      await screen.findByText("Hash checked");
      expect(screen.getByText(text)).toBeTruthy();
      fireEvent.click(screen.getByRole("button", { name: "Close Deed" }));
      expect(screen.queryByText(text)).toBeNull();
    });

    it("that differs from its hash in one character is not shown", async () => {
      await serve(`${text} `);
      await screen.findByText("This file does not match its hash");
      expect(screen.queryByText(/The pumps belong/)).toBeNull();
      expect(screen.queryByText("Hash checked")).toBeNull();
    });
  });

  it("shows that no document was published", async () => {
    open(aDemand({ description: [], yield_source: [], holder: null, risks: [], location: null }));
    await screen.findByText(/The product still has risks/);
    expect(screen.getAllByText("The operator has published no description.").length).toBeGreaterThan(0);
  });
});

describe("the tabs of a product", () => {
  const current = () =>
    screen.getByRole("navigation", { name: "Pages of this product" }).querySelector("[aria-current]");
  const asked = (calls: ReturnType<typeof open>) => calls.mock.calls.map(([url]) => String(url)).join(" ");

  it("are links in one row, the overview first", async () => {
    open(aDemand());
    const tabs = within(await screen.findByRole("navigation", { name: "Pages of this product" })).getAllByRole("link");
    expect(tabs.map((tab) => [tab.textContent, tab.getAttribute("href")])).toEqual([
      ["Overview", "/product/solar"],
      ["Performance", "/performance/solar"],
      ["Liquidity", "/liquidity/solar"],
      ["Devices", "/product/solar?tab=devices"],
      ["Evidence", "/product/solar?tab=evidence"],
      ["Activity", "/product/solar?tab=activity"],
      ["Contracts and roles", "/product/solar?tab=contracts"],
    ]);
    expect(current()?.textContent).toBe("Overview");
  });

  it("fetch their figures when they are opened, and not before", async () => {
    const calls = open(aDemand());
    await screen.findByText("Main risks");
    expect(asked(calls)).not.toMatch(/devices|transactions|performance/);
    fireEvent.click(screen.getByRole("link", { name: "Activity" }));
    await screen.findByRole("region", { name: "Transactions" });
    expect(current()?.textContent).toBe("Activity");
    expect(screen.queryByText("Main risks")).toBeNull();
    await vi.waitFor(() => expect(asked(calls)).toContain("transactions"));
    expect(asked(calls)).not.toContain("devices");
  });

  it.each(["?tab=devices", "?device=meter-1", "#from-device-to-yield", "?device=meter-1#devices"])(
    "open at the devices by the address %s",
    async (search) => {
      open(aDemand(), {}, search);
      await screen.findByRole("region", { name: "Devices" });
      expect(current()?.textContent).toBe("Devices");
    },
  );

  it("open the overview for a name that no tab has", async () => {
    open(aDemand(), {}, "?tab=nonsense");
    await screen.findByText("Main risks");
    expect(current()?.textContent).toBe("Overview");
  });
});

describe("contracts and roles", () => {
  const [caller, target] = [wallet, token];
  const call = {
    ...{ chain_id: 31337, operation: "0x1", nonce: 1, caller, target, hash: "0x1", parts: [] },
    ...{ scheduled_at: 1, possible_from: 1_800_000_000_000, possible_until: 1_800_604_800_000 },
  };
  const cap = (short_id: string, newCap: string) => ({ ...call, short_id, name: "setCap", args: { newCap } });

  it("list the scheduled calls of this product only, with a description, the caller and the time", async () => {
    const scheduled = [cap("solar", "5000000"), cap("term", "7000000")];
    open(aDemand(), { "transparency/summary": { body: { data: summary({ scheduled }) } } }, "?tab=contracts");
    const table = await screen.findByRole("table", { name: "Scheduled" });
    const rows = within(table).getAllByRole("row").slice(1);
    expect(rows).toHaveLength(1);
    for (const text of ["cap 5 tUSD", "Owner", "Jan 15, 2027, 8:00 AM UTC", "the guardian can cancel it"])
      expect(rows[0]?.textContent).toContain(text);
  });

  it("show that nothing is scheduled, or offer a retry if that could not be loaded", async () => {
    let broken = true;
    const known = () => (broken ? ("unreachable" as const) : { body: { data: summary() } });
    open(aDemand(), { "transparency/summary": known }, "?tab=contracts");
    const retry = await screen.findByRole("button", { name: "Retry" });
    broken = false;
    fireEvent.click(retry);
    await screen.findByText("Nothing is scheduled.");
  });
});

describe("the overview", () => {
  it("says what the product is in three sentences, and keeps the rest behind a button", async () => {
    open(aDemand({ summary: "One. ", description: ["Two is longer. Three!", "Four."] }));
    expect((await screen.findByText(/^One\./)).textContent).toBe("One. Two is longer. Three!");
    const more = screen.getByText("Full description and all risks").closest("details");
    expect(more?.open).toBe(false);
    expect(within(more as HTMLElement).getByText("Four.")).toBeTruthy();
  });

  it("names the wait, the worst fall and the custodian's money in figures", async () => {
    const day = 86_400_000;
    open(
      aDemand({
        instant_capacity: "0.000000",
        wait: { p50: 60 * day, p90: 114 * day },
        max_drawdown: "0.031200",
        vault: { deployed: "93.000000" },
      }),
    );
    expect(await figure("Cash available now")).toBe("0.00tUSDwait: 50% within 60 days, 90% within 114 days");
    expect(
      await screen.findByText(
        /^Cash available now, to all depositors together: 0.00 tUSD\. .* an estimated 90% are paid within 114 days/,
      ),
    ).toBeTruthy();
    expect(screen.getByText("The share price once fell by 3.12%, for every depositor.")).toBeTruthy();
    expect(
      screen.getByText(/^The custodian holds 93.00 tUSD, 93.0% of total assets, as reported by the operator/),
    ).toBeTruthy();
  });

  it("counts the fall of a loss that was taken back, and says when it was", async () => {
    open(aDemand({ max_drawdown: "0.014700", max_drawdown_taken_back: Date.UTC(2026, 9, 3) }));
    expect(
      await screen.findByText(/^The share price once fell by 1.47%, .* The loss was reversed on Oct 3, 2026\.$/),
    ).toBeTruthy();
    expect(screen.queryByText(/has not fallen/)).toBeNull();
  });
});

describe("the transactions of a product", () => {
  it("show a failure, and load after Retry", async () => {
    let broken = true;
    open(aDemand(), { "product/solar/transactions": () => (broken ? "unreachable" : list([])) }, "?tab=activity");
    const block = await screen.findByRole("region", { name: "Transactions" });
    const retry = await within(block).findByRole("button", { name: "Retry" });
    broken = false;
    fireEvent.click(retry);
    await within(block).findByText("No transactions yet");
  });
});

describe("my position", () => {
  const held = {
    short_id: "solar",
    wallet,
    deposit_id: null,
    type: "demand_deposit",
    value: "12.5",
    principal: "12",
    claimable: null,
  };

  it("is shown with Add and Withdraw, which open the panel's tabs", async () => {
    stubMedia("width >= 1024px");
    setWallet({ status: "connected", address: wallet, chainId: 31337 });
    open(aDemand(), { "account/hold": list([held]) });
    await screen.findByRole("tab", { name: "Withdraw" });
    expect(await figure("My position")).toBe("12.50tUSDcost 12.00 tUSD");
    fireEvent.click(screen.getByRole("button", { name: "Withdraw" }));
    expect(document.activeElement).toBe(screen.getByRole("tab", { name: "Withdraw", selected: true }));
    fireEvent.click(screen.getByRole("button", { name: "Add" }));
    expect(document.activeElement).toBe(screen.getByRole("tab", { name: "Deposit", selected: true }));
  });

  it("offers no Add where no deposits are accepted", async () => {
    setWallet({ status: "connected", address: wallet, chainId: 31337 });
    open(aDemand({ status: "closed" }), { "account/hold": list([held]) });
    await screen.findByText("My position");
    expect(screen.queryByRole("button", { name: "Add" })).toBeNull();
  });
});

describe("Skip to deposit", () => {
  const skip = () => screen.getByRole("link", { name: "Skip to deposit" });
  const closed = aDemand({ status: "closed" });
  const paused = aTime({ paused_until: blockTime + 1, deposits_paused: true });
  const full = aDemand({ cap_used: "1000", cap: "1000" });
  const late = aDemand({ vault: { last_report: null } });

  it.each([aDemand(), aTime()])("leads from the top of the page to the amount of a $type", async (product) => {
    stubMedia("width >= 1024px");
    open(product);
    const amount = await screen.findByLabelText("Amount to deposit");
    expect(screen.getAllByRole("link")[0]).toBe(skip());
    fireEvent.click(skip());
    expect(document.activeElement).toBe(amount);
  });

  it("leads to the tabs of the panel where Withdraw is open", async () => {
    stubMedia("width >= 1024px");
    open(aDemand());
    fireEvent.click(await screen.findByRole("tab", { name: "Withdraw" }));
    fireEvent.click(skip());
    expect(document.activeElement).toBe(screen.getByRole("tab", { name: "Withdraw", selected: true }));
  });

  it("leads to the button that opens the panel on a phone", async () => {
    open(aDemand());
    const button = await screen.findByRole("button", { name: "Deposit or withdraw" });
    fireEvent.click(skip());
    expect(document.activeElement).toBe(button);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it.each([
    ["closed", closed],
    ["paused", paused],
    ["full", full],
    ["without a report", late],
  ])("is absent for a product that is %s", async (_, product) => {
    open(product);
    await screen.findByRole("heading", { level: 1, name: product.name });
    expect(screen.queryByRole("link", { name: "Skip to deposit" })).toBeNull();
  });
});
