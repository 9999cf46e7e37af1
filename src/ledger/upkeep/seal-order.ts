import { free } from '../column/packing.ts';
import { findStarts } from '../day/day.ts';
import { sortByTime } from '../day/sessionize.ts';
import { type Shard, sumBefore } from '../day/shard.ts';
import type { Chosen } from '../day/take-visits.ts';

/** How many visits each visitor has, part after part and in the order of their parts, and the moments by which they are put into order. */
type Visitors = { visits: Uint8Array; start: Int32Array; arrived: Uint32Array };

function visitorsIn(parts: readonly Shard[]): Visitors {
  const count = parts.reduce((sum, { totals }) => sum + totals.visitors, 0);
  const all = { visits: new Uint8Array(count), start: new Int32Array(count), arrived: new Uint32Array(count) };
  let visitor = -1;
  for (const part of parts) {
    const again = part.column('again').codes;
    const starts = findStarts(part);
    const second = part.column('second').codes;
    const arrival = part.column('arrival').codes;
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

/** Gives the visits of visitors, numbered in the order in which they came. Ten million take 50 MB, and 130 MB meanwhile. */
type InOrder = { count: number; visitsOf(from: number, to: number): Chosen };

export function orderVisitors(parts: readonly Shard[]): InOrder {
  const { start, arrived, visits } = visitorsIn(parts);
  const arrivals = byArrival(arrived);
  free(arrived);
  const order = sortByTime(arrivals, start);
  free(start);
  free(arrivals);
  const before = sumBefore(visits);
  const ends: number[] = [];
  for (const { totals } of parts) ends.push((ends.at(-1) ?? 0) + totals.visits);

  /** All visits of the visitors `from` to before `to`. Those of one follow each other. */
  function visitsOf(from: number, to: number): Chosen {
    const some = order.subarray(from, to);
    const count = some.reduce((sum, visitor) => sum + (visits[visitor] as number), 0);
    const chosen: Chosen = { shard: new Uint16Array(count), visit: new Uint32Array(count) };
    let at = 0;
    for (const visitor of some) {
      const first = before(visitor);
      let part = 0;
      while (first >= (ends[part] as number)) part++;
      const begin = first - (ends[part - 1] ?? 0);
      for (let i = 0; i < (visits[visitor] as number); i++) {
        chosen.shard[at] = part;
        chosen.visit[at++] = begin + i;
      }
    }
    return chosen;
  }
  return { count: order.length, visitsOf };
}

/** The indexes of numbers that are all different, in the order of the numbers. */
function byArrival(arrived: Uint32Array): Uint32Array {
  const largest = arrived.reduce((most, one) => Math.max(most, one), 0);
  const order = new Uint32Array(largest + 1);
  for (let i = 0; i < arrived.length; i++) order[arrived[i] as number] = i + 1;
  let count = 0;
  for (let i = 0; i <= largest; i++) if (order[i] !== 0) order[count++] = (order[i] as number) - 1;
  const found = order.slice(0, count);
  free(order);
  return found;
}
