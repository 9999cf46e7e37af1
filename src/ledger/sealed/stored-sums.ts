// Answers queries without filters from the stored sums of sealed days: totals, rollups and row sums. For a whole month,
// one month rollup is read.
//
// Invariant: a day counts once, either in the month rollup or with its own rollup. Days with stale sums are not counted
// here.
//
// Example: a query from March 30 to May 2 reads five rollups: 2 days, April, and 2 days. If the month rollup of April
// is missing, the query reads the rollups of its 30 days. query/day-reader.ts calls `makeSealedSums`, and
// query/from-sums.ts reads the result.
import { joinIds, listSealed, listSumDays, type SealedDay, sumSealed } from '../../catalog/sealed-days.ts';
import {
  addExcluded,
  addTimes,
  addTotals,
  type ExcludedVisits,
  noTimes,
  noTotals,
  type Times,
  type Totals,
} from '../../stats/aggregates.ts';
import { findFirstDay, monthNumber } from '../../stats/calendar.ts';
import type { Breakdown } from '../../stats/dimensions.ts';
import type { SumName } from '../../stats/metrics.ts';
import type { Range } from '../../stats/query.ts';
import { type Amounts, addAmounts } from '../../stats/revenue.ts';
import type { Db } from '../../store/db.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { RowCount } from '../count/term-counts.ts';
import { listSummed, type Summed } from './excluded-sums.ts';
import { findMonth, joinDayIds, type MonthName } from './month.ts';
import { readStoredRevenue } from './revenue-sums.ts';
import { type StoredRollup, unpackRollup } from './rollup.ts';
import { nameSums, readRows, readTimes, unpackSums } from './row-sums.ts';

/**
 * The stored sums of sealed days, without excluded visits. `pending` has the days with stale sums. The caller reads the
 * columns of these days instead.
 */
export type SealedSums = Pick<Summed, 'pending' | 'excluded' | 'untouched'> & {
  totals(range: Range): Totals;
  /**
   * Yields the rollups of a range. Each whole month has one month rollup. For all other days, or if a month rollup is
   * missing, yields a rollup for each day.
   */
  rollups(breakdown: Breakdown, range: Range): Generator<StoredRollup>;
  /**
   * Yields rollups with the row sums in `names`, such as bounces. Days without row sums are added to `lacking`, and the
   * caller then reads their columns, if they have columns.
   */
  rows(breakdown: Breakdown, names: readonly SumName[], range: Range, lacking: SealedDay[]): Generator<RowCount>;
  /**
   * Adds up the time on page. Days without a stored time are added to `lacking`, and the caller then reads their
   * columns, if they have columns.
   */
  times(range: Range, lacking: SealedDay[]): Times;
  /** Adds up the revenue by currency. Imported totals-only days have no known revenue, so they add nothing. */
  revenue(range: Range): Amounts;
};

type DaySource = {
  days(range: Range): SealedDay[];
  totals(range: Range): Totals;
  /**
   * Returns the ids of the days of a range, such as "81 82". A month rollup is used only if it was made from the days
   * with these ids. If a day has stale sums, there is no list of ids (undefined).
   */
  ids(range: Range): string | undefined;
};

