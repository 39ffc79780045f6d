import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toaster, toast } from "../../src/ui/toast.tsx";

const kept = 1_000_000;

async function pass(milliseconds: number) {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

/** The page with its toast area, a button and a first message, all loaded. */
async function show(...titles: string[]) {
  const root = document.createElement("div");
  root.id = "root";
  document.body.append(root);
  const view = render(
    <>
      <button type="button">Elsewhere</button>
      <Toaster />
    </>,
    { container: root },
  );
  await vi.importActual("../../src/ui/toast-region.tsx");
  for (const title of titles) await act(async () => toast({ title }));
  await pass(0);
  return view;
}

const region = () => screen.getByRole("region", { name: "Notifications (F8)" });
const shown = () => [...region().querySelectorAll("li")].map((item) => item.textContent);
const item = () => region().querySelector("li") as HTMLElement;

beforeEach(() => {
  vi.useFakeTimers();
  // jsdom has no pointer capture.
  HTMLElement.prototype.setPointerCapture ??= () => undefined;
  HTMLElement.prototype.hasPointerCapture ??= () => true;
  HTMLElement.prototype.releasePointerCapture ??= () => undefined;
});
afterEach(async () => {
  await pass(5_000 + kept + 1);
  vi.useRealTimers();
  document.getElementById("root")?.remove();
});

describe("toast", () => {
  it("closes after 5 000 ms", async () => {
    await show("Copy Success");
    await pass(4_999);
    expect(shown()).toEqual(["Copy Success"]);
    await pass(1);
    expect(shown()).toEqual([]);
  });

  it("shows one message at a time: the newest replaces the older, for its full duration", async () => {
    await show("First");
    await pass(3_000);
    await act(async () => toast({ title: "Second" }));
    expect(shown()).toEqual(["Second"]);
    await pass(4_999);
    expect(shown()).toEqual(["Second"]);
    await pass(1);
    expect(shown()).toEqual([]);
  });

  it("pauses while the pointer rests on it, and continues afterwards", async () => {
    await show("Hovered");
    await pass(4_000);
    fireEvent.pointerMove(region());
    await pass(60_000);
    expect(shown()).toEqual(["Hovered"]);
    fireEvent.pointerLeave(region());
    await pass(999);
    expect(shown()).toEqual(["Hovered"]);
    await pass(1);
    expect(shown()).toEqual([]);
  });

  it("takes the focus with F8, pauses while focused, and returns the focus when dismissed", async () => {
    await show("Focused");
    const elsewhere = screen.getByRole("button", { name: "Elsewhere" });
    elsewhere.focus();
    fireEvent.keyDown(document, { key: "F8", code: "F8" });
    expect(region().contains(document.activeElement)).toBe(true);
    await pass(60_000);
    expect(shown()).toEqual(["Focused"]);
    const dismiss = within(region()).getByRole("button", { name: "Dismiss" });
    dismiss.focus();
    fireEvent.click(dismiss);
    await pass(0);
    expect(shown()).toEqual([]);
    expect(document.activeElement).toBe(elsewhere);
  });

  it.each([
    { distance: 50, goes: false },
    { distance: 51, goes: true },
  ])("is dismissed by a swipe beyond 50 pixels: $distance", async ({ distance, goes }) => {
    await show("Swiped");
    const pointer = { button: 0, pointerId: 1, pointerType: "touch", clientY: 0 };
    fireEvent.pointerDown(item(), { ...pointer, clientX: 0 });
    // The first movements distinguish a swipe from a press.
    for (const clientX of [12, 30, distance]) fireEvent.pointerMove(item(), { ...pointer, clientX });
    fireEvent.pointerUp(item(), { ...pointer, clientX: distance });
    await pass(0);
    expect(shown()).toEqual(goes ? [] : ["Swiped"]);
  });

  it("deletes a dismissed message after 1 000 000 ms and not before", async () => {
    await show("Kept");
    await pass(5_000);
    expect(shown()).toEqual([]);
    await pass(kept - 1);
    expect(screen.queryByRole("region", { name: "Notifications (F8)" })).not.toBeNull();
    await pass(1);
    expect(screen.queryByRole("region", { name: "Notifications (F8)" })).toBeNull();
  });

  it("is not deleted early when it followed a dismissed one", async () => {
    await show("Old");
    await pass(5_000);
    await pass(kept - 1_000);
    await act(async () => toast({ title: "New" }));
    await pass(2_000);
    expect(shown()).toEqual(["New"]);
  });

  it("is outside the page, which a dialog makes inert", async () => {
    await show("Outside");
    expect(document.getElementById("root")?.contains(region())).toBe(false);
  });
});
