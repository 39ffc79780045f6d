import type { Announcements } from "@aqua/sdk/api/notices";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { AnnouncementList } from "../../src/features/products/announcement-list.tsx";
import { useAnnouncements } from "../../src/features/products/announcements.ts";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { answerApi, renderPage } from "../page-harness.tsx";

const day = 86_400_000;
const time = Date.UTC(2026, 1, 20);
const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const scheduled = {
  operation: `0x${"1".repeat(64)}`,
  nonce: 1,
  scheduled_at: time - day,
  possible_from: Date.UTC(2026, 2, 2),
  possible_until: Date.UTC(2026, 2, 9),
  hash: `0x${"2".repeat(64)}`,
};
const fee = { ...scheduled, kind: "fee", present: { fee: "0.1" }, next: { fee: "0.12" } } as const;
const next = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const custody = (custodian: string | null, buffer: string) => ({ custodian, buffer });

function Announced() {
  return <AnnouncementList answer={useAnnouncements("aegean", [wallet])} ofOneOfSeveral="aegean" />;
}

async function show(parts: Partial<Announcements>) {
  await loadTexts("announcements", "products");
  const calls = answerApi({
    "product/aegean/announcements": {
      body: {
        data: {
          short_id: "aegean",
          name: "Aegean Water",
          chain_id: 31337,
          changes: [fee],
          exit: null,
          exit_unknown: "no_position",
          as_of: { chain_id: 31337, block: 9, time, stale: false },
          ...parts,
        },
      },
    },
  });
  renderPage(<Announced />, "/", "/");
  return calls;
}

it("the list shows a fee rise with its date and the reader's own likely exit", async () => {
  const calls = await show({ exit: { p50: 10 * day, p90: 16 * day }, exit_unknown: null });
  await screen.findByText("Announced: performance fee 12.00% instead of 10.00%");
  const text = screen.getByText(/^Takes effect Mar 2, 2026/).textContent;
  expect(text).toContain("In 50% of past cases a full withdrawal was paid by Mar 2, in 90% by Mar 8.");
  expect(text).toContain("Your withdrawal may be paid only after the change.");
  expect(screen.getByRole("link", { name: "Aegean Water" }).getAttribute("href")).toBe("/product/aegean");
  expect(String(calls.mock.calls.at(-1)?.[0])).toContain(`wallets=${wallet.toLowerCase()}`);
});

it("the list shows no exit to a visitor, and a holder the reason why none is known", async () => {
  await show({});
  expect((await screen.findByText(/^Takes effect/)).textContent).not.toContain("You");
});

it("the list shows why a holder's exit is not known, and never a date in that case", async () => {
  await show({ exit_unknown: "no_estimate" });
  expect((await screen.findByText(/^Takes effect/)).textContent).toContain(
    "There is not enough history to estimate when your withdrawal would be paid.",
  );
});

it("the list shows that a wallet cannot withdraw instead of a date", async () => {
  await show({ exit_unknown: "restricted" });
  expect((await screen.findByText(/^Takes effect/)).textContent).toContain(
    "One of your wallets cannot withdraw now. Open the product to see why.",
  );
});

it.each([
  [custody(next, "0.1"), "Announced: custodian 0x3C4…93BC instead of 0x709…79C8"],
  [custody(null, "0.1"), "Announced: custodian none instead of 0x709…79C8"],
  [custody(wallet, "0.25"), "Announced: cash buffer 25.00% instead of 10.00%"],
  [
    custody(next, "0.25"),
    "Announced: custodian 0x3C4…93BC instead of 0x709…79C8 · Announced: cash buffer 25.00% instead of 10.00%",
  ],
])("the list shows only the changed values of custodian and cash buffer, %#", async (changed, title) => {
  await show({ changes: [{ ...scheduled, kind: "custodian", present: custody(wallet, "0.1"), next: changed }] });
  await screen.findByText(title);
});

it("the list names the product whose announced changes could not be loaded, among several", async () => {
  await loadTexts("announcements", "products");
  answerApi({ "product/aegean/announcements": "unreachable" });
  renderPage(<Announced />, "/", "/");
  const title = await screen.findByText("Announced changes of aegean could not be loaded");
  expect(title.closest('[role="alert"]')?.textContent).toContain("The server did not answer.");
});
