/** A run: neighbouring points of the chart, from one index to another. */
export type Run = { first: number; last: number };

/** Finds the runs of items that meet a condition. If items 0, 1 and 3 meet it, the runs are 0 to 1, and 3 to 3. */
export function runsOf<Item>(items: readonly Item[], isIn: (item: Item) => boolean): Run[] {
  const runs: Run[] = [];
  items.forEach((item, i) => {
    const before = runs.at(-1);
    if (!isIn(item)) return;
    if (before?.last === i - 1) before.last = i;
    else runs.push({ first: i, last: i });
  });
  return runs;
}
