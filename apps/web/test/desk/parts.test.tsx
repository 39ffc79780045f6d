import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import OperatorPage from "../../src/features/desk/page.tsx";
import { forgetDeskToken, storeDeskToken } from "../../src/features/desk/session.ts";
import { watermarked } from "../../src/features/desk/watermark.ts";
import { Toaster } from "../../src/ui/toast.tsx";
import { demandReserves, now, summary, timeReserves } from "../figures/fixtures.ts";
import { aFleet } from "../figures/fleet.ts";
import { answerApi, list, renderPage } from "../page-harness.tsx";
import { aDevice } from "../readings/fixtures.ts";
import { answers, audit, detail, hostile, income, line, state, status, troubledJob } from "./fixtures.ts";

type Answers = Parameters<typeof answerApi>[0];
const data = (value: unknown) => ({ body: { data: value } });

/** The page of an operator who is logged in. */
function open(changed: Answers = {}, address = "/operator") {
  storeDeskToken("desk_1");
  const spy = answerApi({ ...changed, ...answers(), ...changed });
  renderPage(
    <>
      <OperatorPage />
      <Toaster />
    </>,
    "/operator",
    address,
  );
  return spy;
}

const part = (name: string) => screen.findByRole("region", { name });
const bodies = (spy: ReturnType<typeof open>, path: string) =>
  spy.mock.calls.filter(([url]) => String(url).endsWith(path)).map(([, init]) => String(init?.body));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  forgetDeskToken(false);
  vi.restoreAllMocks();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

// jsdom has no canvas. desk.spec.ts draws the mark in a browser.
vi.mock("../../src/features/desk/watermark.ts", () => ({
  watermarked: vi.fn(async (_picture: Blob, mark: string) => new Blob([mark])),
}));

describe("the desk", () => {
  it("names the operator, and counts what needs a person, such parts first", async () => {
    open();
    expect(await screen.findByText(/^ada, with the scopes identity, operations, read\. Session until/)).toBeTruthy();
    const needs = await screen.findByRole("navigation", { name: "What needs a person" });
    await waitFor(() => {
      const texts = within(needs)
        .getAllByRole("link")
        .map(({ textContent }) => textContent);
      expect(texts).toEqual([
        "1 Identity cases",
        "1 Quiet devices",
        "1 Reports due",
        "1 Queues to pay",
        "0 Pending losses",
        `${summary().scheduled.length} Scheduled acts`,
        "0 Open findings",
        "0 Failed jobs",
      ]);
    });
  });

  it("logs out, and says so if the server did not answer", async () => {
    open({ "operator/desk/logout": "unreachable" });
    await screen.findByText(/^ada, with/);
    fireEvent.click(screen.getByRole("button", { name: "Log out" }));
    expect(await screen.findByText("The session still exists on the server")).toBeTruthy();
    expect(sessionStorage.getItem("aqua.desk.token")).toBeNull();
    expect(await screen.findByText(/^For this site’s named operators/)).toBeTruthy();
    expect(screen.queryByText("Your session has ended")).toBeNull();
  });

  it("says what is empty", async () => {
    open({
      "operator/identity": list([]),
      "transparency/summary": data(summary({ reserves: [], scheduled: [] })),
      "transparency/devices": data(aFleet({ feeds: [] })),
    });
    for (const text of [
      "No case has this status",
      "No devices",
      "No product reports income",
      "No products yet",
      "No loss is under review or waits to be settled",
      "Nothing is scheduled.",
      "No job has failed",
    ])
      expect(await screen.findByText(text)).toBeTruthy();
  });

  it("shows texts of operators and depositors as text", async () => {
    open(
      {
        "operator/identity/case-1": data(
          detail({ name: hostile, email: hostile, status: "rejected", reason: hostile }),
        ),
        "operator/status": data(
          status({
            degraded: [{ part: "mail", reason: hostile }],
            troubled_jobs: [{ ...troubledJob, kind: hostile, reason: hostile }],
          }),
        ),
        "product/": data([aDevice({ name: hostile, status: "offline" })]),
      },
      "/operator?case=case-1",
    );
    await waitFor(() => expect(screen.getAllByText(/onerror=alert/).length).toBeGreaterThanOrEqual(6));
    expect(document.querySelector("img[onerror]")).toBeNull();
    expect(document.querySelectorAll("img")).toHaveLength(0);
  });

  it("leads back to the log-in once the log-in has ended, and touches no log-in of a depositor", async () => {
    localStorage.setItem("token", "depositor");
    open({ "operator/desk": { status: 401, body: { error_code: "token_error", message: "" } } });
    expect(await screen.findByText("Your session has ended")).toBeTruthy();
    expect([sessionStorage.getItem("aqua.desk.token"), localStorage.getItem("token")]).toEqual([null, "depositor"]);
  });

  it("names the scope that a part needs, and does not ask for the part", async () => {
    const spy = open({ "operator/desk": data(state({ scopes: ["devices"] })) });
    expect(await screen.findByText("This part needs the scope identity")).toBeTruthy();
    const asked = spy.mock.calls.map(([url]) => String(url));
    expect(asked.filter((url) => /operator\/(identity|status)/.test(url))).toEqual([]);
  });

  it("shows the other parts if some could not be loaded", async () => {
    const broken = { status: 500, body: { error_code: "internal_error", message: "" } };
    open({ "transparency/summary": broken, "transparency/audit": broken, "transparency/devices": broken });
    expect(await screen.findByText("eve@example.com")).toBeTruthy();
    expect(await screen.findByText("The income could not be loaded")).toBeTruthy();
    expect(await screen.findByText("No job has failed")).toBeTruthy();
  });
});

