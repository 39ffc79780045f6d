import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Header } from "../../src/app/header.tsx";
import { reportError } from "../../src/report-error.ts";
import { Toaster } from "../../src/ui/toast.tsx";
import { stubMedia } from "../media.ts";
import { answerApi, list } from "../page-harness.tsx";

vi.mock("../../src/report-error.ts");
const code = vi.hoisted(() => ({ reachable: false }));
vi.mock("../../src/app/drawer.tsx", async (original) => {
  if (!code.reachable) throw new TypeError("Failed to fetch");
  return original();
});

beforeEach(() => stubMedia());
afterEach(() => vi.unstubAllGlobals());

it("the menu button shows and reports that the menu could not be loaded, and opens it at the next press", async () => {
  answerApi({ "product/list": list([]) });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Header onIntent={() => undefined} />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const menu = screen.getByRole("button", { name: "Open menu" });
  fireEvent.click(menu);
  await screen.findByText("This could not be loaded");
  expect(reportError).toHaveBeenCalledWith(
    "page",
    expect.objectContaining({ cause: new TypeError("Failed to fetch") }),
  );
  code.reachable = true;
  fireEvent.click(menu);
  await screen.findByRole("dialog", { name: "Menu" });
});
