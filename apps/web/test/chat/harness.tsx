import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render } from "@testing-library/react";
import { createPortal } from "react-dom";
import { MemoryRouter } from "react-router";
import { vi } from "vitest";
import { ChatLauncher } from "../../src/features/chat/launcher.tsx";

/** The launcher inside #root, as the app mounts it, at an address. */
export function renderLauncher(address = "/home", queries = new QueryClient()) {
  queries.setDefaultOptions({ queries: { retry: false, networkMode: "always" } });
  const root = document.createElement("div");
  root.id = "root";
  document.body.append(root);
  const view = render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[address]}>{createPortal(<ChatLauncher />, root)}</MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...view, root };
}

/** Advances the fake clock by `milliseconds` and flushes what follows. */
export async function pass(milliseconds: number) {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

/** Waits for an element of a lazy chunk: its import takes real turns of the event loop, many on a busy machine. */
export const appears = (find: () => void) =>
  vi.waitFor(async () => {
    await pass(10);
    find();
  });
