import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { type Abi, toFunctionSelector } from "viem";
import { afterEach, describe, expect, it, vi } from "vitest";
import { roleTable } from "../../../../contracts/deploy/roles.ts";
import { actText } from "../../src/features/transparency/act-text.ts";
import { callText } from "../../src/features/transparency/call-text.ts";
import TransparencyPage from "../../src/features/transparency/page.tsx";
import { checkReserves } from "../../src/features/transparency/reserves-verification.ts";
import { answerApi, renderPage } from "../page-harness.tsx";
import { act, acts, demandReserves, now, queueContract, summary, timeReserves, token, wallet } from "./fixtures.ts";
import { aFleet } from "./fleet.ts";

const data = (body: unknown) => ({ body: { data: body } });
const failure = { status: 503, body: { error_code: "chain_unavailable", message: "down", request_id: "r1" } };
const open = (search = "") => renderPage(<TransparencyPage />, "/transparency", `/transparency${search}`);
const current = () => screen.getByRole("navigation", { name: "Page sections" }).querySelector("[aria-current]");
/** The cells of a product's row. */
async function rowOf(name: RegExp) {
  const table = await screen.findByRole("table", { name: "Reserves against liabilities" });
  const row = within(table).getByRole("row", { name });
  // The reason of an unknown figure is loaded after its dash.
  return [...row.children].map((cell) => cell.lastElementChild?.textContent?.replace(/^—.*/, "—"));
}
const none = data({ items: [], total: 0, page: 1, page_size: 10 });
const devices = {
  "transparency/devices": data(aFleet({ total: 0, feeds: [] })),
  "transparency/anchors": none,
  "transparency/refused": none,
};
const neverAudited = {
  chains: [{ chain_id: 31337, block: null, time: null, whole: null, open: 0 }],
  log: { origin: "aqua.example/log", size: 42 },
  findings: [],
};
const answer = (known: unknown = summary(), done: unknown = acts(), audit: unknown = neverAudited) =>
  answerApi({
    "transparency/summary": data(known),
    "transparency/acts": data(done),
    "transparency/audit": data(audit),
    ...devices,
  });

afterEach(() => vi.unstubAllGlobals());

/** An argument of this type, as the API has it. */
function sample(type: string): string {
  if (type === "address") return wallet;
  if (type === "bool") return "false";
  if (type.startsWith("bytes")) return `0x${"0".repeat(64)}`;
  return type === "string" ? "solar" : "3";
}

