/** In whole numbers, so that a half is a half; away from zero. */
export function rounded(numerator: number, denominator: number, decimals: number): number {
  if (denominator === 0) return 0;
  const scale = 10n ** BigInt(decimals);
  const below = BigInt(denominator);
  const size = (2n * BigInt(Math.abs(numerator)) * scale + below) / (2n * below);
  const value = Number(size) / Number(scale);
  return numerator < 0 && size > 0n ? -value : value;
}

export const percent = (part: number, whole: number, decimals: number): number => rounded(part * 100, whole, decimals);

/** Figures have at most one decimal, so ten of them are whole. */
export function change(now: number | null, before: number | null): number | null {
  if (!before || now === null) return null;
  return percent(Math.round(now * 10) - Math.round(before * 10), Math.round(before * 10), 1);
}

export function compareText(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i]?.codePointAt(0) ?? 0) - (b[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** How often each value is there, most first; the key of an object may be any text only in a Map. */
export function ranked(values: Iterable<string>): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1] || compareText(one[0], other[0]));
}
