import type { Holding, RedemptionRequest, Statement, TotalHoldValue, Transaction } from "@aqua/sdk/api/portfolio";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import PortfoliosPage from "../../src/features/portfolio/page.tsx";
import { clearAll, store } from "../../src/stored-session.ts";
import { clearWallet, setWallet } from "../../src/wallet/store.ts";
import { answerApi, list, renderPage } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";

const first = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const second = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const hash = `0x${"ab".repeat(32)}`;
const asOf = { chain_id: 31337, block: 10, time: 1_700_000_000_000, stale: false };

const demand: Holding = {
  short_id: "solar",
  withheld: false,
  wallet: first,
  name: "Sahel Solar",
  type: "demand_deposit",
  chain_id: 31337,
  symbol: "tUSD",
  decimals: 6,
  shares: "90.000000000000",
  deposit_id: null,
  receipt: null,
  principal: "100.000000",
  value: "110.000000",
  exit_value: "55.000000",
  average_cost: "1.0",
  realised: "0.000000",
  unrealised: "10.000000",
  interest: "0.000000",
  apy: "0.05",
  start: 0,
  maturity: null,
  pending_shares: "10.000000000000",
  claimable: "0.000000",
  cost_estimated: false,
  as_of: asOf,
};
const receipt: Holding = {
  ...demand,
  name: "Baltic Wind",
  type: "time_deposit",
  shares: null,
  deposit_id: "7",
  receipt: {
    term: { value: 3, unit: "month" },
    term_id: 0,
    rate: "0.06",
    break_rate: "0.02",
    penalty: "0.001",
    principal: "1000.000000",
    interest_at_maturity: "14.799999",
    matured: false,
    roll: "all",
    roll_term_id: 0,
    demanded_at: null,
    winding_down: false,
  },
  value: "1004.930000",
  exit_value: "1000.640000",
  interest: "4.930000",
  pending_shares: null,
  claimable: "0.000000",
  maturity: 1_701_000_000_000,
};
const request: RedemptionRequest = {
  short_id: "solar",
  name: "Sahel Solar",
  chain_id: 31337,
  wallet: first,
  symbol: "tUSD",
  decimals: 6,
  requested_at: 1_699_000_000_000,
  hash,
  shares: "20.000000000000",
  pending_shares: "10.000000000000",
  value: "10.500000",
  ahead: "300.000000",
  position: 4,
  payable_from: null,
  ready: false,
  wait: { p50: 86_400_000, p90: 3 * 86_400_000 },
  as_of: asOf,
};
const deposit: Transaction = {
  hash,
  chain_id: 31337,
  block: 3,
  log_index: 0,
  time: 1_699_000_000_000,
  address: first,
  kind: "deposit",
  short_id: "solar",
  symbol: "tUSD",
  amount: "100.000000",
  shares: "100.000000000000",
  price: "1.000000000000000000",
  fee: null,
  deposit_id: null,
  status: "confirmed",
  description: "Deposit",
};
const none = { shares: "0.000000000000", principal: null, claimable: "0.000000", value: "0.000000" };
const statement: Statement = {
  wallets: [first],
  from: 0,
  to: 1,
  as_of: asOf,
  products: [
    {
      short_id: "solar",
      name: "Sahel Solar",
      type: "demand_deposit",
      chain_id: 31337,
      symbol: "tUSD",
      decimals: 6,
      opening: none,
      closing: { ...none, shares: "100.000000000000", value: "101.234567" },
      paid_in: "100.000000",
      paid_out: "0.000000",
      earned: "1.234567",
      lines: [
        {
          time: 1_699_000_000_000,
          block: 3,
          log_index: 0,
          hash,
          wallet: first,
          kind: "deposit",
          deposit_id: null,
          amount: "100.000000",
          shares: "100.000000000000",
          price: "1.000000",
          fee: "0.000000",
          description: "Deposit",
          paid_in: "100.000000",
          paid_out: "0.000000",
          earned: "0.000000",
          balance: { ...none, shares: "100.000000000000", value: "100.000000" },
        },
      ],
    },
  ],
};
const value: TotalHoldValue = {
  address: first,
  currency: "USD",
  unit: "USD",
  total: "1114.930000",
  exit_value: "1055.640000",
  claimable: "0.000000",
  next_cash: null,
  by_product: [
    { short_id: "solar", value: "110.000000" },
    { short_id: "wind", value: "1004.930000" },
  ],
  as_of: asOf,
};
const figures = {
  "account/totalHoldValue": { body: { data: value } },
  "account/hold": (url: URL) => list([url.searchParams.get("type") === "time_deposit" ? receipt : demand]),
  "account/totalProfit": {
    body: {
      data: {
        total: "14.93",
        realised: "0",
        unrealised: "10",
        interest: "4.93",
        net_deposits: "1100",
        value: "1114.93",
        money_weighted_return: "0.05",
        series: [],
        as_of: asOf,
      },
    },
  },
  "account/requests": { body: { data: [request] } },
  "account/transaction": list([]),
  "account/getPendingTransaction": list([]),
  "account/statement": { body: { data: statement } },
  "product/list": list([makeProduct(), makeProduct({ short_id: "wind", name: "Baltic Wind" })]),
  network: { body: { data: { version: "0", chains: [], faucet: false, walletconnect_project_id: null } } },
};

