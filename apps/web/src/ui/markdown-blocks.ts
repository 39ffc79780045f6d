export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "break" }
  | { kind: "strong" | "emphasis"; children: Inline[] }
  | { kind: "link"; href: string; children: Inline[] };

export type Block =
  | { kind: "heading"; level: 1 | 2 | 3; children: Inline[] }
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] };

const heading = /^(#{1,3})\s+(.+?)\s*#*$/;
const bullet = /^\s{0,3}[-*+]\s+(.+)$/;
const numbered = /^\s{0,3}\d{1,3}[.)]\s+(.+)$/;

/** Protocols that a link may use. */
const allowed = /^(https?|mailto):$/;

/** Parses the blocks of a Markdown text. Anything outside the supported subset, including HTML, stays text. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let items: string[] = [];
  let ordered = false;
  function endParagraph() {
    if (lines.length > 0) blocks.push({ kind: "paragraph", children: inlinesOf(lines.join("\n")) });
    lines = [];
  }
  function endList() {
    if (items.length > 0) blocks.push({ kind: "list", ordered, items: items.map(inlinesOf) });
    items = [];
  }
  for (const line of markdown.replaceAll("\r\n", "\n").split("\n")) {
    const title = heading.exec(line);
    const item = bullet.exec(line) ?? numbered.exec(line);
    if (title || item || line.trim() === "") endParagraph();
    if (title) {
      endList();
      const level = (title[1]?.length ?? 1) as 1 | 2 | 3;
      blocks.push({ kind: "heading", level, children: inlinesOf(title[2] ?? "") });
    } else if (item) {
      if (ordered === bullet.test(line)) endList();
      ordered = !bullet.test(line);
      items.push(item[1] ?? "");
    } else if (line.trim() === "") endList();
    else if (items.length > 0) items.push(`${items.pop() ?? ""}\n${line.trim()}`);
    else lines.push(line.trim());
  }
  endParagraph();
  endList();
  return blocks;
}

/** Code comes first, because nothing inside it is parsed. Links, strong, emphasis and line breaks follow. */
const token =
  /`([^`\n]+)`|\[([^[\]\n]{1,500})\]\(([^()\s]{1,2000})\)|\*\*([^*\n]{1,1000})\*\*|\*([^*\n]{1,1000})\*|\\\n/;

function inlinesOf(text: string): Inline[] {
  const inlines: Inline[] = [];
  let rest = text;
  for (let match = token.exec(rest); match; match = token.exec(rest)) {
    if (match.index > 0) inlines.push({ kind: "text", text: rest.slice(0, match.index) });
    inlines.push(inlineOf(match));
    rest = rest.slice(match.index + match[0].length);
  }
  if (rest !== "") inlines.push({ kind: "text", text: rest });
  return inlines;
}

function inlineOf([whole, code, label, href, strong, emphasis]: RegExpExecArray): Inline {
  if (code !== undefined) return { kind: "code", text: code };
  if (label !== undefined) {
    const isSafe = href !== undefined && URL.canParse(href) && allowed.test(new URL(href).protocol);
    return isSafe ? { kind: "link", href, children: inlinesOf(label) } : { kind: "text", text: whole };
  }
  if (strong !== undefined) return { kind: "strong", children: inlinesOf(strong) };
  if (emphasis !== undefined) return { kind: "emphasis", children: inlinesOf(emphasis) };
  return { kind: "break" };
}
