/** Drop and waterline; the name beside it is text, and is hidden on a tablet in favour of the navigation. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5 text-20 font-strong tracking-tight">
      <svg viewBox="0 0 28 28" aria-hidden="true" className="size-7">
        <rect width="28" height="28" rx="7" className="fill-accent" />
        <path
          d="M14 4.8c4 4.4 6.6 7.8 6.6 11.1a6.6 6.6 0 0 1-13.2 0C7.4 12.6 10 9.2 14 4.8Z"
          className="fill-on-accent"
        />
        <path
          d="M9.2 16.3c1.6-1.2 3.2-1.2 4.8 0s3.2 1.2 4.8 0M10.6 19.3c1.1-.8 2.3-.8 3.4 0s2.3.8 3.4 0"
          className="fill-none stroke-accent"
          strokeWidth="1.4"
          strokeLinecap="round"
        />
      </svg>
      <span className="md:max-lg:sr-only">Aqua</span>
    </span>
  );
}
