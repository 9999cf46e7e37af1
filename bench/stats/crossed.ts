// Counts by two or three keys, as one table.
import type { Key } from './questions.ts';
import type { Asked } from './result.ts';
import { numbers } from './result.ts';
import { OF_VISITS, ofPages } from './rows.ts';
import { counted, type Selection, visits } from './sql.ts';

const PERIODS: Partial<Record<Key, { sql: string; length: number }>> = {
  day: { sql: 'day', length: 10 },
  week: { sql: "date_trunc('week', day)", length: 10 },
  month: { sql: "date_trunc('month', day)", length: 7 },
};

const OF_PAGEVIEWS = new Set<Key>(['page', 'hostname']);
const OF_EVENTS = new Set<Key>(['event', 'plan']);

/** Selects what the rows count: visits, or the pageviews or all hits that have the keys. */
function choose(by: readonly Key[], chosen: Selection): { from: string; isOfVisits: boolean } {
  if (by.some((key) => OF_EVENTS.has(key))) return { from: counted(chosen), isOfVisits: false };
  const isOfPageviews = by.some((key) => OF_PAGEVIEWS.has(key));
  return { from: isOfPageviews ? counted(chosen, ["event = ''"]) : visits(chosen), isOfVisits: !isOfPageviews };
}

export async function crossed(asked: Asked, chosen: Selection) {
  const { by = [], metrics = [] } = asked.question;
  const { from, isOfVisits } = choose(by, chosen);
  const known = isOfVisits ? OF_VISITS : ofPages(asked);
  const own = metrics.flatMap((name) => (known[name] ? [{ name, figure: known[name] }] : []));
  const keys = by.map((key, i) => `${PERIODS[key]?.sql ?? key} AS k${i}`);
  const names = by.map((_, i) => `k${i}`).join(', ');
  const columns = [
    ...keys,
    `${asked.dialect.distinct('visitor')} AS visitors`,
    ...own.flatMap(({ figure }) => figure.sums),
  ];
  const rows = await asked.run(`SELECT * FROM (SELECT ${columns.join(', ')} FROM ${from} GROUP BY ${names}) AS r
    ORDER BY visitors DESC, ${names} LIMIT ${asked.limit}`);
  return {
    by: by.map((key) => (key === 'plan' ? 'property:plan' : key)),
    rows: rows.map((row) => {
      const [visitors = 0, ...sums] = numbers(row.slice(by.length));
      const shown = own.map(({ name, figure }) => [name, figure.shown(visitors, sums.splice(0, figure.sums.length))]);
      return {
        by: by.map((key, i) => String(row[i]).slice(0, PERIODS[key]?.length)),
        metrics: { visitors, ...Object.fromEntries(shown) },
      };
    }),
  };
}
