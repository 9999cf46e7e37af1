// Adds to aggregates which sums are not known. Some imports lack a sum; an engine keeps 0 for it, and the catalog knows
// that it is no real 0, so both engines answer alike (test/exchange/unknown-sums.test.ts).

import { askSite, type SharedMeasured, type SharedQuestion } from '../stats/all-sites.ts';
import type { Measured } from '../stats/measured.ts';
import { listRanges, type Question } from '../stats/question.ts';
import { listLacks, listUnknownTotals } from '../stats/unknown.ts';
import type { Db } from '../store/db.ts';
import { listUnknown } from './sealed-days.ts';

/** Adds the unknown sums to the aggregates of a query. */
export const withUnknown = (db: Db, question: Question, measured: Measured): Measured => ({
  ...measured,
  ...findUnknown(db, question, measured.leftOut),
});

/** Adds the unknown sums to the aggregates of several sites. A sum that one site lacks is unknown for all together. */
export function withUnknownOfSites(db: Db, asked: SharedQuestion, found: SharedMeasured): SharedMeasured {
  const bySite = new Map(found.bySite.map((one) => [one.siteId, one]));
  const unknown: Measured['unknown'] = [];
  for (const site of asked.sites) {
    const { siteId } = site;
    const told = bySite.get(siteId) ?? { siteId, leftOut: [], aside: {}, untouched: [] };
    const { unknown: own = [], lacks } = findUnknown(db, askSite(asked, site).question, told.leftOut);
    if (lacks) bySite.set(siteId, { ...told, lacks });
    for (const [i, names] of own.entries()) unknown[i] = [...(unknown[i] ?? []), ...names];
  }
  return { measured: { ...found.measured, unknown }, bySite: [...bySite.values()] };
}

type Told = Pick<Measured, 'unknown' | 'lacks'>;

/** Finds the unknown sums of the days that a query counts. Days that the query leaves out lack nothing. */
function findUnknown(db: Db, question: Question, leftOut: readonly number[]): Told {
  const days = listRanges(question)
    .flatMap(({ from, to }) => listUnknown(db, question.siteId, from, to))
    .filter(({ day }) => !leftOut.includes(day));
  return days.length === 0 ? {} : { unknown: listUnknownTotals(question, days), lacks: listLacks(question, days) };
}
