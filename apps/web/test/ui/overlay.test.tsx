import { act, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Dialog, Sheet } from "../../src/ui/dialog.tsx";
import { Disclosure } from "../../src/ui/disclosure.tsx";

let root: HTMLElement;
beforeEach(() => {
  root = document.createElement("div");
  root.id = "root";
  document.body.append(root);
});
afterEach(() => root.remove());

function Example({ kind: Kind = Dialog }: { kind?: typeof Dialog }) {
  const [open, setOpen] = useState(false);
  const [above, setAbove] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Kind open={open} onClose={() => setOpen(false)} title="Withdraw 250 tUSD">
        <input aria-label="Note" data-autofocus />
        <Disclosure button="More">{() => <p>Details</p>}</Disclosure>
        <button type="button" onClick={() => setAbove(true)}>
          Above
        </button>
      </Kind>
      <Dialog open={above} onClose={() => setAbove(false)} title="Above the first">
        <button type="button">Inside</button>
      </Dialog>
    </>
  );
}

function openExample(kind?: typeof Dialog) {
  render(<Example {...(kind && { kind })} />, { container: root });
  const opener = screen.getByRole("button", { name: "Open" });
  opener.focus();
  fireEvent.click(opener);
  return opener;
}
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const dialog = (name: string) => screen.queryByRole("dialog", { name });

describe.each([
  ["dialog", Dialog],
  ["sheet", Sheet],
])("a %s", (_, kind) => {
  it("has its title as name, is modal, and takes the focus at the requested element", () => {
    openExample(kind);
    expect(dialog("Withdraw 250 tUSD")?.getAttribute("aria-modal")).toBe("true");
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Note" }));
  });

  it("is painted before the page behind it is inert, which takes long on a large page", async () => {
    openExample(kind);
    const inert: boolean[] = [];
    requestAnimationFrame(() => inert.push(root.hasAttribute("inert")));
    await vi.waitFor(() => expect(root.hasAttribute("inert")).toBe(true));
    expect(inert).toEqual([false]);
  });

  it("leaves the page usable when it closes before it was painted", async () => {
    openExample(kind);
    press("Escape");
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 5)));
    expect(root.hasAttribute("inert")).toBe(false);
  });

  it("makes the page behind it inert and unscrollable, and restores it", async () => {
    openExample(kind);
    await vi.waitFor(() => expect(root.hasAttribute("inert")).toBe(true));
    expect(document.documentElement.style.overflow).toBe("hidden");
    press("Escape");
    expect(root.hasAttribute("inert")).toBe(false);
    expect(document.documentElement.style.overflow).toBe("");
  });

  it.each([
    ["Escape", () => press("Escape")],
    ["the cross", () => fireEvent.click(screen.getByRole("button", { name: "Close" }))],
    ["a press on the backdrop", () => fireEvent.click(document.querySelector(".bg-scrim > button") as HTMLElement)],
  ])("closes with %s and returns the focus", (_name, close) => {
    const opener = openExample(kind);
    close();
    expect(dialog("Withdraw 250 tUSD")).toBeNull();
    expect(document.activeElement).toBe(opener);
  });
});

