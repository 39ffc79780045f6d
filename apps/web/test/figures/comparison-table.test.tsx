import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { compareText } from "../../src/features/transparency/comparison.ts";
import { ComparedVerdict } from "../../src/features/transparency/comparison-table.tsx";

const equal = compareText({ figure: "owner", as: "word", query: "ownerOf(7)", site: "1", chain: "1" });

it("ComparedVerdict shows no success if no figure was compared", () => {
  render(<ComparedVerdict figures={[{ ...equal, standing: "open" }]} holds="It matches." differs="It differs." />);
  expect(screen.getByRole("status").textContent).toBe("No figure was compared");
});

it("ComparedVerdict counts the compared figures if none differs", () => {
  render(<ComparedVerdict figures={[equal]} holds="It matches." differs="It differs." />);
  expect(screen.getByRole("status").textContent).toContain("1 figure compared, no difference");
});

it("ComparedVerdict shows no success if a figure was not read from the chain", () => {
  const unread = { ...equal, chain: null, standing: "unread" } as const;
  render(<ComparedVerdict figures={[equal, unread]} holds="It matches." differs="It differs." />);
  expect(screen.getByRole("status").textContent).toBe(
    "1 figure compared, no differenceThe chain did not return every figure. Check again to read the missing ones.",
  );
});
