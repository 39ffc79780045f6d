import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { cx } from "./class-names.ts";
import { Spinner } from "./spinner.tsx";

const looks = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover border-transparent",
  secondary: "bg-surface text-ink border-line-strong/60 hover:border-accent hover:text-accent",
  quiet: "bg-transparent text-ink border-transparent hover:bg-accent/10",
  danger: "bg-transparent text-negative border-negative/50 hover:bg-negative/10",
} as const;
const sizes = {
  small: "h-9 px-3 text-14 gap-1.5",
  medium: "h-11 px-4 text-14 gap-2",
  large: "h-13 px-6 text-16 gap-2",
} as const;

type ButtonLook = keyof typeof looks;
type ButtonSize = keyof typeof sizes;

/** Classes of a button, for links that look like one. */
export function buttonClasses({ look = "primary", size = "medium", wide = false }: ButtonStyle = {}) {
  return cx(
    "inline-flex items-center justify-center rounded-6 border font-strong whitespace-nowrap transition-colors select-none",
    "disabled:opacity-50 aria-busy:cursor-progress aria-busy:opacity-80",
    looks[look],
    sizes[size],
    wide && "w-full",
  );
}

interface ButtonStyle {
  look?: ButtonLook;
  size?: ButtonSize;
  wide?: boolean;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonStyle {
  /** Shows a spinner and ignores clicks. The button stays focused. */
  busy?: boolean;
  /** Ignores clicks. Unlike a disabled button, it stays focused. */
  inactive?: boolean;
  icon?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export function Button(props: ButtonProps) {
  const { look, size, wide, busy = false, inactive = false, icon, className, children, onClick, ...rest } = props;
  const style: ButtonStyle = { ...(look && { look }), ...(size && { size }), ...(wide && { wide }) };
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || inactive || undefined}
      onClick={busy || inactive ? (event) => event.preventDefault() : onClick}
      className={cx(buttonClasses(style), inactive && "opacity-50", className)}
    >
      {busy ? <Spinner className="size-4" /> : icon}
      {/* A separate element, because React inserts the spinner before it. That would fail beside a text that a page
          translator has wrapped. */}
      <span className="contents">{children}</span>
    </button>
  );
}
