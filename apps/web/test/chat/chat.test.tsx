import { QueryClient } from "@tanstack/react-query";
import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryKeys } from "../../src/features/query-keys.ts";
import { stubMedia } from "../media.ts";
import { answerApi, list } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";
import { appears, pass, renderLauncher } from "./harness.tsx";

const open = makeProduct({ short_id: "hydro", name: "Alpine Hydro" });
const closed = makeProduct({ short_id: "old", name: "Old Mill", status: "closed" });
const demoAnswer = /demo version and cannot provide real help/;

beforeEach(() => {
  vi.useFakeTimers();
  stubMedia("pointer: fine");
  answerApi({ "product/list": list([closed, open]) });
});
afterEach(() => {
  document.getElementById("root")?.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const launcher = () => screen.getByRole("button", { name: "AQUA MIND", hidden: true });
const input = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Your message" });
const sendButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Send" });
const chip = (name: string | RegExp) => screen.getByRole("button", { name });
const log = () => screen.getByRole("log");
const sent = (sender: "user" | "ai") => [...log().querySelectorAll(`[data-sender=${sender}] > p`)];

async function openChat(...parameters: Parameters<typeof renderLauncher>) {
  const view = renderLauncher(...parameters);
  launcher().focus();
  fireEvent.click(launcher());
  await appears(() => screen.getByRole("dialog"));
  return view;
}

function write(text: string) {
  fireEvent.change(input(), { target: { value: text } });
}

it("Chat shows typed markup and the names of products literally", async () => {
  const markup = '<img src="x" onerror="alert(1)"><a href="https://evil.example">log in</a>';
  answerApi({ "product/list": list([makeProduct({ short_id: "hydro", name: markup })]) });
  await openChat();
  write(markup);
  fireEvent.click(sendButton());
  await pass(2_000);
  expect(sent("user").map(({ textContent }) => textContent)).toEqual([`You: ${markup}`]);
  expect(log().querySelector("img, a[href*=evil], script")).toBeNull();
});

describe("chat launcher", () => {
  it("turns its pulse on and off every 2000 ms", async () => {
    renderLauncher();
    expect(launcher().dataset.pulse).toBe("false");
    await pass(1999);
    expect(launcher().dataset.pulse).toBe("false");
    await pass(1);
    expect(launcher().dataset.pulse).toBe("true");
    await pass(2000);
    expect(launcher().dataset.pulse).toBe("false");
  });

  it("does not pulse with reduced motion", async () => {
    stubMedia("prefers-reduced-motion");
    renderLauncher();
    await pass(2000);
    expect(launcher().dataset.pulse).toBe("false");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("calls no API before it is opened", async () => {
    renderLauncher();
    await pass(5000);
    expect(fetch).not.toHaveBeenCalled();
  });

  it("stops its timer when it is unmounted", () => {
    const { unmount } = renderLauncher();
    expect(vi.getTimerCount()).toBe(1);
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is above the deposit bar on the product page only", () => {
    const bottom = () => launcher().closest("[class*=--gap]:not([class*=fixed])")?.className;
    const { unmount } = renderLauncher("/product/hydro");
    expect(bottom()).toContain("88px");
    unmount();
    document.getElementById("root")?.remove();
    renderLauncher("/products");
    expect(bottom()).not.toContain("88px");
  });
});

describe("chat panel", () => {
  it("takes focus, keeps it from the page behind and returns it on close", async () => {
    const { root } = await openChat();
    expect(launcher().getAttribute("aria-expanded")).toBe("true");
    expect(document.activeElement).toBe(input());
    await vi.waitFor(() => expect(root.hasAttribute("inert")).toBe(true));
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(root.hasAttribute("inert")).toBe(false);
    expect(document.activeElement).toBe(launcher());
  });

  it("focuses the launcher also in browsers that do not focus a pressed button", async () => {
    renderLauncher();
    fireEvent.click(launcher());
    await appears(() => screen.getByRole("dialog"));
    fireEvent.click(screen.getByTestId("backdrop"));
    expect(document.activeElement).toBe(launcher());
  });

  it("opens no phone keyboard: on touch devices the panel itself takes focus", async () => {
    stubMedia();
    await openChat();
    expect(document.activeElement).toBe(screen.getByRole("dialog"));
  });

  it("closes with Escape, but not with the Escape that ends a composition", async () => {
    await openChat();
    fireEvent.keyDown(input(), { key: "Escape", isComposing: true });
    expect(screen.queryByRole("dialog")).not.toBeNull();
    fireEvent.keyDown(input(), { key: "Escape" });
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(launcher());
  });

  it("closes with a press on the overlay", async () => {
    await openChat();
    fireEvent.click(screen.getByTestId("backdrop"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("states that its figures are samples", async () => {
    await openChat();
    expect(screen.getByRole("dialog").textContent).toContain("sample figures");
  });

  it("announces messages politely", async () => {
    await openChat();
    expect(log().getAttribute("aria-live")).toBe("polite");
  });

  it("keeps the conversation while closed", async () => {
    await openChat();
    fireEvent.click(chip("My Position"));
    await pass(1000);
    fireEvent.keyDown(input(), { key: "Escape" });
    fireEvent.click(launcher());
    await pass(0);
    expect(sent("user")).toHaveLength(1);
    expect(sent("ai")).toHaveLength(1);
  });
});

describe("chat input", () => {
  it("refuses blank and whitespace-only text", async () => {
    await openChat();
    for (const blank of ["", " ", "\n\t  "]) {
      write(blank);
      expect(sendButton().disabled).toBe(true);
      fireEvent.keyDown(input(), { key: "Enter" });
      fireEvent.submit(input().form as HTMLFormElement);
    }
    expect(sent("user")).toHaveLength(0);
    write("a");
    expect(sendButton().disabled).toBe(false);
  });

  it("sends with Enter, once", async () => {
    await openChat();
    write("  Hello  ");
    expect(fireEvent.keyDown(input(), { key: "Enter" })).toBe(false);
    fireEvent.keyDown(input(), { key: "Enter", repeat: true });
    expect(sent("user").map((message) => message.textContent)).toEqual(["You: Hello"]);
    expect(input().value).toBe("");
  });

  it("inserts a line break on Shift+Enter", async () => {
    await openChat();
    write("Hello");
    expect(fireEvent.keyDown(input(), { key: "Enter", shiftKey: true })).toBe(true);
    expect(sent("user")).toHaveLength(0);
    expect(input().value).toBe("Hello");
  });

  it("ignores Enter while an input method is composing", async () => {
    await openChat();
    write("ni hao");
    fireEvent.keyDown(input(), { key: "Enter", isComposing: true });
    fireEvent.keyDown(input(), { key: "Enter", keyCode: 229 });
    expect(sent("user")).toHaveLength(0);
  });

  it("sends with the button and keeps focus in the panel", async () => {
    await openChat();
    write("Hello");
    sendButton().focus();
    fireEvent.click(sendButton());
    fireEvent.click(sendButton());
    expect(sent("user")).toHaveLength(1);
    expect(document.activeElement).toBe(input());
  });
});

describe("chat answers", () => {
  it("arrive after 1000 ms, with a text indicator until then", async () => {
    await openChat();
    write("Help me");
    fireEvent.keyDown(input(), { key: "Enter" });
    expect(log().textContent).toContain("AQUA MIND is typing…");
    await pass(999);
    expect(sent("ai")).toHaveLength(0);
    await pass(1);
    expect(sent("ai")[0]?.textContent).toMatch(demoAnswer);
    expect(log().textContent).not.toContain("is typing");
  });

  it("describe the first open product", async () => {
    await openChat();
    await appears(() => chip("What is Alpine Hydro"));
    fireEvent.click(chip("What is Alpine Hydro"));
    await pass(1000);
    expect(sent("user")[0]?.textContent).toBe("You: What is Alpine Hydro");
    expect(sent("ai")[0]?.textContent).toContain("Alpine Hydro is a deposit product");
  });

  it("describe the product whose page is shown", async () => {
    await openChat("/performance/old");
    await appears(() => chip("Mint my Old Mill asset"));
  });

  it("use the product's name from its page while the list is unknown", async () => {
    answerApi({ "product/list": "unreachable" });
    const queries = new QueryClient();
    queries.setQueryData(
      [...queryKeys.product("far"), "detail", "en-US"],
      makeProduct({ short_id: "far", name: "Far Wind" }),
    );
    await openChat("/product/far", queries);
    chip("What is Far Wind");
  });

  it("name the product Aqua while none is known", async () => {
    answerApi({ "product/list": "unreachable" });
    await openChat();
    await pass(100);
    chip("Mint my Aqua asset");
    fireEvent.click(chip("What is Aqua"));
    await pass(1000);
    expect(sent("ai")[0]?.textContent).toContain("Aqua is open-source software");
  });

  it("give a sample position whose figures add up, and say it is a sample", async () => {
    await openChat();
    fireEvent.click(chip("My Position"));
    await pass(1000);
    const text = sent("ai")[0]?.textContent ?? "";
    expect(text).toContain("Sample figures");
    expect(text).toContain("not your money");
    const figure = (name: string) =>
      Number(new RegExp(`${name}: \\+?([\\d,.]+) USD`).exec(text)?.[1]?.replace(",", ""));
    expect(figure("Deposited")).toBe(10000);
    expect(figure("Value now") - figure("Deposited")).toBe(figure("Earned"));
    expect(text).toContain("(+3.50%)");
    expect(figure("Earned") / figure("Deposited")).toBe(0.035);
  });

  it("ask for a wallet before minting", async () => {
    await openChat();
    fireEvent.click(chip(/^Mint my /));
    await pass(1000);
    expect(sent("ai")[0]?.textContent).toContain("connect a wallet first");
  });

  it("treat a typed prompt like the prompt", async () => {
    await openChat();
    write("my  position ");
    fireEvent.keyDown(input(), { key: "Enter" });
    await pass(1000);
    expect(sent("ai")[0]?.textContent).toContain("Sample figures");
  });

  it("come once for a prompt pressed twice", async () => {
    await openChat();
    fireEvent.click(chip("My Position"));
    expect(chip("My Position").getAttribute("aria-disabled")).toBe("true");
    fireEvent.click(chip("My Position"));
    await pass(5000);
    expect(sent("user")).toHaveLength(1);
    expect(sent("ai")).toHaveLength(1);
    expect(chip("My Position").hasAttribute("aria-disabled")).toBe(false);
  });

  it("come for each of two consecutive messages, in order", async () => {
    await openChat();
    for (const text of ["First", "My Position"]) {
      write(text);
      fireEvent.keyDown(input(), { key: "Enter" });
      await pass(400);
    }
    await pass(2000);
    const answers = sent("ai").map((message) => message.textContent);
    expect(answers).toHaveLength(2);
    expect(answers[0]).toMatch(demoAnswer);
    expect(answers[1]).toContain("Sample figures");
  });

  it("arrive also when the panel was closed meanwhile", async () => {
    await openChat();
    fireEvent.click(chip("My Position"));
    fireEvent.keyDown(input(), { key: "Escape" });
    await pass(1000);
    fireEvent.click(launcher());
    await pass(0);
    expect(sent("ai")).toHaveLength(1);
    expect(log().textContent).not.toContain("is typing");
  });

  it("are cancelled with their timers on unmount", async () => {
    const { unmount } = await openChat();
    const set = vi.spyOn(window, "setTimeout");
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    fireEvent.click(chip("My Position"));
    const reply = set.mock.results[set.mock.calls.findIndex(([, delay]) => delay === 1000)]?.value;
    expect(reply).toBeDefined();
    unmount();
    expect(cleared).toHaveBeenCalledWith(reply);
  });
});

describe("chat list", () => {
  /** Simulates a list of 1000 px in a viewport of 200 px, because jsdom has no layout. */
  function layOut(height = 1000) {
    Object.defineProperty(log(), "clientHeight", { configurable: true, value: 200 });
    Object.defineProperty(log(), "scrollHeight", { configurable: true, value: height });
  }
  function scrollTo(top: number) {
    log().scrollTop = top;
    fireEvent.scroll(log());
  }
  const newest = () => screen.queryByRole("button", { name: "Newest message" });

  it("follows the newest message", async () => {
    await openChat();
    layOut();
    fireEvent.click(chip("My Position"));
    expect(log().scrollTop).toBe(1000);
    layOut(1400);
    await pass(1000);
    expect(log().scrollTop).toBe(1400);
  });

  it("stays where the reader has scrolled to and offers to go to the newest", async () => {
    await openChat();
    fireEvent.click(chip("My Position"));
    layOut();
    scrollTo(100);
    expect(newest()).toBeNull();
    await pass(1000);
    expect(log().scrollTop).toBe(100);
    fireEvent.click(newest() as HTMLElement);
    expect(log().scrollTop).toBe(1000);
    expect(newest()).toBeNull();
    expect(document.activeElement).toBe(log());
  });

  it("follows again once the reader is back at the end, or writes", async () => {
    await openChat();
    fireEvent.click(chip("My Position"));
    layOut();
    scrollTo(100);
    await pass(1000);
    scrollTo(790);
    expect(newest()).toBeNull();
    scrollTo(100);
    write("Hello");
    act(() => void fireEvent.keyDown(input(), { key: "Enter" }));
    expect(log().scrollTop).toBe(1000);
  });

  it("shows who wrote each message, and when", async () => {
    vi.setSystemTime(new Date("2026-03-01T10:00:00Z"));
    await openChat();
    fireEvent.click(chip("My Position"));
    await pass(1000);
    const times = within(log()).getAllByText(/\d:\d\d/, { selector: "time" });
    const [asked, answered] = times.map((time) => Date.parse(time.getAttribute("datetime") ?? ""));
    expect(sent("user")[0]?.textContent).toMatch(/^You: /);
    expect(sent("ai")[0]?.textContent).toMatch(/^AQUA MIND: /);
    expect((answered ?? 0) - (asked ?? 0)).toBe(1000);
  });
});
