// Suggests exclusions for a day with far more visits than usual. The servers give two samples: visits of the day, and
// visits of this weekday in earlier weeks. stats/suggest.ts compares the samples.
//
// Invariant: a suggestion says how many visits it would exclude. All visits are counted for that, not only the sample.
//
// Example: a Tuesday has 100,000 visits, ten times as many as usual. About one of ten visits is read, from this Tuesday
// and from earlier Tuesdays. One suggestion is `country is XX`, which would exclude 90,000 visits. queries.ts calls
// `suggestExclusions`.
import { noTotals } from '../../stats/aggregates.ts';
import { chooseSample, suggestFrom } from '../../stats/suggest.ts';
import { listCompared, listWeeksBefore, type Suggestion, type SuggestQuery } from '../../stats/suggestion.ts';
import { type DayVisits, makeVisits, ONE_PAGE, TEXT_ATTRIBUTES, type Visits } from '../../stats/visit-table.ts';
import type { Db } from '../../store/db.ts';
import type { Nodes } from '../servers/nodes.ts';
import { matchExclusion } from './aggregate.ts';
import { readKnownDays } from './catalog-snapshot.ts';
import { listVisitedDays, previewExclusion } from './days.ts';
import { buildBinder } from './filters.ts';
import { selectVisits } from './visible-rows.ts';
import { listFields } from './visits.ts';

type Deps = { db: Db; nodes: Nodes; signal?: AbortSignal | undefined };

/** Suggests exclusions of bot visits on a day. Figures change only after the owner adds one of the exclusions. */
export async function suggestExclusions(deps: Deps, query: SuggestQuery): Promise<Suggestion[]> {
  const { siteId, range } = query;
  const before = listWeeksBefore(query);
  const { slices } = readKnownDays(deps.db, siteId, before).shown;
  const totalsOnly = slices.filter(({ hasHits }) => hasHits === 0).map(({ day }) => day);
  const days = listCompared(query, { visited: await listVisitedDays(deps, siteId, before), totalsOnly });
  const { rows, oneOf } = await listVisits(deps, siteId, days);
  const terms = buildTerms();
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const [now = [], ...weeks] = days.map(({ day }): DayVisits => [buildTable(byDay.get(day) ?? [], terms)]);
  const found = suggestFrom({ day: range.from, now, before: weeks, oneOf }, terms.findText);
  return await Promise.all(
    found.map(async ({ suggestion, filters }) => {
      const [taken] = (await previewExclusion(deps, siteId, range, filters)).days;
      return { ...suggestion, totals: taken?.totals ?? noTotals() };
    }),
  );
}

/** Gives each text, such as a country, a number. Numbers are compared faster than texts. */
function buildTerms() {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  return {
    findText: (term: number): string => texts[term] ?? '',
    findTerm(text: string): number {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, texts.length);
      return texts.push(text) - 1;
    },
  };
}
type Terms = ReturnType<typeof buildTerms>;

type SampleRow = Record<(typeof TEXT_ATTRIBUTES)[number], string> & { day: number; one: number };

const buildTable = (rows: readonly SampleRow[], { findTerm }: Terms): Visits =>
  makeVisits((name) => {
    if (name === 'pageviews') return { terms: [0, ONE_PAGE], codes: Uint8Array.from(rows, ({ one }) => one) };
    const own = [...new Set(rows.map((row) => row[name]))];
    const codes = new Map(own.map((text, code) => [text, code]));
    return { terms: own.map(findTerm), codes: Uint32Array.from(rows, (row) => codes.get(row[name]) ?? 0) };
  });

/**
 * Reads about one of every `oneOf` visits, because a day may have millions. `until` is a time of day, in seconds: only
 * visits that begin earlier are read. `until` is infinite if the day of the query is over.
 */
async function listVisits(
  { db, nodes, signal }: Deps,
  siteId: number,
  days: readonly { day: number; until: number }[],
) {
  const ranges = days.map(({ day }) => ({ from: day, to: day + 1 }));
  const all = ranges.map(({ from }) => from);
  const { shown, exclusions } = readKnownDays(db, siteId, { from: Math.min(...all), to: Math.max(...all) + 1 });
  const { values, bind } = buildBinder();
  const taken = exclusions.map((one) => `NOT ${matchExclusion(one, bind)}`);
  const ends = days.flatMap(({ day, until }) =>
    Number.isFinite(until) ? [`(day <> ${day} OR start < ${until})`] : [],
  );
  const where = [...taken, ...ends].join(' AND ') || '1';
  const columns = `day, ${TEXT_ATTRIBUTES.join(', ')}, pageviews = 1 AS one, visitor, start`;
  const scanned = shown.slices.filter(({ hasHits, day }) => hasHits === 1 && all.includes(day));
  const visits = selectVisits(siteId, ranges, { shown, scanned }, listFields(`${columns} ${where}`));
  const from = `SELECT ${columns} FROM (${visits}) WHERE ${where}`;
  const found = await nodes.ask<{ n: number }>(`SELECT count() AS n FROM (${from})`, values, signal);
  const oneOf = chooseSample(found.reduce((sum, { n }) => sum + n, 0));
  const sample = oneOf === 1 ? '1' : `cityHash64(visitor, start) % ${oneOf} = 0`;
  const rows = await nodes.ask<SampleRow>(
    `SELECT day, ${TEXT_ATTRIBUTES.join(', ')}, one FROM (${from}) WHERE ${sample} ORDER BY day, start, visitor`,
    values,
    signal,
  );
  return { rows, oneOf };
}
