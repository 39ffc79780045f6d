import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(async () => {
  document.body.innerHTML = `
    <input id="text"><input type="radio" name="range" id="month"><input type="radio" name="range" id="year">
    <button id="first">1</button><button id="second">2</button>`;
  vi.resetModules();
  await vi.importActual("../../src/early.js");
});
afterEach(() => window.early?.end());

const field = (id: string) => document.getElementById(id) as HTMLInputElement;
const takeOver = (id: string) => Object.assign(field(id), { __reactFiber$1: {} });
function enter(id: string, value: string) {
  field(id).value = value;
  field(id).dispatchEvent(new Event("input", { bubbles: true }));
}
const kept = () => [...(window.early?.entered ?? [])].map(([{ id }, { value, checked }]) => [id, value, checked]);

it("keeps what a field was changed to last, and passes nothing half done on", () => {
  const listener = vi.fn();
  document.body.addEventListener("input", listener);
  enter("text", "a");
  enter("text", "ab");
  expect(kept()).toEqual([["text", "ab", false]]);
  expect(listener).not.toHaveBeenCalled();
});

it("forgets what was entered before a field could answer once more is entered there", () => {
  const listener = vi.fn();
  document.body.addEventListener("input", listener);
  enter("text", "ab");
  takeOver("text");
  enter("text", "abc");
  expect(kept()).toEqual([]);
  expect(listener).toHaveBeenCalledOnce();
});

it("keeps of a group of radio buttons the chosen one, until another can answer", () => {
  for (const id of ["month", "year"]) field(id).click();
  expect(kept()).toEqual([["year", "on", true]]);
  takeOver("month").click();
  expect(kept()).toEqual([]);
});

it("keeps the button pressed last, and leaves alone what can answer", () => {
  const pressed = vi.fn();
  for (const id of ["first", "second"]) field(id).addEventListener("click", pressed);
  field("first").click();
  field("second").click();
  expect(window.early?.pressed?.id).toBe("second");
  expect(pressed).not.toHaveBeenCalled();
  takeOver("first").click();
  expect(pressed).toHaveBeenCalledOnce();
});

it("lets everything through once it has ended", () => {
  const early = window.early;
  early?.end();
  enter("text", "a");
  expect(early?.entered.size).toBe(0);
  expect(window.early).toBeUndefined();
});
