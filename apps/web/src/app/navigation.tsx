import { ArrowUpRight, ChevronDown } from "lucide-react";
import { Link, useLocation } from "react-router";
import { t } from "../i18n/i18n.ts";
import type { MessageKey } from "../i18n/keys.ts";
import { paths } from "../paths.ts";
import { cx } from "../ui/class-names.ts";
import { Disclosure } from "../ui/disclosure.tsx";

/** Build settings, read once. Each is an environment variable of the same name at build time. */
function httpsUrl(value: string | undefined, fallback: string): string {
  return value && URL.canParse(value) && new URL(value).protocol === "https:" ? value : fallback;
}

const env = import.meta.env as Record<string, string | undefined>;

const settings = {
  /** The two external pages of the Community menu. */
  microblogUrl: httpsUrl(env.VITE_COMMUNITY_MICROBLOG_URL, "https://x.com/"),
  messagingGroupUrl: httpsUrl(env.VITE_COMMUNITY_GROUP_URL, "https://t.me/"),
} as const;

/** The specification has no Transparency link in the navigation. The footer has it. */
const links: { to: string; label: MessageKey }[] = [
  { to: paths.homeAlias, label: "shell.nav.home" },
  { to: paths.products, label: "shell.nav.products" },
  { to: paths.portfolios, label: "shell.nav.portfolios" },
  { to: paths.about, label: "shell.nav.about" },
];
const community: { href: string; label: MessageKey }[] = [
  { href: settings.microblogUrl, label: "shell.nav.microblog" },
  { href: settings.messagingGroupUrl, label: "shell.nav.group" },
];

/** Home has two addresses, so its link is current at both. */
function isShown(to: string, pathname: string): boolean {
  const path = pathname.replace(/\/+$/, "");
  return path === to || (to === paths.homeAlias && path === "");
}

interface NavigationProps {
  onIntent: (pathname: string) => void;
  /** In the drawer the links are listed vertically, and Community is expanded. */
  drawer?: boolean;
}

export function Navigation({ onIntent, drawer = false }: NavigationProps) {
  const { pathname } = useLocation();
  const look = drawer
    ? "flex h-12 items-center rounded-6 px-3 text-16"
    : "flex h-10 items-center rounded-6 px-2 text-14 whitespace-nowrap transition-colors lg:px-3";
  const outside = community.map(({ href, label }) => (
    <li key={label}>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className={cx(look, "gap-1.5 text-muted hover:bg-accent/10 hover:text-ink")}
      >
        {t(label)}
        <ArrowUpRight aria-hidden="true" className="size-4" strokeWidth={1.75} />
        <span className="sr-only">{t("ui.newTab")}</span>
      </a>
    </li>
  ));

  return (
    <nav aria-label={t("shell.nav.main")}>
      <ul className={drawer ? "flex flex-col" : "flex items-center lg:gap-1"}>
        {links.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              onPointerEnter={() => onIntent(to)}
              onFocus={() => onIntent(to)}
              aria-current={isShown(to, pathname) ? "page" : undefined}
              className={cx(look, isShown(to, pathname) ? "font-strong text-accent" : "text-muted hover:text-ink")}
            >
              {t(label)}
            </Link>
          </li>
        ))}
        {drawer ? (
          <li className="mt-2 border-t border-line pt-2">
            <p className="px-3 pt-2 text-12 text-muted">{t("shell.nav.community")}</p>
            <ul>{outside}</ul>
          </li>
        ) : (
          <li>
            <Disclosure
              button={
                <>
                  {t("shell.nav.community")}
                  <ChevronDown aria-hidden="true" className="size-4" strokeWidth={1.75} />
                </>
              }
              buttonClassName={cx(look, "gap-1 text-muted hover:text-ink")}
              panelClassName="w-48 p-1.5"
            >
              {() => <ul>{outside}</ul>}
            </Disclosure>
          </li>
        )}
      </ul>
    </nav>
  );
}
