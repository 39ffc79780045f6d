import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { ActionAside, ActionSheet } from "../../src/features/product/action.tsx";
import ActionPanel from "../../src/features/transact/demand/action-panel.tsx";
import TimePanel from "../../src/features/transact/term/time-panel.tsx";
import { activateLanguage, loadTexts, useLanguage } from "../../src/i18n/i18n.ts";
import { answerApi, renderPage } from "../page-harness.tsx";
import { aProduct } from "./product.ts";
import { anOffer, aTimeProduct } from "./time-product.ts";

const network = { body: { data: { version: "0", chains: [], faucet: false, walletconnect_project_id: null } } };
const amount = (name: string) => screen.getByLabelText(name) as HTMLInputElement;
const type = (field: HTMLInputElement, value: string) => fireEvent.change(field, { target: { value } });
const go = (tab: string) => fireEvent.click(screen.getByRole("tab", { name: tab }));

beforeEach(async () => {
  answerApi({ network });
  await loadTexts("transact", "wallet", "product");
});

describe("the text typed in a panel", () => {
  it("survives a change of tabs", () => {
    renderPage(<ActionPanel product={aProduct()} />, "/", "/");
    type(amount("Amount to deposit"), "12.5");
    go("Withdraw");
    type(amount("Amount to withdraw"), "7");
    go("Deposit");
    expect(amount("Amount to deposit").value).toBe("12.5");
    go("Withdraw");
    expect(amount("Amount to withdraw").value).toBe("7");
  });

  it("survives a visit to My Deposits, with the chosen term", () => {
    const longer = { ...anOffer, term_id: 1, value: 180 };
    renderPage(<TimePanel product={aTimeProduct({ terms: [anOffer, longer] })} />, "/", "/");
    type(amount("Amount to deposit"), "12.5");
    fireEvent.click(screen.getByRole("radio", { name: /180 days/ }));
    go("My deposits");
    go("Deposit");
    expect(amount("Amount to deposit").value).toBe("12.5");
    expect((screen.getByRole("radio", { name: /180 days/ }) as HTMLInputElement).checked).toBe(true);
  });

  it.each(["demand", "time"])("survives a reload, and belongs to no other product: %s", (kind) => {
    const panelOf = (short_id: string) =>
      kind === "time" ? (
        <TimePanel product={{ ...aTimeProduct(), short_id }} />
      ) : (
        <ActionPanel product={{ ...aProduct(), short_id }} />
      );
    renderPage(panelOf("one"), "/", "/");
    type(amount("Amount to deposit"), "12.5");
    cleanup();
    renderPage(panelOf("one"), "/", "/");
    expect(amount("Amount to deposit").value).toBe("12.5");
    cleanup();
    renderPage(panelOf("two"), "/", "/");
    expect(amount("Amount to deposit").value).toBe("");
    cleanup();
    sessionStorage.setItem("aqua.draft.one", "{");
    renderPage(panelOf("one"), "/", "/");
    expect(amount("Amount to deposit").value).toBe("");
  });

  it("is expected as a number of the language", async () => {
    renderPage(<ActionPanel product={aProduct()} />, "/", "/");
    expect(amount("Amount to deposit").placeholder).toBe("0.00");
    cleanup();
    await act(() => activateLanguage("fr-FR"));
    renderPage(<ActionPanel product={aProduct()} />, "/", "/");
    expect(screen.getByRole<HTMLInputElement>("textbox").placeholder).toBe("0,00");
    await act(() => activateLanguage("en-US"));
  });

  it.each(["demand", "time"])("is the same amount after a change of language: %s", async (kind) => {
    function Page() {
      useLanguage();
      return <ActionAside product={kind === "time" ? aTimeProduct() : aProduct()} />;
    }
    renderPage(<Page />, "/", "/");
    const field = (await screen.findByLabelText("Amount to deposit")) as HTMLInputElement;
    type(field, "1,000.5");
    await act(() => activateLanguage("fr-FR"));
    expect(field.isConnected).toBe(true);
    expect(field.value.replace(/\s/g, " ")).toBe("1 000,50");
    await act(() => activateLanguage("en-US"));
    expect(field.value).toBe("1,000.5");
  });

  it("survives closing and opening a phone's sheet", async () => {
    renderPage(<ActionSheet product={aProduct()} />, "/", "/");
    fireEvent.click(screen.getByRole("button", { name: "Deposit or withdraw" }));
    type((await screen.findByLabelText("Amount to deposit")) as HTMLInputElement, "12.5");
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Deposit or withdraw" }));
    expect(screen.getByRole("dialog")).toBeTruthy();
    expect(amount("Amount to deposit").value).toBe("12.5");
  });
});
