export type Box = { left: number; top: number; width: number; height: number };

/** Finds the box around the largest part of a country. A country may consist of several parts, such as islands. */
export function largestPart(path: string): Box {
  const boxes = path.split('M').slice(1).map(boxOf);
  return boxes.reduce((most, box) => (box.width * box.height > most.width * most.height ? box : most));
}

/**
 * Finds the box around one part of a country's SVG path, such as `514 69l1 1 4 0z`. The first two numbers are a point.
 * Each further pair of numbers is a step to the next point.
 */
function boxOf(part: string): Box {
  const [first = 0, second = 0, ...steps] = (part.match(/-?[\d.]+/g) ?? []).map(Number);
  const points = [{ x: first, y: second }];
  for (let [i, x, y] = [0, first, second]; i + 1 < steps.length; i += 2) {
    x += steps[i] ?? 0;
    y += steps[i + 1] ?? 0;
    points.push({ x, y });
  }
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
