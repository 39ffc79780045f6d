import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import Legal from "../src/features/about/legal.tsx";
import { activateLanguage } from "../src/i18n/i18n.ts";
import { answerApi, renderPage } from "./page-harness.tsx";

const text = { name: "privacy", language: "en-US", text: "A session: 30 days." };
const answers = { "legal/": { body: { data: text } } };
const notFound = { status: 404, body: { error_code: "not_found", message: "Not published", request_id: "r" } };
const open = (address = "/about") => renderPage(<Legal />, "/about", address);

const scroll = vi.fn();
// jsdom has no scrollIntoView.
beforeEach(() => {
  scroll.mockClear();
  Element.prototype.scrollIntoView = scroll;
});

describe("the operator's texts under /about", () => {
  it("have the anchors that the footer links to", () => {
    answerApi({});
    const { container } = open();
    expect([...container.querySelectorAll("section")].map(({ id }) => id)).toEqual([
      "terms",
      "privacy",
      "imprint",
      "contact",
    ]);
    expect(screen.getAllByRole("heading").map((one) => one.textContent)).toEqual([
      "Terms",
      "Privacy",
      "Imprint",
      "Contact and support",
    ]);
  });

  it("are asked for only once they are opened", async () => {
    const calls = answerApi(answers);
    const { container } = open();
    expect(calls).not.toHaveBeenCalled();
    const details = container.querySelector<HTMLDetailsElement>("#privacy details");
    if (details) {
      details.open = true;
      fireEvent(details, new Event("toggle"));
    }
    expect(await screen.findByText("A session: 30 days.")).toBeTruthy();
    expect(calls.mock.calls.map(([url]) => String(url))).toEqual([expect.stringContaining("legal/privacy?lang=en-US")]);
  });

  it("open when they are linked to", async () => {
    const calls = answerApi(answers);
    const { container } = open("/about#privacy");
    expect(await screen.findByText("A session: 30 days.")).toBeTruthy();
    expect(container.querySelectorAll("details[open]")).toHaveLength(1);
    expect(calls).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(scroll.mock.contexts.map((one) => (one as Element).id)).toEqual(["privacy"]));
  });

  it("say so when there is English only", async () => {
    answerApi(answers);
    await activateLanguage("fr-FR");
    open("/about#privacy");
    const shown = await screen.findByText("A session: 30 days.");
    expect(shown.closest("[lang]")?.getAttribute("lang")).toBe("en-US");
    expect(screen.getByText(/qu’en anglais/)).toBeTruthy();
    await activateLanguage("en-US");
  });

  it("say what the operator has not published, and what to do", async () => {
    answerApi({ "legal/": notFound });
    open("/about#imprint");
    expect(await screen.findByText("This site’s operator has not published this.")).toBeTruthy();
    expect(screen.getByText(/operator for it before you deposit/)).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("show a failure as a failure, with another try", async () => {
    let fails = true;
    answerApi({
      "legal/": () => (fails ? { status: 500, body: { error_code: "internal_error" } } : answers["legal/"]),
    });
    open("/about#terms");
    const retry = await screen.findByRole("button", { name: "Retry" });
    fails = false;
    fireEvent.click(retry);
    await waitFor(() => expect(screen.getByText("A session: 30 days.")).toBeTruthy());
  });
});
