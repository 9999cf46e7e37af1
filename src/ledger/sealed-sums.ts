import { listSealed, type SealedDay, sealedIds, sumOfSealed } from '../catalog/sealed-days.ts';
import { firstDayOf, monthNumber } from '../stats/calendar.ts';
import type { Breakdown } from '../stats/dimensions.ts';
import { type Aside, addAside, addTotals, noTotals, type Totals } from '../stats/measured.ts';
import type { Range } from '../stats/question.ts';
import type { Exclusion } from '../store/exclusions.ts';
import type { Db } from '../store/statements.ts';
import { findMonth, idsOf } from './months.ts';
import { listSummed, type Summed } from './reduced-days.ts';
import { type Rollup, readRollup, unpackRollup } from './rollups.ts';

/** The sums of the sealed days of a site, without what is set aside; days whose sums are still to be made are pending. */
export type SealedSums = Pick<Summed, 'pending' | 'aside' | 'untouched'> & {
  totals(range: Range): Totals;
  /** The unfiltered counts of a breakdown, by month if the whole month is in the range and added up, else by day. */
  rollups(breakdown: Breakdown, range: Range): Generator<Rollup>;
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
  totals: ({ from, to }) => sumOfSealed(db, siteId, from, to),
  ids: ({ from, to }) => sealedIds(db, siteId, from, to),
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
    ids: (range) => (pending.some(isIn(range)) ? undefined : idsOf(days.filter(isIn(range)))),
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

type Asked = { ranges: readonly Range[]; exclusions: readonly Exclusion[]; checkpoint: () => void };

export function sealedSums(db: Db, siteId: number, { ranges, exclusions, checkpoint }: Asked): SealedSums {
  const summed = united(
    exclusions.length === 0 ? [] : ranges.map((range) => listSummed(db, siteId, exclusions, range)),
  );
  const { days, totals, ids } = exclusions.length === 0 ? wholeDays(db, siteId) : summedDays(summed);
  const { pending, aside, untouched } = summed;
  return {
    ...{ pending, aside, untouched, totals },
    *rollups(breakdown, { from, to }) {
      for (let month = monthNumber(from); firstDayOf(month) < to; month++) {
        checkpoint();
        const whole = { from: firstDayOf(month), to: firstDayOf(month + 1) };
        const part = { from: Math.max(from, whole.from), to: Math.min(to, whole.to) };
        const isWhole = part.from === whole.from && part.to === whole.to;
        const data = isWhole ? findMonth(db, siteId, breakdown, month, ids(whole)) : undefined;
        if (data) yield unpackRollup(breakdown, data);
        else for (const day of days(part)) yield readRollup(db, day, breakdown);
      }
    },
  };
}
