/** A hash in the mono face by its two ends, whole in its title; one text, so that it is read and copied as one. */
export function Hash({ value }: { value: string }) {
  return <span title={value} className="font-mono">{`${value.slice(0, 10)}…${value.slice(-6)}`}</span>;
}
