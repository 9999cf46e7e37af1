import { OTHER } from '../../stats/dimensions.ts';
import { noTotals } from '../../stats/measured.ts';
import { draftsFor } from '../../stats/suggest.ts';
import type { Suggestion, SuggestQuestion } from '../../stats/suggestion.ts';
import {
  type Attribute,
  countOf,
  type DayVisits,
  TEXT_ATTRIBUTES,
  type Visits,
  visitsBy,
} from '../../stats/visit-table.ts';
import type { Db } from '../../store/db.ts';
import type { Nodes } from '../servers/nodes.ts';
import { takenBy } from './aggregate.ts';
import { knownOf } from './catalog-snapshot.ts';
import { previewOf, visitedDays } from './days.ts';
import { binder } from './filters.ts';
import { visitsOf } from './visible-rows.ts';
import { fieldsIn } from './visits.ts';

type Deps = { db: Db; nodes: Nodes; gone?: AbortSignal | undefined };

const ONE_PAGE = 1;
/** So many visits of all days together are looked at. Of more, each so-and-so many-th. */
const MOST_VISITS = 200_000;

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
  visitsBy((name) => {
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
  const oneOf = Math.ceil(found.reduce((sum, { n }) => sum + n, 1) / MOST_VISITS);
  const sample = oneOf === 1 ? '1' : `cityHash64(visitor, start) % ${oneOf} = 0`;
  const rows = await nodes.ask<Row>(
    `SELECT day, ${TEXT_ATTRIBUTES.join(', ')}, one FROM (${from}) WHERE ${sample} ORDER BY day, start, visitor`,
    values,
    gone,
  );
  return { rows, oneOf };
}

/** What a filter names a value, if it may. */
function namedBy({ textOf }: Terms, attribute: Attribute, term: number): string | number | undefined {
  if (attribute === 'pageviews') return term === ONE_PAGE ? term : undefined;
  const text = textOf(term);
  return text !== OTHER && (attribute !== 'entry' || text.startsWith('/')) ? text : undefined;
}

/** What might be set aside of a day that stands out. */
export async function suggest(deps: Deps, { siteId, range, untils }: SuggestQuestion): Promise<Suggestion[]> {
  const earliest = range.from - untils.length * 7;
  const before = { from: earliest, to: range.from };
  const first = Math.min(...(await visitedDays(deps, siteId, before)));
  const { parts } = knownOf(deps.db, siteId, before).shown;
  const sums = new Set(parts.filter(({ hasHits }) => hasHits === 0).map(({ day }) => day));
  const days = untils
    .map((until, week) => ({ day: range.from - week * 7, until }))
    .filter(({ day }) => day === range.from || (day >= first && !sums.has(day)));
  const { rows, oneOf } = await listVisits(deps, siteId, days);
  const terms = termsOf();
  const [now = [], ...weeks] = days.map(
    ({ day }): DayVisits => [
      tableOf(
        rows.filter((row) => row.day === day),
        terms,
      ),
    ],
  );
  const drafts = draftsFor(now, weeks, {
    times: oneOf,
    mayBe: (attribute, term) => namedBy(terms, attribute, term) !== undefined,
  });
  return await Promise.all(
    drafts.map(async ({ values, compared }): Promise<Suggestion> => {
      const named = Object.entries(values).map(
        ([name, own]) => [name, own.flatMap((term) => namedBy(terms, name as Attribute, term) ?? [])] as const,
      );
      const filters = Object.fromEntries(named.map(([name, is]) => [name, { is }]));
      const [taken] = (await previewOf(deps, siteId, range, filters)).days;
      return {
        day: range.from,
        values: Object.fromEntries(named),
        visits: countOf(now) * oneOf,
        now: compared.now,
        usual: compared.usual,
        totals: taken?.totals ?? noTotals(),
      };
    }),
  );
}
