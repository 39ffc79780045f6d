/** The middle of an odd number of measurements, of each figure by itself. */
export function medianOfEach<Name extends string>(measured: readonly Record<Name, number>[]): Record<Name, number> {
  const names = Object.keys(measured[0] ?? {}) as Name[];
  const middle = (name: Name) =>
    measured.map((each) => each[name]).sort((one, other) => one - other)[Math.floor(measured.length / 2)];
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as Record<Name, number>;
}
