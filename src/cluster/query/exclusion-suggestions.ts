import { noTotals } from '../../stats/measured.ts';
import { chooseSample, suggestFrom } from '../../stats/suggest.ts';
import { listCompared, listWeeksBefore, type Suggestion, type SuggestQuestion } from '../../stats/suggestion.ts';
import { type DayVisits, makeVisits, ONE_PAGE, TEXT_ATTRIBUTES, type Visits } from '../../stats/visit-table.ts';
import type { Db } from '../../store/db.ts';
import type { Nodes } from '../servers/nodes.ts';
import { takenBy } from './aggregate.ts';
import { knownOf } from './catalog-snapshot.ts';
import { previewOf, visitedDays } from './days.ts';
import { binder } from './filters.ts';
import { visitsOf } from './visible-rows.ts';
import { fieldsIn } from './visits.ts';

type Deps = { db: Db; nodes: Nodes; gone?: AbortSignal | undefined };

/** Numbers for the texts of visits. */
function termsOf() {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  return {
    textOf: (term: number): string => texts[term] ?? '',
    termOf(text: string): number {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, texts.length);
      return texts.push(text) - 1;
    },
  };
}
type Terms = ReturnType<typeof termsOf>;

type Row = Record<(typeof TEXT_ATTRIBUTES)[number], string> & { day: number; one: number };

const tableOf = (rows: readonly Row[], { termOf }: Terms): Visits =>
  makeVisits((name) => {
    if (name === 'pageviews') return { terms: [0, ONE_PAGE], codes: Uint8Array.from(rows, ({ one }) => one) };
    const own = [...new Set(rows.map((row) => row[name]))];
    const codes = new Map(own.map((text, code) => [text, code]));
    return { terms: own.map(termOf), codes: Uint32Array.from(rows, (row) => codes.get(row[name]) ?? 0) };
  });

/** The visits of some days up to a second of each, one of so many. */
async function listVisits({ db, nodes, gone }: Deps, siteId: number, days: readonly { day: number; until: number }[]) {
  const ranges = days.map(({ day }) => ({ from: day, to: day + 1 }));
  const all = ranges.map(({ from }) => from);
  const { shown, exclusions } = knownOf(db, siteId, { from: Math.min(...all), to: Math.max(...all) + 1 });
  const { values, bind } = binder();
  const taken = exclusions.map((one) => `NOT ${takenBy(one, bind)}`);
  const ends = days.flatMap(({ day, until }) =>
    Number.isFinite(until) ? [`(day <> ${day} OR start < ${until})`] : [],
  );
  const where = [...taken, ...ends].join(' AND ') || '1';
  const columns = `day, ${TEXT_ATTRIBUTES.join(', ')}, pageviews = 1 AS one, visitor, start`;
  const scanned = shown.parts.filter(({ hasHits, day }) => hasHits === 1 && all.includes(day));
  const visits = visitsOf(siteId, ranges, { shown, scanned }, fieldsIn(`${columns} ${where}`));
  const from = `SELECT ${columns} FROM (${visits}) WHERE ${where}`;
  const found = await nodes.ask<{ n: number }>(`SELECT count() AS n FROM (${from})`, values, gone);
  const oneOf = chooseSample(found.reduce((sum, { n }) => sum + n, 0));
  const sample = oneOf === 1 ? '1' : `cityHash64(visitor, start) % ${oneOf} = 0`;
  const rows = await nodes.ask<Row>(
    `SELECT day, ${TEXT_ATTRIBUTES.join(', ')}, one FROM (${from}) WHERE ${sample} ORDER BY day, start, visitor`,
    values,
    gone,
  );
  return { rows, oneOf };
}

/** What might be excluded of a day that stands out. */
export async function suggest(deps: Deps, question: SuggestQuestion): Promise<Suggestion[]> {
  const { siteId, range } = question;
  const before = listWeeksBefore(question);
  const { parts } = knownOf(deps.db, siteId, before).shown;
  const totalsOnly = parts.filter(({ hasHits }) => hasHits === 0).map(({ day }) => day);
  const days = listCompared(question, { visited: await visitedDays(deps, siteId, before), totalsOnly });
  const { rows, oneOf } = await listVisits(deps, siteId, days);
  const terms = termsOf();
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const [now = [], ...weeks] = days.map(({ day }): DayVisits => [tableOf(byDay.get(day) ?? [], terms)]);
  const found = suggestFrom({ day: range.from, now, before: weeks, oneOf }, terms.textOf);
  return await Promise.all(
    found.map(async ({ suggestion, filters }) => {
      const [taken] = (await previewOf(deps, siteId, range, filters)).days;
      return { ...suggestion, totals: taken?.totals ?? noTotals() };
    }),
  );
}
