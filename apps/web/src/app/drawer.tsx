import { useEffect } from "react";
import { useLoggedIn } from "../features/session.ts";
import { t } from "../i18n/i18n.ts";
import { Sheet } from "../ui/dialog.tsx";
import { useMedia } from "../ui/use-media.ts";
import { OwnItems, VisitorItems } from "./account-menu.tsx";
import { LanguageSelect } from "./language-select.tsx";
import { Navigation } from "./navigation.tsx";

/**
 * Menu items call this after a press. The drawer needs no action: the following navigation, or the reload after a
 * log-out, closes it.
 */
const stay = () => undefined;

/**
 * Navigation and account menu on small screens, in a bottom drawer of at most 60 % of the viewport. It closes if the
 * window becomes wide.
 */
export default function Drawer({ onClose, onIntent }: { onClose: () => void; onIntent: (pathname: string) => void }) {
  const wide = useMedia("(width >= 768px)");
  const loggedIn = useLoggedIn();
  useEffect(() => {
    if (wide) onClose();
  }, [wide, onClose]);
  return (
    <Sheet menu open onClose={onClose} title={t("shell.menu.title")}>
      <div className="p-2">
        <Navigation drawer onIntent={onIntent} />
        <ul className="mt-2 border-t border-line pt-2 [&_:is(a,button)]:min-h-12 [&_:is(a,button)]:text-16">
          {loggedIn ? <OwnItems close={stay} /> : <VisitorItems close={stay} />}
        </ul>
        <div className="mt-2 border-t border-line px-3 pt-3 pb-2 text-14 text-muted *:justify-between">
          <LanguageSelect className="h-11 rounded-6 border border-line-strong/60 bg-surface px-2 text-16 text-ink" />
        </div>
      </div>
    </Sheet>
  );
}
