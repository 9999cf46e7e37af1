/** Prints rows in columns, or as a Markdown table. The first column is aligned to the left, all others to the right. */
export function show(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  isMarkdown: boolean,
): void {
  const texts = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, i) => Math.max(...texts.map((row) => row[i]?.length ?? 0)));
  for (const [i, row] of texts.entries()) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(isMarkdown ? `| ${row.join(' | ')} |` : cells.join('  '));
    if (i === 0 && isMarkdown) console.log(`|${head.map((_, column) => (column === 0 ? '---|' : '---:|')).join('')}`);
  }
  console.log();
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Writes milliseconds with as many digits as are useful. */
export const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(1));
