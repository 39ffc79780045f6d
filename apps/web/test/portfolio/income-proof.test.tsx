import type { IncomeProof } from "@aqua/sdk/api/incomeProof";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { monthsUntil } from "../../src/features/portfolio/income-month.ts";
import { IncomeProofDownload } from "../../src/features/portfolio/income-proof.tsx";
import { saveFile } from "../../src/ui/save-file.ts";
import { answerApi, renderPage } from "../page-harness.tsx";

vi.mock("../../src/ui/save-file.ts", () => ({ saveFile: vi.fn() }));
afterEach(() => vi.mocked(saveFile).mockReset());

const first = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const second = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const products = [
  { short_id: "solar", name: "Sahel Solar", chain_id: 31337, type: "demand_deposit" as const },
  { short_id: "wind", name: "Baltic Wind", chain_id: 31337, type: "time_deposit" as const },
];

type Part = IncomeProof["products"][number];
const report = { kind: "report", evidence: null } as Part["steps"][number];
const fileWith = (steps: Part["steps"], block: number | null = null) => ({
  wallet: first,
  block,
  products: [{ short_id: "solar", income: "1234567", decimals: 6, symbol: "tUSD", steps }],
});

function open(also: (typeof second)[] = [], shortId: string | null = null) {
  const scope = { address: first, also } as const;
  renderPage(<IncomeProofDownload scope={scope} shortId={shortId} products={products} />, "/", "/");
}
const download = () => fireEvent.click(screen.getByRole("button", { name: "Download proof" }));

describe("the proof of a month's income", () => {
  it("is saved for the chosen wallet and month, and says what the shares earned", async () => {
    const calls = answerApi({ "account/incomeProof": { body: fileWith([report], 77) } });
    open([second]);
    const month = monthsUntil(Date.now())[1] ?? "";
    fireEvent.change(screen.getByLabelText("Month (UTC)"), { target: { value: month } });
    fireEvent.change(screen.getByLabelText("Wallet"), { target: { value: second } });
    download();
    await screen.findByText("Sahel Solar: 1.234567 tUSD");
    expect(String(calls.mock.calls[0]?.[0])).toMatch(
      new RegExp(`account/incomeProof/${second}\\?month=${month}&chain_id=31337$`),
    );
    expect(vi.mocked(saveFile).mock.calls[0]?.[1]).toBe(`aqua-income-${second.toLowerCase()}-${month}.json`);
    expect(screen.getByText("1 report has no meter readings in the file.")).toBeTruthy();
    expect(screen.getByText("The month has not ended. The file goes up to block 77.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Check the file" }).getAttribute("href")).toContain("verify=file");
    // A result of another choice would be taken for that of this one.
    fireEvent.change(screen.getByLabelText("Wallet"), { target: { value: first } });
    expect(screen.queryByText("Sahel Solar: 1.234567 tUSD")).toBeNull();
  });

  it("is not saved without an income report", async () => {
    answerApi({ "account/incomeProof": { body: fileWith([]) } });
    open();
    download();
    await screen.findByText("No income report in this month for what you held. No file was saved.");
    expect(saveFile).not.toHaveBeenCalled();
  });

  it("shows that it is being collected, and afterwards whether the server failed or was not reached", async () => {
    let answer: (value: "unreachable" | { status: number; body: unknown }) => void = () => {};
    answerApi({
      "account/incomeProof": () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    open();
    download();
    await screen.findByText("Collecting readings and reports…");
    answer("unreachable");
    await waitFor(() => expect(screen.getByRole("alert").textContent).not.toBe(""));
    const offline = screen.getByRole("alert").textContent;
    download();
    await screen.findByText("Collecting readings and reports…");
    answer({ status: 500, body: { error_code: "internal_error", message: "no", request_id: "r" } });
    await screen.findByText("The file could not be loaded. Try again.");
    expect(screen.getByRole("alert").textContent).not.toBe(offline);
  });

  it("is not offered for time deposits, which no device pays", () => {
    open([], "wind");
    expect(screen.queryByRole("button")).toBeNull();
  });
});

it("the months to choose from end with the current one in UTC", () => {
  const months = monthsUntil(Date.UTC(2026, 0, 31, 23, 59));
  expect(months.slice(0, 3)).toEqual(["2026-01", "2025-12", "2025-11"]);
  expect(new Set(months).size).toBe(24);
});
