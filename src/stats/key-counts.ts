/** Counts by key: `keys[i]` was counted `counts[i]` times. Two lists are sent to another thread faster than a map. */
export type KeyCounts = { keys: number[]; counts: number[] };

export const noKeyCounts = (): KeyCounts => ({ keys: [], counts: [] });

export const listKeyCounts = (counts: ReadonlyMap<number, number>): KeyCounts => ({
  keys: [...counts.keys()],
  counts: [...counts.values()],
});

export function addKeyCounts(sums: Map<number, number>, { keys, counts }: KeyCounts): void {
  for (let i = 0; i < keys.length; i++) addToKey(sums, keys[i] as number, counts[i] as number);
}

export function addToKey(sums: Map<number, number>, key: number, more: number): void {
  sums.set(key, (sums.get(key) ?? 0) + more);
}