describe("an identity case at the desk", () => {
  const openCase = (changed: Answers = {}) => open(changed, "/operator?case=case-1");

  it("shows what was submitted, with the focus on its heading", async () => {
    openCase();
    const head = await screen.findByRole("heading", { name: "Case of eve@example.com" });
    await waitFor(() => expect(document.activeElement).toBe(head));
    expect(await screen.findByText("Eve Adams")).toBeTruthy();
    expect(screen.getByText("Feb 3, 1990")).toBeTruthy();
  });

  it("is rejected by a code, or by words that the person reads", async () => {
    const spy = openCase();
    fireEvent.change(await screen.findByLabelText("Reason"), { target: { value: "own" } });
    fireEvent.click(screen.getByRole("button", { name: "Reject" }));
    expect(await screen.findByText("Say why, in words the person can read.")).toBeTruthy();
    fireEvent.change(screen.getByLabelText("Your own words"), { target: { value: "  The photo is of a cat " } });
    fireEvent.click(screen.getByRole("button", { name: "Reject" }));
    const dialog = await screen.findByRole("dialog", { name: "Reject" });
    expect(within(dialog).getByText("The photo is of a cat")).toBeTruthy();
    fireEvent.click(within(dialog).getByRole("button", { name: "Reject" }));
    expect(await screen.findByText("The submission is rejected")).toBeTruthy();
    expect(bodies(spy, "/reject")).toEqual(['{"reason":"The photo is of a cat"}']);
  });

  it("that is verified offers the command that revokes it", async () => {
    openCase({ "operator/identity/case-1": data(detail({ status: "verified" })) });
    expect(await screen.findByText("aqua identity revoke case-1 --reason document_unreadable")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
  });

  describe("with a document", () => {
    const url = "blob:aqua/1";
    const revoke = vi.fn();
    beforeEach(() => {
      revoke.mockClear();
      Object.assign(URL, { createObjectURL: vi.fn(() => url), revokeObjectURL: revoke });
    });
    /** Answers the document itself, since answerApi answers only JSON. */
    function withDocument(type: string) {
      const spy = openCase();
      const others = spy.getMockImplementation();
      const asked: string[] = [];
      spy.mockImplementation(async (input, init) => {
        if (!String(input).endsWith("/document")) return (others as typeof fetch)(input, init);
        asked.push(String(input));
        return new Response("bytes", { headers: { "content-type": type } });
      });
      return asked;
    }

    it("loads it only on request, because each look is recorded, and forgets it when it is hidden", async () => {
      const asked = withDocument("image/png");
      const show = await screen.findByRole("button", { name: "Show the document" });
      expect(screen.getByText(/^68 kB\. Each look is an entry in the public log/)).toBeTruthy();
      expect(asked).toEqual([]);
      fireEvent.click(show);
      expect((await screen.findByAltText("Submitted document")).getAttribute("src")).toBe(url);
      expect(asked).toHaveLength(1);
      const [[shown]] = vi.mocked(URL.createObjectURL).mock.calls as [[Blob]];
      expect(await shown.text()).toMatch(/^localhost(:\d+)? · ada · \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
      fireEvent.click(screen.getByRole("button", { name: "Hide" }));
      await waitFor(() => expect(revoke).toHaveBeenCalledWith(url));
    });

    it("shows no picture that the browser cannot decode", async () => {
      withDocument("image/jpeg");
      vi.mocked(watermarked).mockRejectedValueOnce(new DOMException("no picture"));
      fireEvent.click(await screen.findByRole("button", { name: "Show the document" }));
      expect(
        await screen.findByText("This file cannot be shown here (image/jpeg). Save it with aqua identity document."),
      ).toBeTruthy();
      expect(URL.createObjectURL).not.toHaveBeenCalled();
    });

    it("shows a PDF in a frame", async () => {
      withDocument("application/pdf");
      fireEvent.click(await screen.findByRole("button", { name: "Show the document" }));
      expect((await screen.findByTitle("Submitted document")).getAttribute("src")).toBe(url);
    });

    it.each(["text/html", "image/svg+xml", "application/xhtml+xml", ""])("shows no file of type %s", async (type) => {
      withDocument(type);
      fireEvent.click(await screen.findByRole("button", { name: "Show the document" }));
      expect(await screen.findByText(/^This file cannot be shown here \(/)).toBeTruthy();
      expect(URL.createObjectURL).not.toHaveBeenCalled();
    });
  });

  it("says that its document was deleted", async () => {
    openCase({ "operator/identity/case-1": data(detail({ document: null })) });
    expect(await screen.findByText("The document was deleted.")).toBeTruthy();
  });

  it("is a link in the list, which can show other statuses", async () => {
    const spy = open({ "operator/identity": list([line({ email: "bob@example.com" })]) });
    const cases = await part("Identity cases");
    fireEvent.change(within(cases).getByLabelText("Status"), { target: { value: "expired" } });
    await waitFor(() => expect(spy.mock.calls.some(([url]) => String(url).includes("status=expired"))).toBe(true));
    fireEvent.click(await within(cases).findByRole("link", { name: "bob@example.com" }));
    expect(screen.getByRole("status", { name: "address" }).textContent).toBe("/operator?case=case-1");
  });
});

describe("the other parts of the desk", () => {
  it("list what does not report, and hold the commands for acts of a chain key", async () => {
    open();
    const texts = async (name: string, command: string) =>
      expect(await within(await part(name)).findByText(command)).toBeTruthy();
    await texts("Income reports", "aqua money report solar --chain 31337 --dry-run");
    await texts("Queue and cash", "aqua money process solar --chain 31337 --dry-run");
    await texts("Queue and cash", "aqua money coverage term --chain 31337");
    const devices = await part("Devices");
    expect(await within(devices).findByText("1 device reports")).toBeTruthy();
    for (const { short_id } of summary().scheduled)
      if (short_id) expect(screen.getAllByText(`aqua product apply ${short_id}.yaml --send`).length).toBeGreaterThan(0);
  });

  it("show why there is nothing to report", async () => {
    open({ "product/solar/income/next": data(income({ verdict: "no_anchor", to: null, expected: null, most: null })) });
    expect(await screen.findByText("No reading is anchored yet.")).toBeTruthy();
  });

  it("try a failed job again, and say who has to do the same", async () => {
    const spy = open({
      "operator/status": data(
        status({
          jobs: [{ kind: "mail.send", waiting: 0, failing: 0, abandoned: 3, overdue_seconds: 0 }],
          troubled_jobs: [troubledJob],
        }),
      ),
      "operator/jobs/retry": { status: 202, body: { data: { waits_for_second: true, first: "bob", until: now } } },
    });
    expect(await screen.findByText("550 mailbox full")).toBeTruthy();
    expect(await screen.findByRole("link", { name: "3 Failed jobs" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Try job 7 again now" }));
    expect(await screen.findByText(/^bob decided first\./)).toBeTruthy();
    expect(bodies(spy, "/jobs/retry")).toEqual(['{"id":7}']);
  });

  describe("about losses", () => {
    type Loss = NonNullable<ReturnType<typeof demandReserves>["reviewed_loss"]>;
    const hour = 3_600_000;
    const loss = (parts: Partial<Loss> = {}): Loss => ({
      ...{ amount: "3120.250000", stage: "reviewed", until: Date.now() + hour },
      ...parts,
    });
    /** The desk while the demand deposit and the time deposit have these losses. */
    async function openLosses(ofDemand: Loss | null, ofTime: Loss | null) {
      const reserves = [demandReserves({ reviewed_loss: ofDemand }), timeReserves({ reviewed_loss: ofTime })];
      open({ "transparency/summary": data(summary({ reserves })) });
      return within(await part("Pending losses"));
    }
    const count = (pending: number) => screen.findByRole("link", { name: `${pending} Pending losses` });

    it("name product, amount, end of the review, who may act, and the commands, the earliest end first", async () => {
      const losses = await openLosses(loss({ until: Date.now() + 2 * hour }), loss({ amount: "800.5" }));
      await losses.findByText("aqua money take-back-loss solar --chain 31337 --dry-run");
      const rows = losses.getAllByRole("row").map(({ textContent }) => textContent);
      expect(rows[1]).toMatch(/^Lagoon Notes.*800\.50tUSD.*can be reversed until .*Loss confirmer$/);
      expect(rows.join("\n")).toMatch(/Sahel Solar.*3,120\.25tUSD.*can be reversed until .*Loss confirmer/);
      for (const id of ["solar", "term"])
        for (const act of ["take-back-loss", "confirm-loss"])
          expect(losses.getByText(`aqua money ${act} ${id} --chain 31337 --dry-run`)).toBeTruthy();
      expect(losses.queryByText(/settle-loss/)).toBeNull();
      expect(await count(2)).toBeTruthy();
    });

    it("offer to settle the loss of a time deposit after its review, also before the server says so", async () => {
      for (const stage of ["unsettled", "reviewed"] as const) {
        const losses = await openLosses(null, loss({ stage, until: Date.now() - hour }));
        expect(await losses.findByText("aqua money settle-loss term --chain 31337 --dry-run")).toBeTruthy();
        expect(losses.getByText(/^waits since .* to be settled$/)).toBeTruthy();
        expect(losses.getByText("anyone")).toBeTruthy();
        expect(losses.queryByText(/take-back-loss|confirm-loss/)).toBeNull();
        expect(await count(1)).toBeTruthy();
        cleanup();
      }
    });

    it("say that the loss of a demand deposit is final once its review has ended, and offer no command", async () => {
      const losses = await openLosses(loss({ until: Date.now() - hour }), null);
      expect(await losses.findByText(/^final since /)).toBeTruthy();
      expect(losses.queryByText(/aqua money/)).toBeNull();
      expect(await count(0)).toBeTruthy();
    });

    it("show a withheld amount as unknown", async () => {
      const losses = await openLosses(loss({ amount: null }), null);
      expect(await losses.findByText("—")).toBeTruthy();
    });
  });

  it("count findings that are not corrected", async () => {
    open({
      "transparency/audit": data(audit({ chains: [{ chain_id: 31337, block: 5, time: now, whole: null, open: 2 }] })),
    });
    expect(await screen.findByRole("link", { name: "2 Open findings" })).toBeTruthy();
  });
});
