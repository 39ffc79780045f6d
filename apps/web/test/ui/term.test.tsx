import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { activateLanguage, t } from "../../src/i18n/i18n.ts";
import { Term } from "../../src/ui/term.tsx";
import type { TermName } from "../../src/ui/term-name.ts";

const names: TermName[] = ["sharePrice", "queue", "maturity", "custodian", "anchor"];

it.each(names)("Term explains %s on focus with the text of the glossary", async (name) => {
  render(<Term name={name}>Word</Term>);
  // The word is displayed before its explanation is loaded.
  screen.getByText("Word");
  const word = await screen.findByRole("button", { name: "Word" });
  expect(screen.queryByRole("tooltip")).toBeNull();
  fireEvent.focus(word);
  expect(screen.getByRole("tooltip").textContent).toBe(t(`glossary.${name}.text`));
  fireEvent.blur(word);
  expect(screen.queryByRole("tooltip")).toBeNull();
});

it.each(["en-US", "zh-CN", "zh-TW", "ko-KR", "fr-FR"] as const)(
  "the glossary explains each term in two sentences in %s",
  async (of) => {
    await activateLanguage(of);
    for (const name of names) {
      const sentences = t(`glossary.${name}.text`).match(/[^.。]+[.。]/g) ?? [];
      expect(sentences, name).toHaveLength(2);
    }
    await activateLanguage("en-US");
  },
);
