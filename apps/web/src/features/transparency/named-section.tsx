import type { ComponentProps } from "react";
import { t } from "../../i18n/i18n.ts";
import { Section } from "../../ui/section.tsx";
import { Term } from "../../ui/term.tsx";
import { type SectionName, sections } from "./sections.ts";

/** A part of the page; `sections` defines its title and anchor. */
export function NamedSection({
  name,
  ...props
}: { name: SectionName } & Omit<ComponentProps<typeof Section>, "title" | "anchor">) {
  const title = t(sections[name].title);
  return <Section anchor={name} title={name === "roots" ? <Term name="anchor">{title}</Term> : title} {...props} />;
}
