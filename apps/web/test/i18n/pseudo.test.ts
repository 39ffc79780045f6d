import { compileMessage } from "@lingui/message-utils/compileMessage";
import { describe, expect, it } from "vitest";
import { pseudoMessage } from "../../src/i18n/pseudo.ts";

describe("the pseudo-language", () => {
  it("accents and lengthens a text, so that what was never translated stands out", () => {
    expect(pseudoMessage(compileMessage("Log in"))).toEqual(["[", "Ļôĝ îñ", " ~~~]"]);
  });

  it("leaves the names of values as they are", () => {
    expect(pseudoMessage(compileMessage("block {block}"))).toEqual(["[", "ƀļôçķ ", ["block"], " ~~~]"]);
  });

  it("accents what a plural chooses from, not the choices", () => {
    const [, token] = pseudoMessage(compileMessage("{n, plural, one {# day} other {# days}}")) as unknown[];
    expect(token).toMatchObject(["n", "plural", { one: ["#", " ðáý"], other: ["#", " ðáýš"] }]);
  });
});
