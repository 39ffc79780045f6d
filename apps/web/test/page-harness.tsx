import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { vi } from "vitest";

type Answer = { status?: number; body: unknown } | "unreachable";

/**
 * Answers fetch by the first path (without /api/v2/) that is a prefix of the request's; anything else is an error in
 * the test.
 */
export function answerApi(answers: Record<string, Answer | ((url: URL) => Answer | Promise<Answer>)>) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = new URL(String(input), "http://aqua.test");
    const path = url.pathname.replace("/api/v2/", "");
    const match = Object.keys(answers).find((prefix) => path.startsWith(prefix));
    const found = match === undefined ? undefined : answers[match];
    const answer = typeof found === "function" ? await found(url) : found;
    if (!answer) throw new Error(`No answer for ${path}`);
    if (answer === "unreachable") throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify(answer.body), {
      status: answer.status ?? 200,
      headers: { "content-type": "application/json" },
    });
  });
}

export const list = (items: unknown[]) => ({ body: { data: { items, total: items.length, page: 1, page_size: 20 } } });

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

/** Renders a page at an address, like the shell, without retries. */
export function renderPage(page: ReactNode, route: string, address: string) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  return render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path={route} element={page} />
          <Route path="*" element={null} />
        </Routes>
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}
