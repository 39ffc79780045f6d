/**
 * A hash in monospace, shortened, with the whole hash as its title; a single text node, so that it is read and copied
 * as one.
 */
export function Hash({ value }: { value: string }) {
  return <span title={value} className="font-mono">{`${value.slice(0, 10)}…${value.slice(-6)}`}</span>;
}
