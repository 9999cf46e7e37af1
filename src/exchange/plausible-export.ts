import type { ColumnName } from '../ledger/columns.ts';
import { type Day, startsOf } from '../ledger/day.ts';
import { dayOf } from '../lib/time.ts';

const DAY = 86_400;

/** The sums of a row; those of whole visits stand with every value that the visit had. */
const SUMS = ['visitors', 'visits', 'pageviews', 'bounces', 'seconds', 'events'] as const;
type Sums = Record<(typeof SUMS)[number], number> & { latest: number };
type SumName = (typeof SUMS)[number];

/** What a table counts by: words of the visit, or of each of its hits. */
type By = { of: 'visit' | 'pageviews' | 'events'; columns: readonly ColumnName[] };
type Layout = { by: By; names: readonly string[]; sums: readonly [name: string, sum: SumName][] };

const same = (...names: SumName[]): [string, SumName][] =>
  names.map((name) => [name === 'seconds' ? 'visit_duration' : name, name]);
const VISITS = same('visitors', 'visits', 'seconds', 'bounces', 'pageviews');

const visitsBy = (names: readonly string[], ...columns: ColumnName[]): Layout => ({
  by: { of: 'visit', columns },
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
    by: { of: 'pageviews', columns: ['page'] },
    names: ['page', 'hostname'],
    sums: same('visits', 'visitors', 'pageviews'),
  },
  entry_pages: {
    by: { of: 'visit', columns: ['entry'] },
    names: ['entry_page'],
    sums: [['visitors', 'visitors'], ['entrances', 'visits'], ...same('seconds', 'bounces', 'pageviews')],
  },
  exit_pages: {
    by: { of: 'visit', columns: ['exit'] },
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
    by: { of: 'events', columns: ['event', 'label'] },
    names: ['name', 'link_url', 'path'],
    sums: same('visitors', 'events'),
  },
};

const emptySums = (): Sums => ({ visitors: 0, visits: 0, pageviews: 0, bounces: 0, seconds: 0, events: 0, latest: -1 });

/** The sums of a day by the terms that a table counts by. */
function counted(day: Day, { of, columns }: By): Map<string, Sums> {
  const value = (name: ColumnName): ((row: number) => number) => {
    const { terms, codes } = day.column(name);
    return terms.length === 0 ? (row) => codes[row] as number : (row) => terms[codes[row] as number] as number;
  };
  const starts = startsOf(day);
  const [again, events, seconds, event] = [value('again'), value('events'), value('seconds'), value('event')];
  const words = columns.map(value);
  const keyAt = (row: number): string => words.map((word) => word(row)).join(' ');
  const rows = new Map<string, Sums>();
  let visitor = -1;

  function rowOf(key: string): Sums {
    const sums = rows.get(key) ?? emptySums();
    rows.set(key, sums);
    // A visitor counts once for each row.
    if (sums.latest !== visitor) sums.visitors++;
    sums.latest = visitor;
    return sums;
  }

  for (let visit = 0; visit < day.totals.visits; visit++) {
    if (again(visit) === 0) visitor++;
    const [begin, end] = [starts[visit] as number, starts[visit + 1] as number];
    if (of === 'visit') {
      const sums = rowOf(keyAt(visit));
      sums.visits++;
      sums.pageviews += end - begin - events(visit);
      sums.seconds += seconds(visit);
      if (end - begin === 1 && events(visit) === 0) sums.bounces++;
      continue;
    }
    const seen = new Set<string>();
    for (let hit = begin; hit < end; hit++) {
      if ((event(hit) === 0) !== (of === 'pageviews')) continue;
      const key = keyAt(hit);
      const sums = rowOf(key);
      sums[of]++;
      if (!seen.has(key)) sums.visits++;
      seen.add(key);
    }
  }
  return rows;
}

type Words = { host: string; text(term: number): string; cell(value: string | number): string };

/** A table of Plausible's layout, a day at a time. */
export function* tableText(
  name: keyof typeof TABLES,
  days: Iterable<Day>,
  { host, text, cell }: Words,
): Generator<string> {
  const { by, names, sums } = TABLES[name] as Layout;
  yield `${['date', ...names, ...sums.map(([column]) => column)].join(',')}\n`;
  for (const day of days) {
    const date = dayOf(day.day * DAY);
    let lines = '';
    for (const [key, row] of counted(day, by)) {
      const terms = key === '' ? [] : key.split(' ').map(Number);
      const values = names.map((column, i) => (column === 'hostname' ? host : text(terms[i] ?? 0)));
      lines += `${[date, ...values, ...sums.map(([, sum]) => row[sum])].map(cell).join(',')}\n`;
    }
    yield lines;
  }
}
