import type { DayVisits, Visit, VisitHit } from '../engine.ts';
import { csvCell } from '../lib/csv.ts';
import { DAY, dayOf } from '../lib/time.ts';
import type { VisitTextField } from '../stats/dimensions.ts';

/** The sums of a row; those of whole visits stand with every value that the visit had. */
const SUMS = ['visitors', 'visits', 'pageviews', 'bounces', 'seconds', 'events'] as const;
type SumName = (typeof SUMS)[number];
type Sums = Record<SumName, number> & { latest: number; values: readonly string[] };

/** What a table counts by: values of the visit, or of each of its hits. */
type By =
  | { of: 'visit'; values(visit: Visit): readonly string[] }
  | { of: 'pageviews' | 'events'; values(hit: VisitHit): readonly string[] };
type Layout = { by: By; names: readonly string[]; sums: readonly [name: string, sum: SumName][] };

const same = (...names: SumName[]): [string, SumName][] =>
  names.map((name) => [name === 'seconds' ? 'visit_duration' : name, name]);
const VISITS = same('visitors', 'visits', 'seconds', 'bounces', 'pageviews');

const visitsBy = (names: readonly string[], ...words: VisitTextField[]): Layout => ({
  by: { of: 'visit', values: (visit) => words.map((word) => visit[word]) },
  names,
  sums: VISITS,
});

/**
 * The tables of an export of Plausible, with those of their columns that can be filled; an empty column stands for a name that
 * we do not keep.
 */
export const TABLES: Record<string, Layout> = {
  visitors: visitsBy([]),
  sources: visitsBy(
    ['source', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
    'source',
    'source',
    'utm_source',
    'utm_medium',
    'utm_campaign',
  ),
  pages: {
    by: { of: 'pageviews', values: ({ page }) => [page] },
    names: ['page', 'hostname'],
    sums: same('visits', 'visitors', 'pageviews'),
  },
  entry_pages: {
    by: { of: 'visit', values: ({ hits }) => [hits[0]?.page ?? ''] },
    names: ['entry_page'],
    sums: [['visitors', 'visitors'], ['entrances', 'visits'], ...same('seconds', 'bounces', 'pageviews')],
  },
  exit_pages: {
    by: { of: 'visit', values: ({ hits }) => [hits.at(-1)?.page ?? ''] },
    names: ['exit_page'],
    sums: [
      ['visitors', 'visitors'],
      ['visit_duration', 'seconds'],
      ['exits', 'visits'],
      ...same('bounces', 'pageviews'),
    ],
  },
  locations: visitsBy(['country', 'region', 'city'], 'country'),
  devices: visitsBy(['device'], 'device'),
  browsers: visitsBy(['browser', 'browser_version'], 'browser'),
  operating_systems: visitsBy(['operating_system', 'operating_system_version'], 'os'),
  custom_events: {
    by: { of: 'events', values: ({ event, label }) => [event, label] },
    names: ['name', 'link_url', 'path'],
    sums: same('visitors', 'events'),
  },
};

const isBounce = ({ hits: [first, ...more] }: Visit): boolean => first?.event === '' && more.length === 0;

/** The sums of a day by the values that a table counts by. */
function countedBy(visits: Iterable<Visit>, by: By): Iterable<Sums> {
  const rows = new Map<string, Sums>();

  function rowOf(values: readonly string[], visitor: number): Sums {
    const key = values.join('\n');
    const row = rows.get(key) ?? {
      ...{ visitors: 0, visits: 0, pageviews: 0, bounces: 0, seconds: 0, events: 0 },
      latest: -1,
      values,
    };
    rows.set(key, row);
    // A visitor counts once for each row.
    if (row.latest !== visitor) row.visitors++;
    row.latest = visitor;
    return row;
  }

  for (const visit of visits) {
    if (by.of === 'visit') {
      const row = rowOf(by.values(visit), visit.visitor);
      row.visits++;
      row.pageviews += visit.hits.filter(({ event }) => event === '').length;
      row.seconds += visit.seconds;
      if (isBounce(visit)) row.bounces++;
      continue;
    }
    const seen = new Set<Sums>();
    for (const hit of visit.hits.filter(({ event }) => (event === '') === (by.of === 'pageviews'))) {
      const row = rowOf(by.values(hit), visit.visitor);
      row[by.of]++;
      if (!seen.has(row)) row.visits++;
      seen.add(row);
    }
  }
  return rows.values();
}

/** A table of Plausible's layout, a day at a time. */
export async function* tableText(
  name: keyof typeof TABLES,
  days: AsyncIterable<DayVisits>,
  domain: string,
): AsyncGenerator<string> {
  const { by, names, sums } = TABLES[name] as Layout;
  yield `${['date', ...names, ...sums.map(([column]) => column)].join(',')}\n`;
  for await (const { day, visits } of days) {
    const date = dayOf(day * DAY);
    let lines = '';
    for (const row of countedBy(visits, by)) {
      const values = names.map((column, i) => (column === 'hostname' ? domain : (row.values[i] ?? '')));
      lines += `${[date, ...values, ...sums.map(([, sum]) => row[sum])].map(csvCell).join(',')}\n`;
    }
    yield lines;
  }
}
