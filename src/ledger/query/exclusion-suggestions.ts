// Suggests exclusions for a day with unusual traffic, such as many bots.
//
// Invariant: a suggestion changes nothing. The comparison with the weeks before leaves out visits that are already
// excluded.
//
// Example: 400 visits of a day are from one country. In the weeks before, about 10 visits a day were from this country.
// The suggestion is to exclude the visits from this country on this day. work/tasks.ts calls this file.
import { noTotals } from '../../stats/aggregates.ts';
import { chooseSample, suggestFrom } from '../../stats/suggest.ts';
import { listCompared, listWeeksBefore, type Suggestion, type SuggestQuery } from '../../stats/suggestion.ts';
import { type DayVisits, makeVisits, ONE_PAGE, type Visits } from '../../stats/visit-table.ts';
import { makeReducer } from '../count/exclude.ts';
import { countAllPageviews } from '../count/per-visit.ts';
import { QUARTERS } from '../count/quarter-hours.ts';
import { type Day, findStarts } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';
import type { DayReader } from './day-reader.ts';
import { previewExclusion } from './exclusion-preview.ts';

/** Suggests values, such as a country, that were far less frequent in the weeks before. */
export function suggest(days: DayReader, texts: Texts, query: SuggestQuery): Suggestion[] {
  const { siteId, range } = query;
  const { from, to } = listWeeksBefore(query);
  const known = { visited: [...days.visited(siteId, from, to)], totalsOnly: [...days.sumDays(siteId, from, to)] };
  const asked = listCompared(query, known);
  const reducer = makeReducer(days.exclusions(siteId), texts);
  const read = (day: number): Iterable<Day> => days.days(siteId, day, day + 1);
  const all = asked.flatMap(({ day }) => [...read(day)].map(({ totals }) => totals.visits));
  const oneOf = chooseSample(all.reduce((sum, visits) => sum + visits, 0));
  const [now = [], ...before] = asked.map(({ day, until }): DayVisits => {
    const partials: Visits[] = [];
    for (const partial of read(day)) partials.push(sampleVisits(reducer.reduce(partial).day, until, oneOf));
    return partials;
  });
  return suggestFrom({ day: range.from, now, before, oneOf }, texts.readText).map(({ suggestion, filters }) => {
    const [taken] = previewExclusion(days, texts, { siteId, range, filters }).days;
    return { ...suggestion, totals: taken?.totals ?? noTotals() };
  });
}

/**
 * Returns a function that tells whether a visit began before second `until` of the day. `until` must be the start of a
 * quarter hour, or Infinity. The function can then read the quarter hours of hits, which is faster than reading their
 * seconds.
 */
function beganBefore(day: Day, until: number): (visit: number) => boolean {
  if (until === Number.POSITIVE_INFINITY) return () => true;
  const { codes: quarters } = day.quarters?.() ?? {};
  const isQuick = quarters !== undefined && quarters.length > 0;
  const moments = isQuick ? quarters : day.column('second').codes;
  const end = isQuick ? (until - QUARTERS.from) / QUARTERS.unit : until;
  const starts = findStarts(day);
  return (visit) => (moments[starts[visit] as number] as number) < end;
}

/**
 * Copies every `oneOf`-th visit of a day, without visits that began at second `until` or later. The columns are copied,
 * because the shards of an open day share buffers, and the next shard overwrites them.
 */
function sampleVisits(day: Day, until: number, oneOf: number): Visits {
  const isIn = beganBefore(day, until);
  const rows: number[] = [];
  for (let visit = 0; visit < day.totals.visits; visit += oneOf) if (isIn(visit)) rows.push(visit);
  const pageviews = countAllPageviews(day);
  return makeVisits((name) => {
    if (name === 'pageviews')
      return { terms: [0, ONE_PAGE], codes: Uint8Array.from(rows, (row) => Number(pageviews[row] === 1)) };
    const { terms, codes } = day.column(name);
    return { terms: terms.slice(), codes: Uint32Array.from(rows, (row) => codes[row] as number) };
  });
}
