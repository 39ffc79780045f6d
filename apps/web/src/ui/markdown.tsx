import type { ReactNode } from "react";
import { type Block, blocksOf, type Inline } from "./markdown-blocks.ts";

interface MarkdownProps {
  text: string;
  /** Language of the text, in the format of the `lang` attribute. */
  lang: string;
}

/**
 * Renders a text in a small subset of Markdown below a heading of level 2. It builds elements and never uses HTML from
 * the text.
 */
export function Markdown({ text, lang }: MarkdownProps) {
  return (
    <div lang={lang} className="flex max-w-[68ch] flex-col gap-3 text-14">
      {blocksOf(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text keep their places
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  if (block.kind === "paragraph") return <p>{inlines(block.children)}</p>;
  if (block.kind === "heading") {
    const Heading = block.level === 3 ? "h4" : "h3";
    return <Heading className="mt-3 text-16 font-strong">{inlines(block.children)}</Heading>;
  }
  const items = block.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list keep their places
    <li key={index}>{inlines(item)}</li>
  ));
  return block.ordered ? (
    <ol className="flex list-decimal flex-col gap-1.5 pl-6">{items}</ol>
  ) : (
    <ul className="flex list-disc flex-col gap-1.5 pl-6">{items}</ul>
  );
}

function inlines(parts: readonly Inline[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
  return parts.map((part, index) => <InlineView key={index} part={part} />);
}

function InlineView({ part }: { part: Inline }) {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return <code className="font-mono">{part.text}</code>;
    case "break":
      return <br />;
    case "strong":
      return <strong className="font-strong">{inlines(part.children)}</strong>;
    case "emphasis":
      return <em>{inlines(part.children)}</em>;
    case "link":
      return (
        <a href={part.href} rel="noopener noreferrer" className="link wrap-anywhere">
          {inlines(part.children)}
        </a>
      );
  }
}