describe("/transparency", () => {
  it("opens with a row per product, with cash separate from the custodian's money in the operator's books", async () => {
    vi.spyOn(Date, "now").mockReturnValue(now);
    answer();
    open();
    const demand = (await rowOf(/^Sahel Solar/)).map((cell) => cell?.replace(/^—.*/, "—"));
    expect(demand).toEqual([
      "Sahel Solar",
      "173,750tUSD",
      "800,750tUSD",
      "974,500tUSD",
      "30 days ago",
      "1 hr. ago",
      "—",
      "Details",
    ]);
    // A dash is followed by its reason as soon as the code for that has loaded.
    const time = (await rowOf(/^Lagoon Notes/)).map((cell) => cell?.replace(/^—.*/, "—"));
    expect(time).toEqual([
      "Lagoon Notes",
      "40,000tUSD",
      "58,960tUSD",
      "99,000tUSDshort by 39.60 tUSD",
      "—",
      "—",
      "—",
      "Details",
    ]);
    expect(document.body.textContent).not.toMatch(/100(\.00)?%|covered/);
    vi.mocked(Date.now).mockRestore();
  });

  it("marks documents that have expired at the block of the row", async () => {
    const { as_of } = demandReserves();
    answer(summary({ reserves: [demandReserves({ evidence: { confirmed: 1, until: as_of.time } })] }));
    open();
    expect((await rowOf(/^Sahel Solar/))[4]).toBe("expired");
  });

  it("shows when each product was last audited, and marks a product of which a stored value is wrong", async () => {
    vi.spyOn(Date, "now").mockReturnValue(now);
    const wrong = { chain_id: 31337, table: "movement", row: "block 7, log 2, wallet 0xaa", column: "assets" };
    const finding = {
      ...wrong,
      expected: "5",
      found: "6",
      product: demandReserves().contract.toLowerCase(),
      since: now,
    };
    const whole = { started: now - 90_000_000, ended: now - 86_400_000, figures: 157_650 };
    const chain = { chain_id: 31337, block: 9_001, time: now - 120_000, whole, open: 1 };
    const missing = { ...finding, column: null, expected: "a row", found: null, healed: now };
    answer(summary(), acts(), { chains: [chain], log: null, findings: [{ ...finding, healed: null }, missing] });
    open();
    await waitFor(async () => expect((await rowOf(/^Sahel Solar/))[6]).toBe("a stored value differs"));
    expect((await rowOf(/^Lagoon Notes/))[6]).toBe("2 min. ago");
    const record = within(await screen.findByRole("region", { name: "Audit of stored figures" }));
    expect(record.getByText(/157,650 values so far/)).toBeTruthy();
    expect(record.getByText(/compared up to block 9,001/)).toBeTruthy();
    expect(record.getByText(/differ from the chain now: 1\./)).toBeTruthy();
    const [, open1, healed] = within(record.getByRole("table")).getAllByRole("row");
    expect(open1?.textContent).toContain("movement · block 7, log 2, wallet 0xaa · assets");
    expect(open1?.textContent).toContain("not corrected yet");
    expect(healed?.textContent).toContain("an entry");
    expect(healed?.textContent).toContain("no entry");
    vi.mocked(Date.now).mockRestore();
  });

  it("says that no audit has finished, and offers to load the record again when it failed", async () => {
    answer();
    const first = open();
    const record = await screen.findByRole("region", { name: "Audit of stored figures" });
    expect(await within(record).findByText(/no audit has finished yet/)).toBeTruthy();
    first.unmount();
    answerApi({ "transparency/summary": data(summary()), "transparency/audit": failure, ...devices });
    open();
    expect(await screen.findByText("The audit record could not be loaded")).toBeTruthy();
  });

  it("opens the parts of a row, and closes them again", async () => {
    answer();
    open();
    const button = await screen.findByRole("button", { name: "Details of Sahel Solar" });
    expect(screen.queryByRole("figure", { name: "Assets" })).toBeNull();
    fireEvent.click(button);
    expect(screen.getByRole("figure", { name: "Assets" }).textContent).toContain(
      "With the custodian, as reported by the operator800,750.00",
    );
    expect(screen.queryByText(/differ from the total/)).toBeNull();
    fireEvent.click(button);
    expect(screen.queryByRole("figure", { name: "Assets" })).toBeNull();
  });

  it("shows when the parts do not add up to the total", async () => {
    answer(summary({ reserves: [demandReserves({ total_assets: "974500.250001" })] }));
    open();
    fireEvent.click(await screen.findByRole("button", { name: /^Details of/ }));
    expect((await screen.findByText(/differ from the total/)).textContent).toContain("-0.000001 tUSD");
  });

  it("fetches the data of a tab when the tab is opened, and not before", async () => {
    const calls = answer();
    calls.mockClear();
    open();
    const asked = () => calls.mock.calls.map(([url]) => String(url)).join(" ");
    await screen.findByRole("table", { name: "Reserves against liabilities" });
    expect(asked()).not.toMatch(/devices|anchors|refused|acts/);
    fireEvent.click(screen.getByRole("link", { name: "Anchors" }));
    await screen.findByRole("heading", { name: "Anchored roots" });
    await waitFor(() => expect(asked()).toContain("transparency/anchors"));
    expect(current()?.textContent).toBe("Anchors");
    expect(asked()).not.toMatch(/refused|acts/);
  });

  it.each([
    ["?tab=admin", "Admin activity"],
    ["#acts", "Admin activity"],
    ["#reserves", "Products"],
    ["#reports", "Devices"],
    ["#roots", "Anchors"],
    ["?verify=line&tx=0x1#verify", "Verify"],
    ["?verify=receipt", "Verify"],
    ["?tab=nonsense", "Products"],
  ])("opens the tab that the address %s names", async (address, tab) => {
    answer();
    open(address);
    await waitFor(() => expect(current()?.textContent).toBe(tab));
  });

  it("distinguishes a late report from a recent one, from none and from a product that needs none", async () => {
    const day = 86_400_000;
    const { as_of } = demandReserves();
    answer(
      summary({
        reserves: [
          demandReserves(),
          demandReserves({ short_id: "b", name: "B", last_report: as_of.time - 8 * day }),
          demandReserves({ short_id: "c", name: "C", last_report: null }),
          timeReserves(),
        ],
      }),
    );
    open("?tab=devices");
    const table = await screen.findByRole("table", { name: "Report freshness" });
    const states = within(table).getAllByRole("row").slice(1);
    const said = ["on time", "late", "no report yet", "fixed rate: no reports"];
    for (const [index, text] of said.entries())
      expect(within(states[index] as HTMLElement).getByText(text)).toBeTruthy();
  });

  it("lists the holders of each role with the delay, and roles without a holder", async () => {
    answer();
    open("?tab=admin");
    const table = await screen.findByRole("table", { name: "Roles" });
    const row = (name: RegExp) => within(table).getByRole("row", { name });
    expect(row(/^Admin/).textContent).toContain("effective after 2 days");
    expect(row(/^Owner/).textContent).toContain("effective immediately");
    expect(row(/^lamplighter/).textContent).toContain("none");
  });

  it("pages the acts and filters them by product", async () => {
    const calls = answer();
    open("?tab=admin");
    await screen.findByText("25,000.5 tUSD sent to the custodian");
    const asked = () => calls.mock.calls.map(([url]) => String(url)).filter((url) => url.includes("acts"));
    const part = within(screen.getByRole("region", { name: "Actions of role holders" }));
    fireEvent.click(part.getByRole("button", { name: "Next page" }));
    await waitFor(() => expect(asked().at(-1)).toContain("page=2"));
    fireEvent.change(await part.findByLabelText("Product"), { target: { value: "term" } });
    await waitFor(() => expect(asked().at(-1)).toContain("short_id=term"));
    expect(asked().at(-1)).toContain("page=1");
  });

  it("shows a failure block by block, and the content after Retry", async () => {
    let broken = true;
    answerApi({
      "transparency/summary": () => (broken ? failure : data(summary())),
      "transparency/acts": () => (broken ? failure : data({ items: [], total: 0, page: 1, page_size: 12 })),
      ...devices,
    });
    open("?tab=admin");
    await screen.findByText("The reserves could not be loaded");
    await screen.findByText("The actions could not be loaded");
    broken = false;
    for (const button of screen.getAllByRole("button", { name: "Retry" })) fireEvent.click(button);
    await screen.findByText("No actions yet");
    await screen.findByRole("table", { name: "Roles" });
  });

  it("describes each scheduled call with its caller and the time from which it can be executed", async () => {
    const call = { name: "setTreasury", args: { newTreasury: wallet, newFee: "120000000000000000" }, parts: [] };
    const times = {
      scheduled_at: 1_799_827_200_000,
      possible_from: 1_800_000_000_000,
      possible_until: 1_800_604_800_000,
    };
    const place = { chain_id: 31337, operation: `0x${"1".repeat(64)}`, nonce: 1, short_id: "solar", hash: "0x1" };
    answer(summary({ scheduled: [{ ...call, ...times, ...place, caller: wallet, target: token }] }));
    open("?tab=admin");
    const table = await screen.findByRole("table", { name: "Scheduled" });
    expect(table.textContent).toContain("performance fee 12.00%, paid to 0x709…79C8");
    expect(table.textContent).toContain("Owner");
    expect(table.textContent).toContain("Jan 15, 2027, 8:00 AM UTC");
    expect(table.textContent).toContain("expires Jan 22, 2027, 8:00 AM UTC if not carried out");
  });

  it("shows whether the guardian can cancel each scheduled call, which excludes changes to the AccessManager", async () => {
    const manager = `0x${"ac".repeat(20)}`;
    const contracts = [{ chain_id: 31337, short_id: null, role: "access_manager", address: manager.toUpperCase() }];
    const times = { scheduled_at: 1, possible_from: 1_800_000_000_000, possible_until: 1_800_604_800_000 };
    const place = { chain_id: 31337, nonce: 1, short_id: null, hash: "0x1", caller: wallet, ...times };
    const revoke = { name: "revokeRole", args: { roleId: "2", account: wallet }, parts: [] };
    const cap = { name: "setCap", args: { newCap: "5" }, parts: [] };
    answer(
      summary({
        contracts,
        scheduled: [
          { ...revoke, ...place, operation: "0x1", target: manager },
          { ...cap, ...place, operation: "0x2", target: token },
        ],
      }),
    );
    open("?tab=admin");
    const table = await screen.findByRole("table", { name: "Scheduled" });
    const row = (name: RegExp) => within(table).getByRole("row", { name }).textContent;
    expect(row(/^end of role Guardian/)).toContain("the guardian can’t cancel it");
    expect(row(/^cap 5/)).toContain("the guardian can cancel it");
  });

  it("shows that there is nothing yet", async () => {
    answer(summary({ reserves: [], roles: [], contracts: [] }), { items: [], total: 0, page: 1, page_size: 12 });
    open();
    await screen.findByText("No products yet");
    fireEvent.click(screen.getByRole("link", { name: "Admin activity" }));
    await screen.findByText("No roles granted yet");
    fireEvent.click(screen.getByRole("link", { name: "Devices" }));
    await screen.findByText("No devices yet");
  });
});

