import { t } from "../i18n/i18n.ts";
import { Sheet } from "../ui/sheet.tsx";
import { Navigation } from "./navigation.tsx";

/** The navigation of small screens: a bottom drawer of at most 60 % of the viewport. */
export default function Drawer({ onClose, onIntent }: { onClose: () => void; onIntent: (pathname: string) => void }) {
  return (
    <Sheet menu open onClose={onClose} title={t("shell.menu.title")}>
      <div className="p-2">
        <Navigation drawer onIntent={onIntent} />
      </div>
    </Sheet>
  );
}
