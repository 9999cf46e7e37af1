import { joinIds, listSealed, type SealedDay, sumSealed } from '../../catalog/sealed-days.ts';
import { findFirstDay, monthNumber } from '../../stats/calendar.ts';
import type { Breakdown } from '../../stats/dimensions.ts';
import {
  type Aside,
  addAside,
  addTimes,
  addTotals,
  noTimes,
  noTotals,
  type Times,
  type Totals,
} from '../../stats/measured.ts';
import type { Range } from '../../stats/question.ts';
import type { Db } from '../../store/db.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { RowCount } from '../count/term-counts.ts';
import { listSummed, type Summed } from './excluded-sums.ts';
import { findMonth, joinDayIds, type MonthName } from './month.ts';
import { type StoredRollup, unpackRollup } from './rollup.ts';
import { readRows, readTimes, sumsName, unpackSums } from './row-sums.ts';

/** The sums of the sealed days of a site, without what is set aside; days whose sums are still to be made are pending. */
export type SealedSums = Pick<Summed, 'pending' | 'aside' | 'untouched'> & {
  totals(range: Range): Totals;
  /** The unfiltered counts of a breakdown, by month if the whole month is in the range and added up, else by day. */
  rollups(breakdown: Breakdown, range: Range): Generator<StoredRollup>;
  /** The same with the sums of their rows. Days that do not have them are left to whoever asks. */
  rows(breakdown: Breakdown, range: Range, lacking: SealedDay[]): Generator<RowCount>;
  /** The time for which pages were seen. */
  times(range: Range, lacking: SealedDay[]): Times;
};

type Source = {
  days(range: Range): SealedDay[];
  totals(range: Range): Totals;
  /** As month rollups name their days; undefined where one is pending. */
  ids(range: Range): string | undefined;
};

/** Most sites have no exclusions: their sums are added up by SQL. */
const wholeDays = (db: Db, siteId: number): Source => ({
  days: ({ from, to }) => listSealed(db, siteId, from, to),
  totals: ({ from, to }) => sumSealed(db, siteId, from, to),
  ids: ({ from, to }) => joinIds(db, siteId, from, to),
});

function summedDays({ days, pending }: Summed): Source {
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

function united(all: readonly Summed[]): Summed {
  const aside: Aside = {};
  for (const one of all) addAside(aside, one.aside);
  return {
    aside,
    days: all.flatMap(({ days }) => days),
    pending: all.flatMap(({ pending }) => pending),
    untouched: all.flatMap(({ untouched }) => untouched),
  };
}

function* rowsOf(db: Db, breakdown: Breakdown, days: readonly SealedDay[], lacking: SealedDay[]): Generator<RowCount> {
  for (const day of days) {
    const rows = readRows(db, day, breakdown);
    if (rows) yield rows;
    else lacking.push(day);
  }
}

type Month = { find(name: MonthName): Buffer | undefined; days(): SealedDay[] };

type Asked = {
  ranges: readonly Range[];
  exclusions: readonly Exclusion[];
  rollupOf(day: SealedDay, breakdown: Breakdown): StoredRollup;
  checkpoint: () => void;
};

export function sealedSums(db: Db, siteId: number, { ranges, exclusions, rollupOf, checkpoint }: Asked): SealedSums {
  const summed = united(
    exclusions.length === 0 ? [] : ranges.map((range) => listSummed(db, siteId, exclusions, range)),
  );
  const { days, totals, ids } = exclusions.length === 0 ? wholeDays(db, siteId) : summedDays(summed);
  const { pending, aside, untouched } = summed;

  /** The months that a range has days of. What was added up of a month is found only if all of it is in the range. */
  function* monthsIn({ from, to }: Range): Generator<Month> {
    for (let month = monthNumber(from); findFirstDay(month) < to; month++) {
      checkpoint();
      const whole = { from: findFirstDay(month), to: findFirstDay(month + 1) };
      const part = { from: Math.max(from, whole.from), to: Math.min(to, whole.to) };
      const isWhole = part.from === whole.from && part.to === whole.to;
      const own = isWhole ? ids(whole) : undefined;
      yield {
        find: (name) => (isWhole ? findMonth(db, siteId, name, month, own) : undefined),
        days: () => days(part),
      };
    }
  }

  return {
    ...{ pending, aside, untouched, totals },
    *rollups(breakdown, range) {
      for (const month of monthsIn(range)) {
        const rollup = month.find(breakdown);
        if (rollup) yield unpackRollup(breakdown, rollup);
        else for (const day of month.days()) yield rollupOf(day, breakdown);
      }
    },
    *rows(breakdown, range, lacking) {
      for (const month of monthsIn(range)) {
        const [packed, sums] = [month.find(breakdown), month.find(sumsName(breakdown))];
        if (packed && sums && sums.length > 0) {
          const rollup = unpackRollup(breakdown, packed);
          yield { ...rollup, more: unpackSums(breakdown, rollup, sums) };
        } else yield* rowsOf(db, breakdown, month.days(), lacking);
      }
    },
    times(range, lacking) {
      const sums = noTimes();
      for (const day of days(range)) {
        const times = readTimes(db, day);
        if (times) addTimes(sums, times);
        else lacking.push(day);
      }
      return sums;
    },
  };
}