const open = (query = "") => renderPage(<PortfoliosPage />, "/portfolios", `/portfolios?address=${first}${query}`);
const address = () => screen.getByLabelText("address").textContent ?? "";

afterEach(() => {
  act(() => clearWallet());
  clearAll();
});

describe("a portfolio", () => {
  it("shows how many of the shares wait in a queue", async () => {
    answerApi(figures);
    open();
    const row = await screen.findByRole("row", { name: /Sahel Solar/ });
    // The value and the number of shares include the queued shares.
    expect(row.textContent).toContain("100.000010.0000 shares queued");
    expect(within(row).getByText("55.00")).toBeTruthy();
  });

  it("shows as text, not only on hover, that a cost is partly estimated", async () => {
    answerApi({ ...figures, "account/hold": list([{ ...demand, cost_estimated: true }]) });
    open();
    const row = await screen.findByRole("row", { name: /Sahel Solar/ });
    expect(row.textContent).toContain("≈ 100.00");
    expect(within(row).getByText(/counted at their value on that day/)).toBeTruthy();
  });

  it("shows each receipt with its term, its interest at maturity, and what happens then", async () => {
    answerApi(figures);
    open("&tab=time");
    const row = await screen.findByRole("row", { name: /Baltic Wind/ });
    expect(row.textContent).toContain("No. 7");
    expect(row.textContent).toContain("6.00%3 months");
    expect(row.textContent).toContain("14.79");
    expect(row.textContent).toContain("instruction: roll over principal and interest");
  });

  it.each([
    ["can still be carried out", 2, "instruction: roll over principal and interest"],
    ["can no longer be carried out", 4, "since "],
  ])("after maturity, shows of an instruction that %s", async (_, days, line) => {
    const maturity = Date.now() - days * 86_400_000;
    const matured = { ...receipt, maturity, receipt: { ...receipt.receipt, matured: true } };
    answerApi({ ...figures, "account/hold": list([matured]) });
    open("&tab=time");
    const row = await screen.findByRole("row", { name: /Baltic Wind/ });
    expect(row.textContent).toContain(`Matured${line}`);
  });

  it("shows neither date nor interest of a maturity in a winding down", async () => {
    const wound = { ...receipt, receipt: { ...receipt.receipt, winding_down: true } };
    answerApi({ ...figures, "account/hold": list([wound]) });
    open("&tab=time");
    const row = await screen.findByRole("row", { name: /Baltic Wind/ });
    expect(row.textContent).toContain("Being wound down");
    expect(row.textContent).not.toContain("14.79");
    expect(row.textContent).not.toContain("rolls over");
  });

  it("shows a request's position, what is ahead of it and what it waits for", async () => {
    answerApi(figures);
    open("&tab=requests");
    const row = await screen.findByRole("row", { name: /Sahel Solar/ });
    expect(row.textContent).toContain("10.0000 of 20.0000 shares");
    expect(row.textContent).toContain("300.00");
    expect(row.textContent).toContain("waiting for the next report");
  });

  it("names the wait of a request as an estimate, not as the typical wait of its product", async () => {
    answerApi(figures);
    open("&tab=requests");
    await screen.findByRole("columnheader", { name: "Estimated wait" });
    expect(screen.queryByText("Typical wait")).toBeNull();
  });

  it("requests product names for queue requests in the reader's language", async () => {
    const calls = answerApi(figures);
    open("&tab=requests");
    await screen.findByRole("row", { name: /Sahel Solar/ });
    const asked = calls.mock.calls.map(([url]) => String(url)).find((url) => url.includes("account/requests"));
    expect(asked).toContain("lang=en-US");
  });

  it("accepts no future period, and shows from when a statement is possible", async () => {
    const calls = answerApi(figures);
    open("&tab=statements&period=custom&from=2999-03-01&to=2999-03-31");
    expect(await screen.findByText("Choose two dates")).toBeTruthy();
    expect(calls.mock.calls.some(([url]) => String(url).includes("account/statement"))).toBe(false);
  });

  it("formats a statement's dates in the reader's language", async () => {
    answerApi(figures);
    open("&tab=statements&period=custom&from=2026-03-01&to=2026-03-31");
    expect(await screen.findByText("Mar 1, 2026 to Mar 31, 2026 (UTC)")).toBeTruthy();
  });

  it("shows why a wait is unknown instead of inventing one", async () => {
    answerApi({ ...figures, "account/requests": { body: { data: [{ ...request, wait: null }] } } });
    open("&tab=requests");
    expect(await screen.findByText(/There is not enough history for an estimate/)).toBeTruthy();
  });

  it("saves the displayed statement as CSV, even some time later", async () => {
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL() {} }));
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    const [from, to] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 14, 9, 30, 7, 1)];
    const calls = answerApi({ ...figures, "account/statement": { body: { data: { ...statement, from, to } } } });
    open("&tab=statements&period=custom&from=2026-03-01&to=2026-03-31");
    fireEvent.click(await screen.findByRole("button", { name: "CSV" }));
    const csv = () => calls.mock.calls.map(([url]) => String(url)).find((url) => url.includes("format=csv"));
    await waitFor(() => expect(csv()).toContain(`from=${from}&to=${to}&`));
  });

  it("prints a statement with wallet, period, blocks and all its lines", async () => {
    const print = vi.fn(() => void act(() => dispatchEvent(new Event("beforeprint"))));
    vi.stubGlobal("print", print);
    const [product] = statement.products;
    const [line] = product?.lines ?? [];
    if (!product || !line) throw new Error("the statement has no line");
    const lines = Array.from({ length: 45 }, (_, index) => ({ ...line, block: 3 + index, log_index: index }));
    const long = { ...statement, wallets: [first], products: [{ ...product, lines }] };
    answerApi({ ...figures, "account/statement": { body: { data: long } } });
    open("&tab=statements&period=custom&from=2026-03-01&to=2026-03-31");
    const part = await screen.findByRole("region", { name: "Sahel Solar" });
    const rows = () => within(part).getAllByRole("row").length - 1;
    expect(rows()).toBe(20);
    fireEvent.click(screen.getByRole("button", { name: "Print or save as PDF" }));
    expect(print).toHaveBeenCalledOnce();
    expect(rows()).toBe(45);
    const head = screen.getByRole("heading", { name: "Statement", level: 2 }).parentElement?.textContent;
    expect(head).toContain(first);
    expect(head).toContain("Mar 1, 2026 to Mar 31, 2026");
    expect(head).toMatch(/movements in blocks 3 to 47 · read at block 10, /);
    act(() => void dispatchEvent(new Event("afterprint")));
    expect(rows()).toBe(20);
    vi.unstubAllGlobals();
  });

  it("sums a statement with all digits", async () => {
    answerApi(figures);
    open("&tab=statements");
    const part = await screen.findByRole("region", { name: "Sahel Solar" });
    const sums = [...part.querySelectorAll("dl > div")].map((entry) => entry.textContent);
    expect(sums).toEqual([
      "Opening value0.00tUSD",
      "+Deposited100.00tUSD",
      "−Withdrawn0.00tUSD",
      "+Earned1.234567tUSD",
      "=Closing value101.234567tUSD",
    ]);
  });

  it("fetches whole UTC days, and nothing while they are in the wrong order", async () => {
    const calls = answerApi(figures);
    open("&tab=statements&period=custom&from=2026-03-01&to=2026-03-31");
    await screen.findByRole("region", { name: "Sahel Solar" });
    const asked = calls.mock.calls.map(([url]) => String(url)).find((url) => url.includes("account/statement"));
    expect(asked).toContain(`from=${Date.UTC(2026, 2, 1)}&to=${Date.UTC(2026, 3, 1)}`);
    const before = calls.mock.calls.length;
    fireEvent.change(screen.getByLabelText("End date"), { target: { value: "2026-02-01" } });
    await screen.findByText("Choose two dates");
    expect(calls.mock.calls.slice(before).some(([url]) => String(url).includes("statement"))).toBe(false);
  });

  it("stores the tab in the address and drops the previous tab's filters", async () => {
    answerApi(figures);
    open("&tab=activity&kind=deposit&page=2");
    fireEvent.click(await screen.findByRole("tab", { name: "Time" }));
    await screen.findByRole("row", { name: /Baltic Wind/ });
    expect(address()).toBe(`/portfolios?address=${first}&tab=time`);
  });

  it.each([
    ["", "account/hold", demand, /Sahel Solar/],
    ["&tab=time", "account/hold", receipt, /Baltic Wind/],
    ["&tab=activity", "account/transaction", deposit, /Deposit/],
  ])("goes to the last page where the address has one beyond it%s", async (query, path, last, name) => {
    const total = 21;
    answerApi({
      ...figures,
      [path]: ({ searchParams }) => {
        const page = Number(searchParams.get("page"));
        return { body: { data: { items: page === 2 ? [last] : [], total, page, page_size: 20 } } };
      },
    });
    open(`${query}&page=50`);
    expect(await screen.findByRole("row", { name })).toBeTruthy();
    expect(address()).toContain("page=2");
    expect(screen.getByText("21–21 of 21")).toBeTruthy();
  });

  it("lists both sides of a transfer between wallets that are shown together", async () => {
    const complaints = vi.spyOn(console, "error").mockImplementation(() => {});
    const sides = [
      { ...deposit, kind: "transfer_out" },
      { ...deposit, kind: "transfer_in", address: second },
    ];
    answerApi({ ...figures, "account/transaction": list(sides) });
    open("&tab=activity");
    await screen.findByRole("row", { name: /Transfer out/ });
    expect(screen.getByRole("row", { name: /Transfer in/ })).toBeTruthy();
    expect(complaints).not.toHaveBeenCalled();
  });

  it("shows all digits of the profit for an asset with more than six", async () => {
    const [total, net_deposits] = ["0.000000600000000001", "1114.929999400000000000"];
    const parts = { total, net_deposits, value: "1114.930000000000000001", realised: "0", interest: "0" };
    const { data } = figures["account/totalProfit"].body;
    answerApi({ ...figures, "account/totalProfit": { body: { data: { ...data, ...parts, unrealised: total } } } });
    open();
    expect(await screen.findByText("1,114.930000000000000001")).toBeTruthy();
    expect(screen.getByText("1,114.929999400000000000")).toBeTruthy();
    expect(screen.getAllByText("0.000000600000000001")).toHaveLength(3);
  });

  it("shows one value, even when another range loads the profit of a later block", async () => {
    let [block, total] = [10, "1114.930000"];
    const { "account/totalProfit": profit } = figures;
    answerApi({
      ...figures,
      "account/totalHoldValue": () => ({ body: { data: { ...value, total, as_of: { ...asOf, block } } } }),
      "account/totalProfit": () => ({
        body: { data: { ...profit.body.data, value: total, as_of: { ...asOf, block } } },
      }),
    });
    open();
    await screen.findAllByText("1,114.93");
    [block, total] = [99, "1120.000000"];
    fireEvent.click(screen.getByRole("radio", { name: "30D" }));
    await screen.findByText("1,120.000000");
    expect(screen.getByText("1,120.00")).toBeTruthy();
    expect(screen.queryByText("1,114.93")).toBeNull();
    // The older of the two responses.
    expect(screen.getByText("block 10")).toBeTruthy();
  });

  it("ignores an impossible page and an unknown product in the address", async () => {
    const calls = answerApi(figures);
    open("&tab=activity&page=99999999&product=Bad%20One");
    await screen.findByText("No transactions yet");
    const asked = calls.mock.calls.map(([url]) => String(url)).find((url) => url.includes("account/transaction"));
    expect(asked).toBe(`/api/v2/account/transaction/${first}?page=1&page_size=20`);
  });

  it("links from what is claimable to the requests of the displayed wallet", async () => {
    answerApi({ ...figures, "account/totalHoldValue": { body: { data: { ...value, claimable: "12.000000" } } } });
    open("&range=30d");
    fireEvent.click(await screen.findByRole("link", { name: /12\.00/ }));
    await screen.findByRole("row", { name: /Sahel Solar/ });
    expect(address()).toBe(`/portfolios?address=${first}&range=30d&tab=requests`);
  });

  it.each([
    ["", "No holdings yet"],
    ["&tab=time", "No time deposits yet"],
    ["&tab=requests", "No open requests"],
    ["&tab=activity", "No transactions yet"],
    ["&tab=statements", "No holdings in this period"],
  ])("shows that there is nothing yet%s", async (query, words) => {
    answerApi({
      ...figures,
      "account/hold": list([]),
      "account/requests": { body: { data: [] } },
      "account/statement": { body: { data: { ...statement, products: [] } } },
    });
    open(query);
    const panel = await screen.findByRole("tabpanel");
    await within(panel).findByText(words);
  });

  it.each([
    ["", "account/hold"],
    ["&tab=time", "account/hold"],
    ["&tab=requests", "account/requests"],
    ["&tab=activity", "account/transaction"],
    ["&tab=statements", "account/statement"],
  ])("offers a retry where a list failed%s", async (query, path) => {
    answerApi({ ...figures, [path]: "unreachable" });
    open(query);
    const panel = await screen.findByRole("tabpanel");
    await within(panel).findByRole("button", { name: "Retry" });
  });
});

