// Counts the visitors who are active now, and what visitors looked at in the last 30 minutes.
//
// Invariant: a visitor with a hit in the last 300 seconds is active.
//
// Example: at 00:02, yesterday and today are read. A person with hits on both days counts twice, because visitor codes
// change at midnight. work/tasks.ts calls this file, and all-sites.ts calls it for the sum of all sites.
import { DAY } from '../../lib/time.ts';
import { addExcluded, type ExcludedVisits, type Lately, LIVE_BREAKDOWNS, type Minute } from '../../stats/aggregates.ts';
import { findLiveStart, findMinutesStart, LIVE_MINUTES, LIVE_ROWS } from '../../stats/definitions.ts';
import { findColumnDimension } from '../../stats/dimensions.ts';
import type { Of } from '../../stats/query.ts';
import type { Numbers } from '../column/packing.ts';
import { addDay, listCounts } from '../count/breakdown.ts';
import { type Conditions, isUnfiltered } from '../count/conditions.ts';
import { makeReducer, type Reducer } from '../count/exclude.ts';
import { makeConditions } from '../count/filters.ts';
import { type HitTest, makeMatches, makeNarrowing, makeZeros, PAGEVIEW, readPage } from '../count/hit-filter.ts';
import { narrowByValue, select } from '../count/select.ts';
import { makeSums } from '../count/term-counts.ts';
import { countVisitorsBetween } from '../count/totals.ts';
import { type Day, findFirstVisit, findStarts, readEnds, type Selection } from '../day/day.ts';
import type { LiveDay } from '../open/open-day-cache.ts';
import type { Texts } from '../rows/terms.ts';
import { listTopRows } from '../rows/top-terms.ts';
import type { DayReader } from './day-reader.ts';

const MINUTE = 60;

/**
 * Counts the visitors with a hit in the last 300 seconds. Around midnight, two days are read, and their counts are
 * added up.
 */
export function countLive(days: DayReader, texts: Texts, asked: Of<'realtime'>): LiveCount {
  const { siteId, range, now } = asked;
  const from = findLiveStart(now);
  const how = prepareSelecting(days, texts, asked, from);
  let visitors = 0;
  for (const live of days.live(siteId, range)) {
    const start = live.day * DAY;
    if (how.isOfAll && live.visitors) visitors += live.visitors({ from: from - start, to: now + 1 - start });
    else for (const selected of selectActive(live, how)) visitors += countNow(selected, now);
  }
  return { visitors, excluded: how.excluded };
}

/**
 * Counts visitors and pageviews of the last 30 minutes, minute by minute. Also lists the pages, sources, countries and
 * events with the most visitors in this time.
 */
export function lookLately(days: DayReader, texts: Texts, asked: Of<'live'>): LiveCount & { lately: Lately } {
  const { now } = asked;
  const from = findMinutesStart(now);
  const how = prepareSelecting(days, texts, asked, from);
  let visitors = 0;
  const minutes = Array.from({ length: LIVE_MINUTES }, () => ({ visitors: 0, pageviews: 0 }));
  const sums = LIVE_BREAKDOWNS.map((name) => [name, makeSums()] as const);
  for (const live of days.live(asked.siteId, asked.range)) {
    for (const selected of selectActive(live, how)) {
      const { day, selection, start } = selected;
      visitors += countNow(selected, now);
      const hits = hitsBetween(selected, from - start, now + 1 - start);
      addMinutes(minutes, selected, hits, from - start);
      const lately = keepWithHit(day, selection, hits, [1, 2]);
      for (const [name, own] of sums) {
        const of = { breakdown: name, column: day.column(findColumnDimension(name)) };
        addDay(own, day, of, lately, { where: [[readPage, () => ({ codes: hits, code: 1 })]] });
      }
    }
  }
  const rows = sums.map(([name, own]) => {
    const { terms, visitors } = listCounts(own, name);
    const top = listTopRows(terms, visitors, { limit: LIVE_ROWS }, texts.readText);
    return [name, top.map(({ value, place }) => ({ value, visitors: visitors[place] ?? 0 }))] as const;
  });
  return { visitors, excluded: how.excluded, lately: { minutes, rows: Object.fromEntries(rows) as Lately['rows'] } };
}

/**
 * Returns the selected visits that have a hit in a range. `codes` has a number for each hit, such as its time in
 * seconds. A hit is in the range if its number is at least `from` and below `to`.
 */
function keepWithHit(
  day: Day,
  { visits, count }: Selection,
  codes: Numbers,
  [from, to]: readonly [number, number],
): Selection {
  const starts = findStarts(day);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const end = starts[visit + 1] as number;
    visits[size] = visit;
    let hit = starts[visit] as number;
    while (hit < end && ((codes[hit] as number) < from || (codes[hit] as number) >= to)) hit++;
    if (hit < end) size++;
  }
  return { visits, count: size };
}