describe("an act's sentence", () => {
  const said = (name: string, args: Record<string, string>, shortId: string | null = "solar") =>
    actText(act(name, args, { short_id: shortId }), summary());

  it("shows amounts in the product's unit, exactly, and rates as percentages", () => {
    expect(said("Deployed", { assets: "25000500001" })).toBe("25,000.500001 tUSD sent to the custodian");
    expect(said("CustodianChanged", { custodian: wallet, buffer: "200000000000000000" })).toBe(
      "Custodian set to 0x709…79C8, cash buffer to 20.00%",
    );
    expect(said("CapChanged", { cap: (2n ** 256n - 1n).toString() })).toBe("Cap set to no limit");
  });

  it("shows amounts of an unknown product in smallest units", () => {
    expect(said("Deployed", { assets: "25000500001" }, "gone")).toBe(
      "25000500001 smallest units sent to the custodian",
    );
  });

  it("distinguishes an act from its opposite", () => {
    expect(said("ProductStatusChanged", { status: "0" })).toContain("opened");
    expect(said("ProductStatusChanged", { status: "1" })).toContain("closed");
    expect(said("FrozenSet", { wallet, frozen: "true" })).toMatch(/ frozen$/);
    expect(said("FrozenSet", { wallet, frozen: "false" })).toContain("unfrozen");
    expect(said("PausedUntil", { until: "0" })).toBe("Deposit pause ended");
    expect(said("TermPausedUntil", { until: "1800000000" })).toContain("Deposits paused until Jan 15, 2027");
    expect(said("TermEvidenceRenewed", { document: "0x", until: "1800000000" })).toContain("valid until Jan 15, 2027");
    expect(said("RoleGranted", { role: "2", account: wallet, delay: "86400", since: "1800000000" })).toContain(
      "Guardian, effective Jan 15, 2027",
    );
  });

  it("names keys of devices and co-signers with device, kind and time", () => {
    const device = `0x${Buffer.from("meter-1").toString("hex").padEnd(64, "0")}`;
    const key = { device, kind: "1", x: "0x1", y: "0x2", validFrom: "1800000000" };
    expect(said("KeyRegistered", key, null)).toMatch(/^meter-1 received a new P-256 key, .* Jan 15, 2027/);
    expect(said("KeyRegistered", { ...key, kind: "2" }, null)).toContain("secp256k1");
    expect(said("KeyDropped", key, null)).toMatch(/^The key planned for meter-1 from .* was canceled/);
    expect(said("KeyRevoked", { device, validFrom: "1800000000" }, null)).toMatch(/^The key of meter-1 was/);
    expect(said("KeyRevoked", { device: `0x${"ff".repeat(32)}`, validFrom: "1" }, null)).toContain("0xffff");
  });

  it("names what an announcement would change, and from when", () => {
    const call = { name: "setTreasury", args: { newTreasury: wallet, newFee: "120000000000000000" }, parts: [] };
    const scheduled = act("OperationScheduled", { schedule: "1800000000", data: "0xc6" }, { call });
    expect(actText(scheduled, summary())).toBe(
      "Announced: performance fee 12.00%, paid to 0x709…79C8. Possible from Jan 15, 2027, 8:00 AM UTC.",
    );
    const both = {
      name: "multicall",
      args: {},
      parts: [
        { name: "grantRole", args: { roleId: "3", account: wallet, executionDelay: "0" } },
        { name: "revokeRole", args: { roleId: "3", account: token } },
      ],
    };
    expect(actText(act("OperationCanceled", {}, { call: both }), summary())).toMatch(
      /^Announcement canceled: role Reporter for 0x709…79C8 · end of role Reporter for 0x/,
    );
    const unknown = act("OperationScheduled", { schedule: "1800000000" }, { call: { ...call, name: "0x12345678" } });
    expect(actText(unknown, summary())).toContain("call of 0x12345678");
  });

  it("has words for every function of the owner and every restricted one of the AccessManager", () => {
    const unrestricted = ["cancel", "consumeScheduledOp", "execute", "multicall", "renounceRole", "schedule"];
    const abis = { DemandVault: demandVaultAbi, TermDeposit: termDepositAbi, AccessManager: accessManagerAbi };
    const known = { ...abis, IdentityRegistry: identityRegistryAbi, ProductRegistry: productRegistryAbi } as Record<
      string,
      Abi
    >;
    const functions = Object.entries(roleTable).flatMap(([contract, { owner = [] }]) =>
      owner.map((name) => ({ abi: known[contract] ?? [], name })),
    );
    for (const item of accessManagerAbi)
      if (item.type === "function" && item.stateMutability === "nonpayable" && !unrestricted.includes(item.name))
        functions.push({ abi: accessManagerAbi, name: item.name });
    expect(functions.length).toBeGreaterThan(25);
    for (const { abi, name } of functions) {
      const item = abi.find((one) => one.type === "function" && one.name === name);
      const inputs = item?.type === "function" ? item.inputs : [];
      const flat = inputs.flatMap((input) => ("components" in input ? [...input.components] : [input]));
      const args = Object.fromEntries(flat.map((input) => [input.name ?? "", sample(input.type)]));
      for (const variant of [args, { ...args, closed: "true", isOpen: "true" }]) {
        const text = callText(
          { name, args: variant, parts: [] },
          { chain_id: 31337, short_id: "solar", summary: summary() },
        );
        expect(text, name).not.toMatch(/^call of|[{}]|undefined|missing/i);
      }
    }
  });

  it("names role, functions, contract and notice of what the admin changes in the AccessManager", () => {
    const [solar, registry] = [`0x${"50".repeat(20)}`, `0x${"70".repeat(20)}`];
    const contracts = [
      { chain_id: 31337, short_id: null, role: "product_registry", address: registry },
      { chain_id: 31337, short_id: "solar", role: "product", address: solar },
    ];
    const context = { chain_id: 31337, short_id: null, summary: summary({ contracts }) };
    const said = (name: string, args: Record<string, string>) => callText({ name, args, parts: [] }, context);
    expect(said("setTargetFunctionRole", { target: solar, selectors: "setCap, unpause", roleId: "2" })).toBe(
      "role Guardian may call setCap, unpause of Sahel Solar",
    );
    expect(said("setTargetClosed", { target: registry, closed: "true" })).toBe("Product registry closed to all roles");
    expect(said("setTargetClosed", { target: token, closed: "false" })).toMatch(
      /^0x[0-9a-fA-F]{3}…[0-9a-fA-F]{4} open to its roles again$/,
    );
    expect(said("setRoleGuardian", { roleId: "1", guardian: "0" })).toBe(
      "role Admin may cancel announcements of role Owner",
    );
    expect(said("setRoleAdmin", { roleId: "3", admin: "1" })).toBe("role Owner may grant and revoke role Reporter");
    expect(said("setGrantDelay", { roleId: "1", newDelay: "172800" })).toBe(
      "role Owner effective 2 days after it is granted",
    );
    expect(said("labelRole", { roleId: "7", label: "keeper" })).toBe("name keeper for role 7");
  });

  it("falls back to name and arguments for an unknown act", () => {
    expect(said("SomethingNew", { level: "3" })).toBe("SomethingNew, level 3");
  });

  it("fills every placeholder in every language", () => {
    for (const one of acts().items) expect(actText(one, summary())).not.toMatch(/[{}]|undefined/);
  });
});

