import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { compareText } from "../../src/features/transparency/comparison.ts";
import { ComparedVerdict } from "../../src/features/transparency/comparison-table.tsx";

const equal = compareText({ figure: "owner", as: "word", asked: "ownerOf(7)", site: "1", chain: "1" });

it("is no success where no figure was compared", () => {
  render(<ComparedVerdict figures={[{ ...equal, standing: "open" }]} holds="It matches." differs="It differs." />);
  expect(screen.getByRole("status").textContent).toBe("No figure was compared");
});

it("counts the compared figures where none differs", () => {
  render(<ComparedVerdict figures={[equal]} holds="It matches." differs="It differs." />);
  expect(screen.getByRole("status").textContent).toContain("1 figure compared, no difference");
});
