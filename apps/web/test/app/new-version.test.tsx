import { act, fireEvent, render, screen } from "@testing-library/react";
import { Link, MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isOutdated, NewVersion } from "../../src/app/new-version.tsx";

/** The bundler puts files that seldom change first. */
const page = (entry: string) =>
  `<!doctype html><script type="module" src="/assets/base-1.js"></script><script type="module" src="${entry}"></script>`;

function serve(body: string | null, status = 200) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    if (body === null) throw new TypeError("Failed to fetch");
    return new Response(body, { status });
  });
}

beforeEach(() => {
  for (const src of ["/assets/base-1.js", "/assets/index-1.js"]) {
    const script = document.createElement("script");
    script.type = "module";
    script.setAttribute("src", src);
    document.head.append(script);
  }
});
afterEach(() => {
  for (const script of document.head.querySelectorAll("script[type=module]")) script.remove();
  vi.useRealTimers();
});

describe("another build on the server", () => {
  it("is detected by the name of its entry script", async () => {
    serve(page("/assets/index-2.js"));
    expect(await isOutdated()).toBe(true);
  });

  it("is not reported while the server returns the running build, no response or an error", async () => {
    serve(page("/assets/index-1.js"));
    expect(await isOutdated()).toBe(false);
    serve(null);
    expect(await isOutdated()).toBe(false);
    serve("<p>Bad gateway</p>", 502);
    expect(await isOutdated()).toBe(false);
    serve("<p>A captive portal</p>");
    expect(await isOutdated()).toBe(false);
  });

  it("is announced with Reload once a chunk is missing, can be dismissed, and comes with the next page", async () => {
    serve(page("/assets/index-2.js"));
    const reload = vi.fn();
    render(
      <MemoryRouter initialEntries={["/product/a"]}>
        <NewVersion reload={reload} />
        <main id="main" tabIndex={-1} />
        <Link to="/performance/a">Performance</Link>
        <Link to="/about">About Us</Link>
      </MemoryRouter>,
    );
    expect(screen.getByRole("status").textContent).toBe("");
    await act(async () => {
      dispatchEvent(new Event("vite:preloadError"));
    });
    await screen.findByText("A new version of Aqua is ready.");
    expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByText("A new version of Aqua is ready.")).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("main"));

    // A change between a product's tabs does not reload, so typed text is not lost. The next page reloads.
    fireEvent.click(screen.getByRole("link", { name: "Performance" }));
    expect(reload).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("link", { name: "About Us" }));
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("is checked for when the visitor returns, at most every five minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const calls = serve(page("/assets/index-1.js"));
    render(<NewVersion />, { wrapper: MemoryRouter });
    const back = () => act(async () => void dispatchEvent(new Event("focus")));
    await back();
    expect(calls).toHaveBeenCalledTimes(0);
    vi.setSystemTime(Date.now() + 300_000);
    await back();
    await back();
    expect(calls).toHaveBeenCalledTimes(1);
  });
});
