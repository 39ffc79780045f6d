import { compileMessage } from "@lingui/message-utils/compileMessage";
import { describe, expect, it } from "vitest";
import { pseudoMessage } from "../../src/i18n/pseudo.ts";

describe("the pseudo-language", () => {
  it("accents and lengthens a text, so that an untranslated one stands out", () => {
    expect(pseudoMessage(compileMessage("Log in"))).toEqual(["[", "Ļôĝ îñ", " ~~~]"]);
  });

  it("keeps the names of values", () => {
    expect(pseudoMessage(compileMessage("block {block}"))).toEqual(["[", "ƀļôçķ ", ["block"], " ~~~]"]);
  });

  it("accents the texts of a plural, not its categories", () => {
    const [, token] = pseudoMessage(compileMessage("{n, plural, one {# day} other {# days}}")) as unknown[];
    expect(token).toMatchObject(["n", "plural", { one: ["#", " ðáý"], other: ["#", " ðáýš"] }]);
  });
});