/** Returns the selected visits that ended at second `from` or later. */
function keepLasting(day: Day, { visits, count }: Selection, from: number): Selection {
  const ends = readEnds(day);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    visits[size] = visit;
    if ((ends[visit] as number) >= from) size++;
  }
  return { visits, count: size };
}

type LiveQuery = Pick<Of<'realtime'>, 'siteId' | 'range' | 'filters' | 'now'>;

/**
 * The selected visits of a day. A hit must pass `narrowing` to count. `start` is 00:00 UTC of the day, in seconds since
 * 1970.
 */
type Selected = { day: Day; selection: Selection; narrowing: HitTest; start: number };

/**
 * How active visits are selected. `from` and `now` are in seconds since 1970. `excluded` counts the visits with a hit
 * since `from` that exclusions leave out.
 */
type Selecting = {
  conditions: Conditions;
  reducer: Reducer;
  /**
   * True if there are neither filters nor exclusions. Active visitors are then counted by their latest hits, without
   * sessionizing.
   */
  isOfAll: boolean;
  from: number;
  now: number;
  excluded: ExcludedVisits;
};

function prepareSelecting(days: DayReader, texts: Texts, { siteId, filters, now }: LiveQuery, from: number): Selecting {
  const conditions = makeConditions(filters, texts);
  const exclusions = days.exclusions(siteId);
  const isOfAll = isUnfiltered(conditions) && exclusions.length === 0;
  return { conditions, reducer: makeReducer(exclusions, texts), isOfAll, from, now, excluded: {} };
}

function* selectActive(live: LiveDay, { conditions, reducer, from, now, excluded }: Selecting): Generator<Selected> {
  const start = live.day * DAY;
  for (const { day, counted } of live.since(from - start)) {
    if (day.totals.visits === 0) continue;
    const found = reducer.findExcluded(day, (some) =>
      counted(keepWithHit(day, some, day.column('second').codes, [from - start, now + 1 - start])),
    );
    if (found) addExcluded(excluded, found.excluded);
    const lately = counted(keepLasting(day, select(day, conditions), from - start));
    const selection = found ? narrowByValue(lately, { codes: found.isExcluded, code: 0 }) : lately;
    yield { day, selection, narrowing: conditions.narrowing, start };
  }
}

const countNow = ({ day, selection, narrowing, start }: Selected, now: number): number =>
  countVisitorsBetween(day, selection, narrowing, [findLiveStart(now) - start, now + 1 - start]);

export type LiveCount = { visitors: number; excluded: ExcludedVisits };

/**
 * Returns a 1 for each hit that counts, and otherwise a 0. The visit of the hit must be selected. The hit must pass the
 * filters on hits, such as by page. The time of the hit must be at least `from` and below `to`.
 */
function hitsBetween({ day, selection, narrowing }: Selected, from: number, to: number): Uint8Array {
  const hits = makeZeros(day);
  const starts = findStarts(day);
  const second = day.column('second').codes;
  const narrow = makeNarrowing(day, narrowing);
  for (let i = 0; i < selection.count; i++) {
    const visit = selection.visits[i] as number;
    for (let hit = starts[visit] as number; hit < (starts[visit + 1] as number); hit++) {
      const at = second[hit] as number;
      if (at >= from && at < to && (!narrow || narrow.codes[hit] === narrow.code)) hits[hit] = 1;
    }
  }
  return hits;
}

/**
 * Counts the visitors and pageviews of each minute. `hits` has a 1 for each hit that counts, and `from` is the start of
 * the first minute. In each minute, a visitor counts only once. One loop is enough for this, because hits are sorted by
 * visitor and then by time.
 */
function addMinutes(minutes: Minute[], { day, selection }: Selected, hits: Uint8Array, from: number): void {
  const starts = findStarts(day);
  const second = day.column('second').codes;
  const again = day.column('again').codes;
  const [pageview] = makeMatches(day, { event: PAGEVIEW });
  let [latestVisit, latest] = [-1, -1];
  for (let i = 0; i < selection.count; i++) {
    const visit = selection.visits[i] as number;
    if (again[visit] === 0 || findFirstVisit(again, visit) > latestVisit) latest = -1;
    latestVisit = visit;
    for (let hit = starts[visit] as number; hit < (starts[visit + 1] as number); hit++) {
      if (hits[hit] === 0) continue;
      const place = Math.floor(((second[hit] as number) - from) / MINUTE);
      const minute = minutes[place] as Minute;
      if (place > latest) minute.visitors++;
      if (pageview?.codes[hit] === pageview?.code) minute.pageviews++;
      latest = place;
    }
  }
}
