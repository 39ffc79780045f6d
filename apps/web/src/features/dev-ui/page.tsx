import { useSearchParams } from "react-router";
import { usePageTitle } from "../../page-title.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { setTheme, useAppliedTheme, useThemeChoice } from "../../ui/theme.ts";
import { Controls } from "./controls.tsx";
import { Extremes } from "./extremes.tsx";
import { Figures } from "./figures.tsx";
import { Forms } from "./forms.tsx";
import { Overlays } from "./overlays.tsx";
import { States } from "./states.tsx";
import { Tokens } from "./tokens.tsx";

/**
 * Shows every primitive in every state, for development. No build contains this route. Its texts are not translated.
 */
export default function DevUiPage() {
  usePageTitle("Primitives");
  const [search, setSearch] = useSearchParams();
  const choice = useThemeChoice();
  const applied = useAppliedTheme();
  const sideBySide = search.get("themes") === "both";
  const themes = sideBySide ? (["light", "dark"] as const) : [applied];
  return (
    <>
      <PageHead
        seed="primitives"
        title="Primitives"
        lead="What the pages are built of, in every state. Overlays follow the theme of the document."
        aside={
          <Segmented
            label="Theme"
            value={sideBySide ? "both" : choice}
            options={[
              { value: "system", label: "System" },
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
              { value: "both", label: "Both" },
            ]}
            onChange={(next) => {
              setSearch(next === "both" ? { themes: "both" } : {}, { replace: true });
              if (next !== "both") setTheme(next);
            }}
          />
        }
      />
      <div className={sideBySide ? "grid grid-cols-2" : undefined}>
        {themes.map((theme) => (
          <div key={theme} data-theme={sideBySide ? theme : undefined} className="min-w-0 bg-ground text-ink">
            <div className="page pb-16">
              <Tokens />
              <Controls />
              <Forms />
              <Figures />
              <States />
              <Overlays />
              <Extremes />
            </div>
          </div>
        ))}
      </div>
    </>
  );
}
