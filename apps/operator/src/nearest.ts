/** Returns the number of letters to change, add, drop or swap with a neighbour to turn one word into the other. */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= other.length; j++) {
      const changed = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + changed,
          swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
}

/**
 * Returns the word that was most likely meant: one that begins with the typed letters or differs by a slip; null when
 * none is near.
 */
export function nearest(typed: string, words: readonly string[]): string | null {
  const near = words
    .map((word) => ({ word, far: typed.length > 2 && word.startsWith(typed) ? 0 : distance(typed, word) }))
    .filter(({ far, word }) => far <= Math.max(1, Math.floor(word.length / 3)))
    .sort((one, other) => one.far - other.far);
  return near[0]?.word ?? null;
}

/**
 * Returns the message that a command does not exist, with the command probably meant or the list of commands. `within`:
 * the parent command, such as `identity`.
 */
export function unknownCommand(typed: string, words: readonly string[], within?: string): string {
  const where = within === undefined ? "" : ` of ${within}`;
  const meant = nearest(typed, words);
  const those = `there ${words.length === 1 ? "is" : "are"} ${words.join(", ")}`;
  return `there is no command ${typed}${where}; ${meant === null ? those : `did you mean ${meant}?`}`;
}