export function makeSealedSums(
  db: Db,
  siteId: number,
  { ranges, exclusions, readDayRollup, readDayTimes, checkpoint }: SumsRequest,
): SealedSums {
  const summed = uniteSummed(
    exclusions.length === 0 ? [] : ranges.map((range) => listSummed(db, siteId, exclusions, range)),
  );
  const { days, totals, ids } = exclusions.length === 0 ? readWholeDays(db, siteId) : readSummedDays(summed);
  const { pending, excluded, untouched } = summed;

  /** Splits a range by month. A month rollup is read only if the whole month lies in the range. */
  function* splitByMonth({ from, to }: Range): Generator<Month> {
    for (let month = monthNumber(from); findFirstDay(month) < to; month++) {
      checkpoint();
      const whole = { from: findFirstDay(month), to: findFirstDay(month + 1) };
      const asked = { from: Math.max(from, whole.from), to: Math.min(to, whole.to) };
      const isWhole = asked.from === whole.from && asked.to === whole.to;
      const own = isWhole ? ids(whole) : undefined;
      yield {
        find: (name) => (isWhole ? findMonth(db, siteId, name, month, own) : undefined),
        days: () => days(asked),
      };
    }
  }

  return {
    ...{ pending, excluded, untouched, totals },
    *rollups(breakdown, range) {
      for (const month of splitByMonth(range)) {
        const rollup = month.find(breakdown);
        if (rollup) yield unpackRollup(breakdown, rollup);
        else for (const day of month.days()) yield readDayRollup(day, breakdown);
      }
    },
    *rows(breakdown, names, range, lacking) {
      for (const month of splitByMonth(range)) {
        const [packed, sums] = [month.find(breakdown), month.find(nameSums(breakdown))];
        if (packed && sums && sums.length > 0) {
          const rollup = unpackRollup(breakdown, packed);
          yield { ...rollup, more: unpackSums(breakdown, rollup, sums, names) };
        } else yield* readDayRows(month.days(), (day) => readRows(db, day, breakdown, names), lacking);
      }
    },
    times(range, lacking) {
      const sums = noTimes();
      // When a day becomes totals-only, its time on page is deleted. The cache of `readDayTimes` may still have this
      // time. So for totals-only days, the file is read in place of the cache.
      const withoutHits = new Set(listSumDays(db, siteId, range.from, range.to));
      for (const day of days(range)) {
        const times = withoutHits.has(day.day) ? readTimes(db, day) : readDayTimes(day);
        if (times) addTimes(sums, times);
        else lacking.push(day);
      }
      return sums;
    },
    revenue(range) {
      const sums: Amounts = {};
      for (const day of days(range)) addAmounts(sums, readStoredRevenue(db, day));
      return sums;
    },
  };
}

/**
 * Reads the days of a site without exclusions. Most sites have no exclusions. SQL adds up the totals of the days, which
 * is faster than reading each day.
 */
const readWholeDays = (db: Db, siteId: number): DaySource => ({
  days: ({ from, to }) => listSealed(db, siteId, from, to),
  totals: ({ from, to }) => sumSealed(db, siteId, from, to),
  ids: ({ from, to }) => joinIds(db, siteId, from, to),
});

function readSummedDays({ days, pending }: Summed): DaySource {
  const isIn =
    ({ from, to }: Range) =>
    ({ day }: SealedDay) =>
      day >= from && day < to;
  return {
    days: (range) => days.filter(isIn(range)),
    totals(range) {
      const sums = noTotals();
      for (const day of days.filter(isIn(range))) addTotals(sums, day);
      return sums;
    },
    ids: (range) => (pending.some(isIn(range)) ? undefined : joinDayIds(days.filter(isIn(range)))),
  };
}

function uniteSummed(all: readonly Summed[]): Summed {
  const excluded: ExcludedVisits = {};
  for (const one of all) addExcluded(excluded, one.excluded);
  return {
    excluded,
    days: all.flatMap(({ days }) => days),
    pending: all.flatMap(({ pending }) => pending),
    untouched: all.flatMap(({ untouched }) => untouched),
  };
}

function* readDayRows(
  days: readonly SealedDay[],
  read: (day: SealedDay) => RowCount | undefined,
  lacking: SealedDay[],
): Generator<RowCount> {
  for (const day of days) {
    const rows = read(day);
    if (rows) yield rows;
    else lacking.push(day);
  }
}

type Month = { find(name: MonthName): Buffer | undefined; days(): SealedDay[] };

export type SumsRequest = {
  ranges: readonly Range[];
  exclusions: readonly Exclusion[];
  readDayRollup(day: SealedDay, breakdown: Breakdown): StoredRollup;
  /** Reads the time on page of a day with hits. */
  readDayTimes(day: SealedDay): Times | undefined;
  checkpoint: () => void;
};
