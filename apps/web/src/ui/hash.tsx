import { shortenAddress } from "../i18n/format.ts";

/**
 * A hash in monospace, shortened, with the whole hash as its title; a single text node, so that it is read and copied
 * as one.
 */
export function Hash({ value }: { value: string }) {
  return (
    <span title={value} className="font-mono">
      {shortenAddress(value, 10, 6)}
    </span>
  );
}
