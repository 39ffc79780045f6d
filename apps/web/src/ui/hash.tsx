import { shortenAddress } from "../i18n/format.ts";

/**
 * A shortened hash in monospace with the whole hash as its title. It is a single text node, so that it is read and
 * copied as one piece.
 */
export function Hash({ value }: { value: string }) {
  return (
    <span title={value} className="font-mono">
      {shortenAddress(value, 10, 6)}
    </span>
  );
}
