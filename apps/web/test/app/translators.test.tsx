import { act, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tolerateTranslators } from "../../src/app/tolerate-translators.ts";
import { Button } from "../../src/ui/button.tsx";

const { removeChild, insertBefore } = Node.prototype;
beforeAll(tolerateTranslators);
afterAll(() => void Object.assign(Node.prototype, { removeChild, insertBefore }));

function Page() {
  const [count, setCount] = useState(0);
  return (
    <button type="button" onClick={() => setCount((now) => now + 1)}>
      {count % 2 === 1 && <b>odd</b>}
      Counted
      {count > 1 && " twice"}
      {count !== 1 && <i>not one</i>}
    </button>
  );
}

/** Imitates browser translators: they move a text into a font element, or replace it with a copy. */
function translate(how: "moved" | "copied") {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const font = document.createElement("font");
    text.parentNode?.replaceChild(font, text);
    if (how === "moved") font.append(text);
    else font.append(text.textContent ?? "");
  }
}

it.each(["moved", "copied"] as const)("a page whose texts a translator has %s still works when pressed", (how) => {
  render(<Page />);
  for (let press = 0; press < 4; press += 1) {
    translate(how);
    fireEvent.click(screen.getByText(/Counted/));
  }
  expect(document.body.textContent).toContain("Counted");
  if (how === "moved") expect(document.body.textContent).toBe("Counted twicenot one");
});

it("a button shows its spinner and its next text when a translator has wrapped the former one", async () => {
  function Pressed() {
    const [busy, setBusy] = useState(false);
    return (
      <Button busy={busy} onClick={() => setBusy(true)}>
        {busy ? "Sending" : "Send"}
      </Button>
    );
  }
  render(<Pressed />);
  translate("copied");
  act(() => fireEvent.click(screen.getByRole("button")));
  expect(screen.getByRole("button", { name: "Sending" }).getAttribute("aria-busy")).toBe("true");
});

it("removing a node from an element that is not its parent fails as before", () => {
  expect(() => document.body.removeChild(document.createElement("p"))).toThrow();
  const apart = document.createElement("p");
  expect(() => document.body.insertBefore(document.createElement("p"), apart)).toThrow();
});
