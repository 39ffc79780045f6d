import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { knownProgram, programNames, programOf } from "../../src/account/userAgent.ts";

const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`, "Edge, Windows"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, "Chrome, Android"],
  [`Mozilla/5.0 (Linux; Android 14; SM-S911B) ${chrome} Mobile SamsungBrowser/28.0`, "Samsung Internet, Android"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari, iPhone",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15",
    "Firefox, iPad",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
    "Safari, macOS",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, "Chrome, ChromeOS"],
  ["curl/8.5.0", null],
  ["", null],
  [undefined, null],
])("programOf names the browser and the system of %s", (header, name) => {
  expect(programOf(header)).toBe(name);
  expect(knownProgram(name)).toBe(name);
});

describe("programOf", () => {
  it.each([
    "https://evil.example/reset-now",
    "Your account is locked: evil.example",
    "evil.example/1.0 Safari",
    "Mozilla/5.0 (evil.example; Windows NT 10.0) evil.example/1.0 Version/1 evil.example Safari/1",
    "Mozilla/5.0 (Linux; Android 10; evil.example Build/1) Dalvik",
    "\u001b[31mevil\u202e Firefox/1.0",
  ])("copies nothing from %j", (header) => {
    expect(programOf(header) ?? "").not.toMatch(/evil|locked|\p{C}/iu);
  });

  it("returns only names of its list for any header", () => {
    const pieces = fc.constantFrom(
      ...["Mozilla/5.0 ", "(Windows NT 10.0) ", "(Linux; Android 9; ", "Version/", "Chrome/1 ", "Safari/2 ", "Mobile "],
      ...[
        "OPR/",
        "evilbrowser/1 ",
        "Avast/",
        "QQ/",
        "huaweibrowser/1 ",
        "FBAV/1;",
        "Edg/3 ",
        "Firefox/",
        ") ",
        "evil.example",
      ],
    );
    const headers = fc.array(fc.oneof(pieces, fc.string({ maxLength: 12 })), { maxLength: 20 });
    fc.assert(
      fc.property(headers, (parts) => {
        const named = programOf(parts.join(""))?.split(", ") ?? [];
        expect(programNames).toEqual(expect.arrayContaining(named));
      }),
    );
  });
});

it("knownProgram omits text of a header that an earlier version stored", () => {
  expect(knownProgram("https://evil.example/reset-now")).toBeNull();
  expect(knownProgram("Firefox, evil.example")).toBeNull();
  expect(knownProgram("Firefox, Linux")).toBe("Firefox, Linux");
  expect(knownProgram(null)).toBeNull();
});
