import type { ComponentProps } from "react";
import { t } from "../../i18n/i18n.ts";
import { Section } from "../../ui/section.tsx";
import { type SectionName, sections } from "./sections.ts";

/** A part of the page with its title and anchor from `sections`. */
export function NamedSection({
  name,
  ...props
}: { name: SectionName } & Omit<ComponentProps<typeof Section>, "title" | "anchor">) {
  return <Section anchor={name} title={t(sections[name].title)} {...props} />;
}