describe("overlays", () => {
  it("close with Escape from the moment they are in the page, before the browser has painted them", async () => {
    const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined };
    const { IS_REACT_ACT_ENVIRONMENT: before } = environment;
    // Within act, React runs updates at once. Updates after a network response do not run at once.
    environment.IS_REACT_ACT_ENVIRONMENT = false;
    onTestFinished(() => {
      environment.IS_REACT_ACT_ENVIRONMENT = before;
    });
    const onClose = vi.fn();
    const app = createRoot(root);
    const observer = new MutationObserver(() => {
      if (dialog("From the network")) fireEvent.keyDown(document.body, { key: "Escape" });
    });
    observer.observe(document.body, { childList: true });
    onTestFinished(() => {
      observer.disconnect();
      app.unmount();
    });
    app.render(
      <Dialog open onClose={onClose} title="From the network">
        Text
      </Dialog>,
    );
    await vi.waitFor(() => expect(dialog("From the network")).not.toBeNull());
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it("close with Escape when something else took the focus before the page behind was inert", () => {
    const opener = openExample();
    opener.focus();
    press("Escape");
    expect(dialog("Withdraw 250 tUSD")).toBeNull();
  });

  it("close with Escape when the focused element was removed", () => {
    openExample();
    (document.activeElement as HTMLElement).blur();
    expect(document.activeElement).toBe(document.body);
    press("Escape");
    expect(dialog("Withdraw 250 tUSD")).toBeNull();
  });

  it("ignore Escape while an input method is composing", () => {
    openExample();
    fireEvent.keyDown(document.activeElement as HTMLElement, { key: "Escape", isComposing: true });
    expect(dialog("Withdraw 250 tUSD")).not.toBeNull();
  });

  it("ignore Escape in another library's dialog that has the focus", () => {
    openExample();
    const foreign = document.createElement("button");
    document.body.append(foreign);
    foreign.focus();
    press("Escape");
    expect(dialog("Withdraw 250 tUSD")).not.toBeNull();
    foreign.remove();
  });

  it("stack: the lower one is inert, Escape closes only the upper one, focus returns step by step", async () => {
    const opener = openExample();
    const step = screen.getByRole("button", { name: "Above" });
    step.focus();
    fireEvent.click(step);
    await vi.waitFor(() => expect(step.closest("[inert]")).not.toBeNull());
    expect(dialog("Above the first")?.closest("[inert]")).toBeNull();
    press("Escape");
    expect(dialog("Above the first")).toBeNull();
    expect(root.hasAttribute("inert")).toBe(true);
    expect(step.closest("[inert]")).toBeNull();
    expect(document.activeElement).toBe(step);
    press("Escape");
    expect(document.activeElement).toBe(opener);
  });

  it("return the focus to another library's dialog below them when their opener is gone", () => {
    const other = document.createElement("div");
    other.innerHTML = '<div role="dialog"><div role="document" tabindex="-1"><button>Choose</button></div></div>';
    document.body.append(other);
    render(<Example />, { container: root });
    other.querySelector("button")?.focus();
    fireEvent.click(screen.getByRole("button", { name: "Open" }));
    other.querySelector("button")?.remove();
    press("Escape");
    expect(document.activeElement).toBe(other.querySelector("[role=document]"));
    other.remove();
  });

  it("stay open when Escape closes a disclosure inside them", () => {
    openExample();
    const more = screen.getByRole("button", { name: "More" });
    more.focus();
    fireEvent.click(more);
    expect(screen.getByText("Details")).toBeTruthy();
    press("Escape");
    expect(screen.queryByText("Details")).toBeNull();
    expect(dialog("Withdraw 250 tUSD")).not.toBeNull();
  });
});

describe("a disclosure", () => {
  function openDisclosure() {
    render(
      <>
        <Disclosure button="More">
          {(close) => (
            <button type="button" onClick={close}>
              Done
            </button>
          )}
        </Disclosure>
        <button type="button">After</button>
      </>,
      { container: root },
    );
    const button = screen.getByRole("button", { name: "More" });
    button.focus();
    fireEvent.click(button);
    return button;
  }

  it("exposes whether it is open and what it controls", () => {
    const button = openDisclosure();
    expect(button.getAttribute("aria-expanded")).toBe("true");
    const panel = document.getElementById(button.getAttribute("aria-controls") ?? "");
    expect(panel?.contains(screen.getByText("Done"))).toBe(true);
    fireEvent.click(button);
    expect(button.getAttribute("aria-expanded")).toBe("false");
    expect(button.hasAttribute("aria-controls")).toBe(false);
  });

  it.each([
    ["Escape", () => press("Escape"), true],
    ["its own way out", () => fireEvent.click(screen.getByText("Done")), true],
    ["a press outside", () => fireEvent.pointerDown(document.body), false],
    ["focus that leaves", () => act(() => screen.getByText("After").focus()), false],
  ])("closes with %s", (_, close, focusReturns) => {
    const button = openDisclosure();
    close();
    expect(screen.queryByText("Done")).toBeNull();
    if (focusReturns) expect(document.activeElement).toBe(button);
  });
});
