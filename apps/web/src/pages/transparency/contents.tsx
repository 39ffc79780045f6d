import { Link } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { sectionNames, sections } from "./sections.ts";
import { useNamedPart } from "./use-named-part.ts";

/** Links to the parts of this long page. Scrolls to the one that the address names. */
export default function Contents() {
  useNamedPart(sectionNames);
  return (
    <nav aria-label={t("evidence.contents")}>
      <ul className="flex flex-wrap gap-x-5 gap-y-2 text-14">
        {sectionNames.map((name) => (
          <li key={name}>
            <Link to={`#${name}`} className="link">
              {t(sections[name])}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
