import { render } from "@testing-library/react";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Markdown } from "../../src/ui/markdown.tsx";

const html = (text: string) =>
  render(<Markdown text={text} lang="en-US" />).container.innerHTML.replace(/ class="[^"]*"/g, "");
const inner = (text: string) => html(text).replace(/^<div lang="en-US">|<\/div>$/g, "");

describe("a Markdown text", () => {
  it("shows headings below the page's own, paragraphs and lists", () => {
    expect(inner("## How long\n\nOne\ntwo\n\n- a\n- b\n  more\n\n### Next\n1. c\n2. d\nEnd")).toBe(
      "<h3>How long</h3><p>One\ntwo</p><ul><li>a</li><li>b\nmore</li></ul><h4>Next</h4><ol><li>c</li><li>d\nEnd</li></ol>",
    );
  });

  it("shows strong and emphasised words, code and line breaks", () => {
    expect(inner("**Aqua**, *Bern*\\\n`npm **x**`")).toBe(
      "<p><strong>Aqua</strong>, <em>Bern</em><br><code>npm **x**</code></p>",
    );
  });

  it.each(["https://aqua.example/a?b=c", "http://aqua.example", "mailto:help@aqua.example"])("links to %s", (href) => {
    const { container } = render(<Markdown text={`[**here**](${href})`} lang="en-US" />);
    const link = container.querySelector("a");
    expect(link?.getAttribute("href")).toBe(href);
    expect(link?.getAttribute("rel")).toBe("noopener noreferrer");
    expect(link?.innerHTML).toContain("here</strong>");
  });

  it.each(["javascript:alert(1)", "JavaScript:alert`1`", "data:text/html,x", "/about", "//aqua.example", "vbscript:x"])(
    "shows a link to %s as it is written",
    (href) => {
      const { container } = render(<Markdown text={`[here](${href})`} lang="en-US" />);
      expect(container.querySelector("a")).toBeNull();
      expect(container.textContent).toContain("[here](");
    },
  );

  it("shows HTML as it is written", () => {
    const { container } = render(
      <Markdown text={"<script>alert(1)</script> <img src=x onerror=alert(1)>"} lang="en-US" />,
    );
    expect(container.querySelector("script, img")).toBeNull();
    expect(container.textContent).toBe("<script>alert(1)</script> <img src=x onerror=alert(1)>");
  });

  it("leaves out no word, whatever the text is", () => {
    const part = fc.constantFrom(
      "# ",
      "- ",
      "1. ",
      "**",
      "*",
      "`",
      "[",
      "](",
      ")",
      "\\\n",
      "\n",
      "\n\n",
      "<b>",
      "word ",
      "https://a.example",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const { container, unmount } = render(<Markdown text={parts.join("")} lang="en-US" />);
        const words = (text: string) => text.match(/word/g)?.length ?? 0;
        expect(words(container.textContent ?? "")).toBe(words(parts.join("")));
        expect([...container.querySelectorAll("a")].every((link) => /^https:\/\/a\.example/.test(link.href))).toBe(
          true,
        );
        unmount();
      }),
    );
  });
});
