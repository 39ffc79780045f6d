import { beforeEach, expect, it, vi } from "vitest";
import { changeLanguage } from "../../src/app/change-language.ts";
import { startApp } from "../../src/app/start.tsx";
import { activateLanguage, chooseLanguage, restoreLanguage } from "../../src/i18n/i18n.ts";
import { answerCalls, data } from "../account/harness.tsx";

vi.mock("../../src/i18n/i18n.ts", { spy: true });

const missing = new TypeError("Failed to fetch dynamically imported module");
const log = () => vi.mocked(console.error).mock.calls;

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  answerCalls({ "client/error": data({}) });
  document.body.innerHTML = '<div id="root"></div>';
});

it("an app that cannot start says so, offers a reload, and is logged by the server", async () => {
  vi.mocked(restoreLanguage).mockRejectedValueOnce(missing);
  await startApp();
  expect(document.body.textContent).toBe("Aqua could not be loaded. Reload");
  expect(log()).toEqual([[missing]]);
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledWith("/api/v2/client/error", expect.anything()));
});

it("a served page that arrived in part stays readable, with the same notice above it", async () => {
  document.body.innerHTML =
    '<div id="root">Products</div><script id="served-page" type="application/json">{"lang</script>';
  await startApp();
  expect(document.body.textContent).toMatch(/^Aqua could not be loaded\. ReloadProducts/);
  expect(log()).toEqual([[expect.any(SyntaxError)]]);
});

it("a language that cannot be loaded is logged", async () => {
  await activateLanguage("en-US");
  vi.mocked(chooseLanguage).mockRejectedValueOnce(missing);
  await changeLanguage("fr-FR");
  expect(log()).toEqual([[missing]]);
});
