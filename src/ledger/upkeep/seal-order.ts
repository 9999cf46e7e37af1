// Sorts the visitors of all shards of a day by their first hits. The sealed day is stored in this order.
//
// Invariant: all visits of a visitor are neighbours in one slice. The order says nothing about the order of visitor
// codes, which could reveal something about IP addresses.
//
// Example: shard 1 has visitors whose first hits were at 9:00 and 12:00. Shard 2 has a visitor whose first hit was at
// 10:00. The order is 9:00, 10:00, 12:00. Ten million visitors take 50 MB, and 130 MB while they are sorted. seal.ts
// calls this file.
import { free } from '../column/packing.ts';
import { findStarts } from '../day/day.ts';
import { type Shard, sumBefore } from '../day/shard.ts';
import { sortByTime } from '../day/sort-rows.ts';
import type { Chosen } from '../day/take-visits.ts';

/**
 * The visitors of all shards, one shard after the other. `visits` has the number of visits of each visitor. `start` has
 * the time of each visitor's first hit, in seconds. `arrived` has the number of each visitor's first row, in the order
 * in which the rows of the day arrived. If two visitors have the same `start`, the visitor with the lower `arrived`
 * comes first.
 */
type Visitors = { visits: Uint8Array; start: Int32Array; arrived: Uint32Array };

export function orderVisitors(shards: readonly Shard[]): InOrder {
  const { start, arrived, visits } = readVisitors(shards);
  const arrivals = sortByArrival(arrived);
  free(arrived);
  const order = sortByTime(arrivals, start);
  free(start);
  free(arrivals);
  const before = sumBefore(visits);
  const ends: number[] = [];
  for (const { totals } of shards) ends.push((ends.at(-1) ?? 0) + totals.visits);

  /**
   * Returns the visits of the visitors from number `from` on, and before number `to`. Visitors are numbered by their
   * first hits.
   */
  function takeVisits(from: number, to: number): Chosen {
    const some = order.subarray(from, to);
    const count = some.reduce((sum, visitor) => sum + (visits[visitor] as number), 0);
    const chosen: Chosen = { shard: new Uint16Array(count), visit: new Uint32Array(count) };
    let at = 0;
    for (const visitor of some) {
      const first = before(visitor);
      let shard = 0;
      while (first >= (ends[shard] as number)) shard++;
      const begin = first - (ends[shard - 1] ?? 0);
      for (let i = 0; i < (visits[visitor] as number); i++) {
        chosen.shard[at] = shard;
        chosen.visit[at++] = begin + i;
      }
    }
    return chosen;
  }
  return { count: order.length, takeVisits };
}

function readVisitors(shards: readonly Shard[]): Visitors {
  const count = shards.reduce((sum, { totals }) => sum + totals.visitors, 0);
  const all = { visits: new Uint8Array(count), start: new Int32Array(count), arrived: new Uint32Array(count) };
  let visitor = -1;
  for (const shard of shards) {
    const again = shard.column('again').codes;
    const starts = findStarts(shard);
    const second = shard.column('second').codes;
    const arrival = shard.column('arrival').codes;
    for (let visit = 0; visit < again.length; visit++) {
      if (again[visit] === 0) {
        visitor++;
        all.start[visitor] = second[starts[visit] as number] as number;
        all.arrived[visitor] = arrival[visit] as number;
      }
      all.visits[visitor] = (all.visits[visitor] as number) + 1;
    }
  }
  return all;
}

type InOrder = { count: number; takeVisits(from: number, to: number): Chosen };

/**
 * Sorts the indexes of a list by its numbers: [5, 2, 9] gives [1, 0, 2]. All numbers are different, so a loop over a
 * table of all possible numbers is faster than comparing.
 */
function sortByArrival(arrived: Uint32Array): Uint32Array {
  const largest = arrived.reduce((most, one) => Math.max(most, one), 0);
  const order = new Uint32Array(largest + 1);
  for (let i = 0; i < arrived.length; i++) order[arrived[i] as number] = i + 1;
  let count = 0;
  for (let i = 0; i <= largest; i++) if (order[i] !== 0) order[count++] = (order[i] as number) - 1;
  const found = order.slice(0, count);
  free(order);
  return found;
}
