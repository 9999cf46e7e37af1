import { askSite, type SharedMeasured, type SharedQuestion } from '../stats/all-sites.ts';
import type { Measured } from '../stats/measured.ts';
import { listRanges, type Question } from '../stats/question.ts';
import { listLacks, listUnknownTotals } from '../stats/unknown.ts';
import type { Db } from '../store/db.ts';
import { listUnknown } from './sealed-days.ts';

/*
 * Sums that imports did not have. An engine keeps 0 for them. The catalog says which sums of which day are not known, so that all
 * engines answer alike. Test: test/exchange/unknown-sums.test.ts.
 */

type Told = Pick<Measured, 'unknown' | 'lacks'>;

/** What is not known of the days that a query counts. Days that it leaves out lack nothing. */
function unknownIn(db: Db, question: Question, leftOut: readonly number[]): Told {
  const days = listRanges(question)
    .flatMap(({ from, to }) => listUnknown(db, question.siteId, from, to))
    .filter(({ day }) => !leftOut.includes(day));
  return days.length === 0 ? {} : { unknown: listUnknownTotals(question, days), lacks: listLacks(question, days) };
}

/** Adds to the aggregates of an engine what is not known. */
export const withUnknown = (db: Db, question: Question, measured: Measured): Measured => ({
  ...measured,
  ...unknownIn(db, question, measured.leftOut),
});

/** Adds what is not known to the aggregates of several sites. A sum that one site lacks is not known of all together. */
export function withUnknownOfSites(db: Db, asked: SharedQuestion, found: SharedMeasured): SharedMeasured {
  const bySite = new Map(found.bySite.map((one) => [one.siteId, one]));
  const unknown: Measured['unknown'] = [];
  for (const site of asked.sites) {
    const { siteId } = site;
    const told = bySite.get(siteId) ?? { siteId, leftOut: [], aside: {}, untouched: [] };
    const { unknown: own = [], lacks } = unknownIn(db, askSite(asked, site).question, told.leftOut);
    if (lacks) bySite.set(siteId, { ...told, lacks });
    for (const [i, names] of own.entries()) unknown[i] = [...(unknown[i] ?? []), ...names];
  }
  return { measured: { ...found.measured, unknown }, bySite: [...bySite.values()] };
}
