import { noTotals } from '../../stats/measured.ts';
import { type Column, type ColumnName, isHitColumn, makeColumn, takeCodes } from '../column/column.ts';
import type { Day } from './day.ts';
import { lazily } from './shard.ts';

/** The rows of the visits and hits before a second of the day, and how many hits each visit has and had. */
type Rows = { visits: Uint32Array; hits: Uint32Array; counts: Uint32Array };

/** The hits of a visit are in order of time, and its visitor's visits too: what is cut off is always the end. */
function rowsBefore(day: Day, until: number): Rows {
  const { codes: seconds } = day.column('second');
  const { codes: hitsOf } = day.column('hits');
  const visits = new Uint32Array(hitsOf.length);
  const counts = new Uint32Array(hitsOf.length);
  const hits = new Uint32Array(seconds.length);
  let [kept, size] = [0, 0];
  for (let visit = 0, hit = 0; visit < hitsOf.length; visit++) {
    const [begin, end] = [size, hit + (hitsOf[visit] as number)];
    for (; hit < end; hit++) if ((seconds[hit] as number) < until) hits[size++] = hit;
    if (size === begin) continue;
    visits[kept] = visit;
    counts[kept++] = size - begin;
  }
  return { visits: visits.subarray(0, kept), hits: hits.subarray(0, size), counts: counts.subarray(0, kept) };
}

const valueAt = ({ terms, codes }: Column, row: number): number => terms[codes[row] as number] as number;

/**
 * A day as it was when a second of it began: later hits have not come, and a visit that goes on lasts until then. For how long a page
 * was seen is known of all of it only. Its totals are those that `select` needs.
 */
export function dayUntil(whole: Day, until: number): Day {
  const { visits, hits, counts } = rowsBefore(whole, until);
  /** The place of the first hit of each visit among those that are kept, and of the first after all. */
  const starts = new Uint32Array(counts.length + 1);
  for (const [visit, count] of counts.entries()) starts[visit + 1] = (starts[visit] as number) + count;
  const hitAt = (place: number): number => hits[place] as number;

  function eventsOf(_: number, visit: number): number {
    const event = whole.column('event');
    let events = 0;
    for (let place = starts[visit] as number; place < (starts[visit + 1] as number); place++) {
      if (valueAt(event, hitAt(place)) !== 0) events++;
    }
    return events;
  }
  function secondsOf(row: number, visit: number): number {
    const begin = whole.column('second').codes[hitAt(starts[visit] as number)] as number;
    return Math.min(valueAt(whole.column('seconds'), row), until - 1 - begin);
  }
  const exitOf = (_: number, visit: number) => valueAt(whole.column('page'), hitAt((starts[visit + 1] as number) - 1));
  const changes: Partial<Record<ColumnName, (row: number, visit: number) => number>> = {
    hits: (_, visit) => counts[visit] as number,
    events: eventsOf,
    seconds: secondsOf,
    exit: exitOf,
  };

  const column = lazily((name: ColumnName): Column => {
    const change = changes[name];
    if (change) return makeColumn(name, visits.map(change));
    const { terms, codes } = whole.column(name);
    return { terms, codes: takeCodes(codes, isHitColumn(name) ? hits : visits) };
  });
  return { day: whole.day, totals: { ...noTotals(), visits: visits.length }, column };
}
