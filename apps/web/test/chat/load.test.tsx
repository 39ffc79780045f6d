import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { reportError } from "../../src/report-error.ts";
import { Toaster } from "../../src/ui/toast.tsx";
import { answerApi, list } from "../page-harness.tsx";
import { texts } from "../unreachable-texts.ts";
import { renderLauncher } from "./harness.tsx";

vi.mock("../../src/report-error.ts");
vi.mock("../../src/i18n/i18n.ts", async (original) =>
  (await import("../unreachable-texts.ts")).withoutTexts("chat", original),
);

afterEach(() => {
  document.getElementById("root")?.remove();
  vi.unstubAllGlobals();
});

it("the launcher shows and logs that the chat could not be loaded, the page stays, and the next press retries", async () => {
  answerApi({ "product/list": list([]) });
  render(<Toaster />);
  renderLauncher();
  const launcher = screen.getByRole("button", { name: "AQUA MIND" });
  fireEvent.click(launcher);
  await screen.findByText("This could not be loaded");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(reportError).toHaveBeenCalledWith("chat", new TypeError("Failed to fetch"));
  texts.reachable = true;
  await waitFor(() => expect(launcher.hasAttribute("aria-busy")).toBe(false));
  fireEvent.click(launcher);
  await screen.findByRole("dialog");
});
