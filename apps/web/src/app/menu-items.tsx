import type { Copy } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";

const itemLook =
  "flex min-h-10 w-full items-center gap-3 rounded-6 px-3 text-left text-14 hover:bg-accent/10 focus-visible:bg-accent/10";

/** A link in a menu. */
export function Way({
  icon: Icon,
  to,
  close,
  children,
}: {
  icon: typeof Copy;
  to: string;
  close: () => void;
  children: ReactNode;
}) {
  return (
    <li>
      <Link to={to} onClick={close} className={itemLook}>
        <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
        {children}
      </Link>
    </li>
  );
}

interface ItemProps {
  icon: typeof Copy;
  onSelect: () => void;
  close: () => void;
  children: ReactNode;
}

/** A button in a menu. */
export function Item({ icon: Icon, onSelect, close, children }: ItemProps) {
  return (
    <li>
      <button
        type="button"
        className={itemLook}
        onClick={() => {
          close();
          onSelect();
        }}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
        {children}
      </button>
    </li>
  );
}