describe("the wallets of an account", () => {
  const account = {
    email: "a@b.example",
    country: "FR",
    identity_status: "verified",
    wallets: [second, first].map((wallet) => ({
      address: wallet,
      create_time: 0,
      current: wallet === second,
      bindings: [],
    })),
  };

  function openOwn(query = "", more: Parameters<typeof answerApi>[0] = {}) {
    act(() => {
      setWallet({ status: "connected", address: first, chainId: 31337 });
      store({ token: "t", email: "a@b.example" });
    });
    const calls = answerApi({ ...more, ...figures, "account/info": { body: { data: account } } });
    renderPage(<PortfoliosPage />, "/portfolios", `/portfolios${query}`);
    return calls;
  }
  const urls = (calls: ReturnType<typeof answerApi>) => calls.mock.calls.map(([url]) => String(url));

  it("start with the connected one, and are summed on request", async () => {
    const calls = openOwn();
    await screen.findByText("Your wallet");
    fireEvent.click(await screen.findByRole("radio", { name: "All 2" }));
    await screen.findByText("2 wallets");
    expect(address()).toBe("/portfolios?wallet=all");
    await waitFor(() => expect(urls(calls)).toContain(`/api/v2/account/totalHoldValue/${first}?also=${second}`));
  });

  it("are beside what the owners of held products announced, with the exit of all that are shown", async () => {
    const change = {
      ...{
        operation: hash,
        nonce: 1,
        hash,
        scheduled_at: asOf.time,
        possible_from: asOf.time,
        possible_until: asOf.time,
      },
      ...{ kind: "fee", present: { fee: "0.1" }, next: { fee: "0.12" } },
    };
    const announced = {
      short_id: "solar",
      name: "Sahel Solar",
      chain_id: 31337,
      ...{ changes: [change], exit: { p50: 0, p90: 0 }, exit_unknown: null, as_of: asOf },
    };
    const calls = openOwn("?wallet=all", { "product/solar/announcements": { body: { data: announced } } });
    const title = await screen.findByText("Announced: performance fee 12.00% instead of 10.00%");
    const notice = title.parentElement as HTMLElement;
    expect(notice.textContent).toContain("You can withdraw everything now.");
    expect(within(notice).getByRole("link", { name: "Sahel Solar" })).toBeTruthy();
    const wallets = encodeURIComponent([first, second].join(",").toLowerCase());
    expect(urls(calls)).toContain(`/api/v2/product/solar/announcements?wallets=${wallets}`);
  });

  it("show a linked one separately", async () => {
    const calls = openOwn(`?wallet=${second.toLowerCase()}`);
    await screen.findByText("Linked wallet");
    await waitFor(() => expect(urls(calls)).toContain(`/api/v2/account/totalHoldValue/${second}`));
  });

  it("are shown without a connected wallet too", async () => {
    act(() => store({ token: "t", email: "a@b.example" }));
    answerApi({ ...figures, "account/info": { body: { data: account } } });
    renderPage(<PortfoliosPage />, "/portfolios", "/portfolios");
    await screen.findByText("Linked wallet");
  });
});
