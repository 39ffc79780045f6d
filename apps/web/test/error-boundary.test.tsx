import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { isMissingChunk, PageErrorBoundary } from "../src/app/error-boundary.tsx";

let failure: Error | null = null;
function Page() {
  if (failure) throw failure;
  return <h1>Still here</h1>;
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

describe("a page that breaks", () => {
  it("is shown again by Retry once the cause has gone", () => {
    failure = new Error("boom");
    render(
      <PageErrorBoundary>
        <Page />
      </PageErrorBoundary>,
    );
    expect(screen.getByText("This page has stopped working")).toBeTruthy();
    failure = null;
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(screen.getByRole("heading", { name: "Still here" })).toBeTruthy();
  });

  it("asks for the data anew by Retry, since an answer that broke the page would break it again", () => {
    failure = new Error("boom");
    const forget = vi.fn(() => {
      failure = null;
    });
    render(
      <PageErrorBoundary onRetry={forget}>
        <Page />
      </PageErrorBoundary>,
    );
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(forget).toHaveBeenCalledOnce();
    expect(screen.getByRole("heading", { name: "Still here" })).toBeTruthy();
  });

  it("offers a reload, and no useless Retry, when its code is gone", () => {
    failure = new TypeError("Failed to fetch dynamically imported module: /assets/page-1.js");
    render(
      <PageErrorBoundary>
        <Page />
      </PageErrorBoundary>,
    );
    expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  });

  it("knows the words of each browser for code that is gone", () => {
    for (const message of [
      "Failed to fetch dynamically imported module: https://x/assets/a.js",
      "Importing a module script failed.",
      "error loading dynamically imported module: https://x/assets/a.js",
    ])
      expect(isMissingChunk(new TypeError(message))).toBe(true);
    expect(isMissingChunk(new TypeError("Failed to fetch"))).toBe(false);
    expect(isMissingChunk(null)).toBe(false);
  });
});
