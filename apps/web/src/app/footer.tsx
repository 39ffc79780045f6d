import { legalNames } from "@aqua/sdk/api/rules";
import { findChain } from "@aqua/sdk/chains";
import { Link } from "react-router";
import { useNetwork } from "../features/network.ts";
import { t } from "../i18n/i18n.ts";
import { paths } from "../paths.ts";
import { Stamp } from "../ui/stamp.tsx";
import { setTheme, type ThemeChoice, useThemeChoice } from "../ui/theme.ts";
import { LanguageSelect } from "./language-select.tsx";

const themes = ["system", "light", "dark"] as const satisfies ThemeChoice[];
const select = "h-9 rounded-6 border border-line-strong/60 bg-surface px-2 text-14 text-ink";

export function Footer() {
  const theme = useThemeChoice();
  const { data: network } = useNetwork();
  return (
    <footer className="mt-20 border-t border-line">
      <div className="page flex flex-col gap-6 py-8 text-14 text-muted">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          {network?.chains.map((chain) => (
            <div key={chain.chain_id} className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <span className="text-ink">{findChain(chain.chain_id)?.name ?? chain.chain_id}</span>
              {chain.head ? (
                <Stamp above align="start" block={chain.head.block} time={chain.head.time} stale={chain.head.stale} />
              ) : (
                <span>{t("shell.noHead")}</span>
              )}
            </div>
          ))}
          <Link to={paths.transparency} className="link">
            {t("shell.contracts")}
          </Link>
          <Link to={paths.about} className="link">
            {t("footer.risks")}
          </Link>
          {legalNames.map((name) => (
            <Link key={name} to={paths.legal(name)} className="link">
              {t(`footer.${name}`)}
            </Link>
          ))}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
          {/* Controls are on the left, because AQUA MIND is in the right-hand corner. */}
          <div className="flex flex-col gap-x-4 gap-y-2 sm:flex-row">
            <label className="flex items-center gap-2">
              {t("footer.theme")}
              <select
                value={theme}
                onChange={(event) => setTheme(event.target.value as ThemeChoice)}
                className={select}
              >
                {themes.map((choice) => (
                  <option key={choice} value={choice}>
                    {t(`footer.theme.${choice}`)}
                  </option>
                ))}
              </select>
            </label>
            <LanguageSelect className={select} />
          </div>
          <p className="font-mono text-12">{network ? t("footer.version", { version: network.version }) : "Aqua"}</p>
        </div>
      </div>
    </footer>
  );
}
