import { setImmediate as turn } from 'node:timers/promises';

/**
 * Calls `take` with all items, `most` at a time. Between two calls, other requests get a turn. So long work does not
 * keep the server from accepting hits.
 */
export async function takeInTurns<Item>(
  items: readonly Item[],
  most: number,
  take: (some: readonly Item[]) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += most) {
    if (from > 0) await turn();
    take(items.slice(from, from + most));
  }
}
