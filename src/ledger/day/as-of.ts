// Makes a day that has only the hits of another day before a given second. For example, a report at 14:00 compares
// today with yesterday. The report counts yesterday only until 14:00.
//
// Invariant: hits at second `until` or later change nothing. A visit that still runs at second `until` is cut one
// second before `until`.
//
// Example: one visit runs from 13:50 to 14:20, and another from 14:10 to 14:30. At 14:00, only the first visit is left,
// with its hits before 14:00. This visit now lasts at most 599 s, until 13:59:59. query/measure.ts and query/scan.ts
// call this file.
import { makeColumn } from '../column/column.ts';
import type { Column } from '../column/packing.ts';
import type { Day } from './day.ts';
import { takeVisits } from './take-visits.ts';

/**
 * Returns the day with only the hits before second `until`. Of the totals, only the number of visits is set, because
 * the caller counts all figures from the columns.
 */
export function dayUntil(whole: Day, until: number): Day {
  const { visits, hits, counts } = findRowsBefore(whole, until);
  /** For each visit, the index of its first hit in the list `hits`. The last entry is the number of all hits. */
  const starts = new Uint32Array(counts.length + 1);
  for (const [visit, count] of counts.entries()) starts[visit + 1] = (starts[visit] as number) + count;
  const hitAt = (place: number): number => hits[place] as number;

  function countEvents(_: number, visit: number): number {
    const event = whole.column('event');
    let events = 0;
    for (let place = starts[visit] as number; place < (starts[visit + 1] as number); place++) {
      if (readValue(event, hitAt(place)) !== 0) events++;
    }
    return events;
  }
  function cutSeconds(row: number, visit: number): number {
    const begin = whole.column('second').codes[hitAt(starts[visit] as number)] as number;
    return Math.min(readValue(whole.column('seconds'), row), until - 1 - begin);
  }
  const findExit = (_: number, visit: number) =>
    readValue(whole.column('page'), hitAt((starts[visit + 1] as number) - 1));
  return takeVisits(whole, visits, () => hits, {
    hits: () => makeColumn('hits', counts),
    events: () => makeColumn('events', visits.map(countEvents)),
    seconds: () => makeColumn('seconds', visits.map(cutSeconds)),
    exit: () => makeColumn('exit', visits.map(findExit)),
  });
}

type RowsBefore = { visits: Uint32Array; hits: Uint32Array; counts: Uint32Array };

/**
 * Finds the visits with a hit before second `until`. The hits of a visit are sorted by time, so the entry page of each
 * of these visits stays the same.
 */
function findRowsBefore(day: Day, until: number): RowsBefore {
  const { codes: seconds } = day.column('second');
  const { codes: hitCounts } = day.column('hits');
  const visits = new Uint32Array(hitCounts.length);
  const counts = new Uint32Array(hitCounts.length);
  const hits = new Uint32Array(seconds.length);
  let [kept, size] = [0, 0];
  for (let visit = 0, hit = 0; visit < hitCounts.length; visit++) {
    const [begin, end] = [size, hit + (hitCounts[visit] as number)];
    for (; hit < end; hit++) if ((seconds[hit] as number) < until) hits[size++] = hit;
    if (size === begin) continue;
    visits[kept] = visit;
    counts[kept++] = size - begin;
  }
  return { visits: visits.subarray(0, kept), hits: hits.subarray(0, size), counts: counts.subarray(0, kept) };
}

const readValue = ({ terms, codes }: Column, row: number): number => terms[codes[row] as number] as number;
