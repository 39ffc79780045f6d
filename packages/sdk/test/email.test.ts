import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { email } from "../src/api/auth.ts";
import { emailAddress } from "../src/api/rules.ts";

describe("emailAddress", () => {
  it.each([
    ["anna@aqua.example", "anna@aqua.example"],
    ["  Anna.B@Aqua.Example ", "anna.b@aqua.example"],
    ["user@회사.한국", "user@xn--vf4b131b.xn--3e0b707e"],
    ["user@例子.中国", "user@xn--fsqu00a.xn--fiqs8s"],
    ["user@bücher.example", "user@xn--bcher-kva.example"],
    ["user@xn--bcher-kva.example", "user@xn--bcher-kva.example"],
    ["a&b@example.com", "a&b@example.com"],
    ["x=y@example.com", "x=y@example.com"],
    ["user%x@example.com", "user%x@example.com"],
    ["o'neil+tag@sub.example.co", "o'neil+tag@sub.example.co"],
  ])("takes %s, which form and API store as %s", (text, stored) => {
    expect(emailAddress(text)).toBe(stored);
    expect(email.parse(text)).toBe(stored);
  });

  it.each(
    [
      [
        "",
        "anna",
        "@aqua.example",
        "anna@",
        "anna@aqua",
        "a b@aqua.example",
        "anna@aqua..example",
        "anna@-aqua.example",
      ],
      [
        "anna@@aqua.example",
        "ännä@aqua.example",
        "anna@192.168.0.1",
        "anna@[192.168.0.1]",
        "anna@0x7f.1",
        "anna@a.example/x",
      ],
      [
        "anna@a.example:25",
        "anna@a.example?x",
        "anna@a%2eexample.com",
        `${"a".repeat(250)}@aqua.example`,
        "anna@a_b.example",
      ],
      ["anna@aqua.example\r\nbcc: x@y.example", `anna@${"a".repeat(64)}.example`],
    ]
      .flat()
      .map((text) => [text]),
  )("refuses %j in form and API", (text) => {
    expect(emailAddress(text)).toBeNull();
    expect(email.safeParse(text).success).toBe(false);
  });

  it("takes what it made, unchanged", () => {
    const label = fc.stringMatching(/^[a-zA-Z0-9üéß회사例子]{1,12}$/);
    const local = fc.stringMatching(/^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,20}$/);
    const given = fc.tuple(local, label, label).map(([name, host, top]) => `${name}@${host}.x${top}`);
    fc.assert(
      fc.property(given, (text) => {
        const made = emailAddress(text);
        if (made !== null) expect(emailAddress(made)).toBe(made);
      }),
    );
  });
});
