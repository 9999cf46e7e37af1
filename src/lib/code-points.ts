/**
 * Compares two texts by their Unicode code points. JavaScript compares UTF-16 units, which sorts characters such as
 * emoji in another order.
 */
export function compareCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const i = left.findIndex((point, at) => point !== right[at]);
  if (i < 0) return left.length - right.length;
  return (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? -1);
}
