import { fireEvent, render, screen } from "@testing-library/react";
import { Link, MemoryRouter } from "react-router";
import { expect, it, vi } from "vitest";
import { useAnchor } from "../../src/features/readings/anchors.ts";

function Part({ ready }: { ready: boolean }) {
  const anchor = useAnchor<HTMLDivElement>("devices", ready);
  return (
    <>
      <div ref={anchor}>Devices</div>
      <Link to="#devices">Show</Link>
      <Link to="#elsewhere">Elsewhere</Link>
    </>
  );
}
const page = (ready: boolean) => (
  <MemoryRouter initialEntries={["/product#devices"]}>
    <Part ready={ready} />
  </MemoryRouter>
);

it("a part is scrolled into view once it is rendered, and again each time a link leads to it", () => {
  const scrolled = vi.fn();
  Element.prototype.scrollIntoView = scrolled;
  const { rerender } = render(page(false));
  expect(scrolled).not.toHaveBeenCalled();
  rerender(page(true));
  expect(scrolled).toHaveBeenCalledTimes(1);
  rerender(page(true));
  expect(scrolled).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByText("Show"));
  expect(scrolled).toHaveBeenCalledTimes(2);
  fireEvent.click(screen.getByText("Elsewhere"));
  expect(scrolled).toHaveBeenCalledTimes(2);
});