describe("the check of reserves", () => {
  interface Sent {
    method: string;
    params: [{ to: string; data: string }, string];
  }
  const selectorOf = (abi: Abi, name: string) => {
    const item = abi.find((one) => one.type === "function" && one.name === name);
    return item?.type === "function" ? toFunctionSelector(item) : "";
  };
  const ofVault = (name: string) => selectorOf(demandVaultAbi as Abi, name);
  const selectors = {
    ...{ asset: ofVault("asset"), totalAssets: ofVault("totalAssets"), desk: ofVault("desk") },
    ...{ setAside: ofVault("setAside"), balanceOf: ofVault("balanceOf") },
    books: selectorOf(termDepositAbi as Abi, "books"),
  };
  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  const units = (amount: string) => BigInt(amount.replace(".", ""));

  const aBlock = (time: number) =>
    Response.json({ jsonrpc: "2.0", id: 1, result: { timestamp: `0x${(time / 1_000).toString(16)}` } });

  /** A node that answers by contract and selector. `times`: the times of the page's block and of the newest block. */
  function node(answers: Record<string, string>, times = [solar.as_of.time, solar.as_of.time]) {
    return vi.spyOn(globalThis, "fetch").mockImplementation(async (_url, init) => {
      const { method, params } = JSON.parse(String(init?.body)) as Sent;
      if (method === "eth_getBlockByNumber") return aBlock(times[String(params[0]) === "latest" ? 1 : 0] ?? 0);
      const [{ to, data }] = params;
      const result = answers[`${to.toLowerCase()} ${data.slice(0, 10)}`];
      return Response.json({
        jsonrpc: "2.0",
        id: 1,
        ...(result ? { result } : { error: { code: 3, message: "execution reverted" } }),
      });
    });
  }
  const solar = demandReserves();
  const partOf = (name: string) => units(solar.assets.find(({ part }) => part === name)?.amount ?? "0");
  const setAsideUnits = partOf("set_aside");
  const balanceUnits = partOf("idle") + setAsideUnits;
  const healthy = {
    [`${solar.contract.toLowerCase()} ${selectors.totalAssets}`]: `0x${word(units("960000.000000"))}`,
    [`${solar.contract.toLowerCase()} ${selectors.desk}`]: `0x${word(units("800750.000000"))}${word(BigInt(queueContract))}${word(0n).repeat(7)}`,
    [`${solar.contract.toLowerCase()} ${selectors.asset}`]: `0x${word(BigInt(token))}`,
    [`${solar.contract.toLowerCase()} ${selectors.setAside}`]: `0x${word(setAsideUnits)}`,
    [`${token.toLowerCase()} ${selectors.balanceOf}`]: `0x${word(balanceUnits)}`,
  };

  it("reads at the block of the page and finds each figure equal", async () => {
    const calls = node(healthy);
    const { figures, source } = await checkReserves(solar);
    expect(figures.map(({ figure, standing }) => [figure, standing])).toEqual([
      ["time", "equal"],
      ["shares", "equal"],
      ["deployed", "equal"],
      ["setAside", "equal"],
      ["balance", "enough"],
    ]);
    expect(source).toEqual({ by: "site" });
    expect(calls.mock.calls.every(([url]) => String(url).endsWith("/rpc/31337"))).toBe(true);
    const sent = calls.mock.calls
      .map(([, init]) => JSON.parse(String(init?.body)) as Sent)
      .filter(({ method }) => method === "eth_call");
    expect(sent.every(({ params }) => params[1] === `0x${solar.as_of.block.toString(16)}`)).toBe(true);
  });

  it("detects a difference of the smallest unit, and missing tokens", async () => {
    node({
      ...healthy,
      [`${solar.contract.toLowerCase()} ${selectors.totalAssets}`]: `0x${word(units("960000.000001"))}`,
      [`${token.toLowerCase()} ${selectors.balanceOf}`]: `0x${word(balanceUnits - 1n)}`,
    });
    const { figures } = await checkReserves(solar);
    expect(figures.filter(({ standing }) => standing === "different").map(({ figure }) => figure)).toEqual([
      "shares",
      "balance",
    ]);
  });

  it("checkReserves compares the money set aside, and does not count it as the product's", async () => {
    const standing = async (kept: bigint, balance: bigint) => {
      node({
        ...healthy,
        [`${solar.contract.toLowerCase()} ${selectors.setAside}`]: `0x${word(kept)}`,
        [`${token.toLowerCase()} ${selectors.balanceOf}`]: `0x${word(balance)}`,
      });
      return (await checkReserves(solar)).figures.slice(-2).map((figure) => figure.standing);
    };
    expect(await standing(setAsideUnits, balanceUnits)).toEqual(["equal", "enough"]);
    expect(await standing(setAsideUnits, balanceUnits - 1n)).toEqual(["equal", "different"]);
    expect(await standing(0n, balanceUnits)).toEqual(["different", "enough"]);
  });

  it("reads the accounts of a time deposit", async () => {
    const term = timeReserves();
    const books = ["40000.000000", "58960.400000", "99000.000000", "0.000000", "0.000000"].map((one) =>
      word(units(one)),
    );
    node({
      [`${term.contract.toLowerCase()} ${selectors.asset}`]: `0x${word(BigInt(token))}`,
      [`${term.contract.toLowerCase()} ${selectors.books}`]: `0x${books.join("")}`,
      [`${token.toLowerCase()} ${selectors.balanceOf}`]: `0x${word(units("40000.000001"))}`,
    });
    const { figures } = await checkReserves(term);
    expect(figures.map(({ figure, standing }) => [figure, standing])).toEqual([
      ["time", "equal"],
      ["idle", "equal"],
      ["deployed", "equal"],
      ["liabilities", "equal"],
      ["balance", "enough"],
    ]);
  });

  it("detects another time of the block than the page's, and how much later the newest block is", async () => {
    const { time } = solar.as_of;
    node(healthy, [time - 60_000, time + 3_600_000]);
    const { figures, age } = await checkReserves(solar);
    expect(figures.filter(({ standing }) => standing === "different").map(({ figure }) => figure)).toEqual(["time"]);
    expect(age).toBe(3_660_000);
  });

  it("detects each figure that the page leaves out", async () => {
    node(healthy);
    const { figures } = await checkReserves(demandReserves({ assets: [], liabilities: [] }));
    expect(figures.map(({ figure, standing }) => [figure, standing])).toEqual([
      ["time", "equal"],
      ["shares", "different"],
      ["deployed", "different"],
      ["setAside", "different"],
      ["balance", "different"],
    ]);
  });

  it("queries the visitor's own wallet where it is on that chain, and names it", async () => {
    const calls = node({});
    const request = async ({ method, params }: { method: string; params?: [{ to: string; data: string }] }) =>
      method === "eth_chainId"
        ? "0x7a69"
        : method === "eth_getBlockByNumber"
          ? { timestamp: `0x${(solar.as_of.time / 1_000).toString(16)}` }
          : healthy[`${params?.[0].to.toLowerCase()} ${params?.[0].data.slice(0, 10)}`];
    vi.stubGlobal("ethereum", { request });
    const { figures, source } = await checkReserves(solar);
    expect(figures.every(({ standing }) => standing !== "different")).toBe(true);
    expect(source.by).toBe("wallet");
    expect(calls).not.toHaveBeenCalled();
  });

  it.each([
    ["refuses a call", {}],
    ["answers too little", { ...healthy, [`${solar.contract.toLowerCase()} ${selectors.desk}`]: "0x" }],
  ])("fails rather than guess when the node %s", async (_case, answers) => {
    node(answers);
    await expect(checkReserves(solar)).rejects.toBeTruthy();
  });

  it("shows its result on the page", async () => {
    answer();
    const page = open();
    fireEvent.click((await screen.findAllByRole("button", { name: /^Details of/ }))[0] as HTMLElement);
    node({ ...healthy, [`${token.toLowerCase()} ${selectors.balanceOf}`]: `0x${word(1n)}` });
    fireEvent.click(screen.getAllByRole("button", { name: "Check it yourself" })[0] as HTMLElement);
    await screen.findByText("Block 1,204,551: 1 figure differs from the chain.");
    expect(screen.getAllByText("different")).toHaveLength(1);
    expect(screen.getAllByText("equal")).toHaveLength(4);
    expect(screen.getByText(/Read through this site’s node/)).toBeTruthy();
    page.unmount();
  });
});
