// Exports daily totals in the tables of Plausible. Both Plausible and daybook can import these tables.
//
// A row has a day, a value and its sums, such as 2026-01-05, the page /a and 3 visitors. Excluded visits do not count.
// A table is written day by day, so only the rows of one day are in memory. A cluster returns the visits of a large day
// in several portions. These portions are added up as if they were one.
//
// `daybook export --format plausible` calls `writeTable` for each table (src/cli/export.ts).

import type { DayVisits, Visit, VisitHit } from '../../engine/activity.ts';
import { writeCsvCell } from '../../lib/csv.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import { isBounce } from '../../stats/definitions.ts';
import type { VisitTextField } from '../../stats/dimensions.ts';

const SUMS = ['visitors', 'visits', 'pageviews', 'bounces', 'seconds', 'events'] as const;
type ExportedSumName = (typeof SUMS)[number];
/**
 * The sums of a row, to which visits are added one by one. `lastVisitor` is the visitor of the visit that was added
 * last. If the next visit has this visitor too, `visitors` does not increase.
 */
type ExportedSums = Record<ExportedSumName, number> & { lastVisitor: number; values: readonly string[] };

/**
 * What the rows of a table count: visits, pageviews or events. Visits or hits with equal `values` are added up in one
 * row.
 */
type GroupBy =
  | { of: 'visit'; values(visit: Visit): readonly string[] }
  | { of: 'pageviews' | 'events'; values(hit: VisitHit): readonly string[] };
type ExportTable = { by: GroupBy; names: readonly string[]; sums: readonly [name: string, sum: ExportedSumName][] };

export async function* writeTable(
  name: keyof typeof TABLES,
  days: AsyncIterable<DayVisits>,
  domain: string,
): AsyncGenerator<string> {
  const { by, names, sums } = TABLES[name] as ExportTable;
  yield `${['date', ...names, ...sums.map(([column]) => column)].join(',')}\n`;
  const writeRows = (day: number, rows: Iterable<ExportedSums>): string => {
    const date = formatDay(day * DAY);
    let lines = '';
    for (const row of rows) {
      const values = names.map((column, i) => (column === 'hostname' ? domain : (row.values[i] ?? '')));
      lines += `${[date, ...values, ...sums.map(([, sum]) => row[sum])].map(writeCsvCell).join(',')}\n`;
    }
    return lines;
  };
  let last: { day: number; rows: Map<string, ExportedSums> } | undefined;
  for await (const { day, visits } of days) {
    if (last && last.day !== day) {
      yield writeRows(last.day, last.rows.values());
      last = undefined;
    }
    last ??= { day, rows: new Map() };
    countRows(visits, by, last.rows);
  }
  if (last) yield writeRows(last.day, last.rows.values());
}

const sameNames = (...names: ExportedSumName[]): [string, ExportedSumName][] =>
  names.map((name) => [name === 'seconds' ? 'visit_duration' : name, name]);
const VISITS = sameNames('visitors', 'visits', 'seconds', 'bounces', 'pageviews');

/** Reads versions without the name, such as 141. Plausible has a separate column for the name, such as Chrome. */
const VALUES: Partial<Record<VisitTextField, (visit: Visit) => string>> = {
  browser_version: (visit) => visit.browser_version.slice(visit.browser.length + 1),
  os_version: (visit) => visit.os_version.slice(visit.os.length + 1),
};

const visitsBy = (names: readonly string[], ...words: VisitTextField[]): ExportTable => ({
  by: { of: 'visit', values: (visit) => words.map((word) => VALUES[word]?.(visit) ?? visit[word]) },
  names,
  sums: VISITS,
});

/**
 * The tables of Plausible's export. A column stays empty if daybook does not have its data. The column of cities stays
 * empty too, because Plausible has a number for each city in place of its name.
 */
export const TABLES: Record<string, ExportTable> = {
  visitors: visitsBy([]),
  sources: visitsBy(
    ['source', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
    'source',
    'source',
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'utm_content',
    'utm_term',
  ),
  // Each page has one row. With a row for each page and host name, a visitor of two host names would count twice.
  pages: {
    by: { of: 'pageviews', values: ({ page }) => [page] },
    names: ['page', 'hostname'],
    sums: sameNames('visits', 'visitors', 'pageviews'),
  },
  entry_pages: {
    by: { of: 'visit', values: ({ hits }) => [hits[0]?.page ?? ''] },
    names: ['entry_page'],
    sums: [['visitors', 'visitors'], ['entrances', 'visits'], ...sameNames('seconds', 'bounces', 'pageviews')],
  },
  exit_pages: {
    by: { of: 'visit', values: ({ hits }) => [hits.at(-1)?.page ?? ''] },
    names: ['exit_page'],
    sums: [
      ['visitors', 'visitors'],
      ['visit_duration', 'seconds'],
      ['exits', 'visits'],
      ...sameNames('bounces', 'pageviews'),
    ],
  },
  locations: visitsBy(['country', 'region', 'city'], 'country', 'region'),
  devices: visitsBy(['device'], 'device'),
  browsers: visitsBy(['browser', 'browser_version'], 'browser', 'browser_version'),
  operating_systems: visitsBy(['operating_system', 'operating_system_version'], 'os', 'os_version'),
  custom_events: {
    by: { of: 'events', values: ({ event, label }) => [event, label] },
    names: ['name', 'link_url', 'path'],
    sums: sameNames('visitors', 'events'),
  },
};

function countRows(visits: Iterable<Visit>, by: GroupBy, rows: Map<string, ExportedSums>): void {
  function findRow(values: readonly string[], visitor: number): ExportedSums {
    const key = values.join('\n');
    const row = rows.get(key) ?? {
      ...{ visitors: 0, visits: 0, pageviews: 0, bounces: 0, seconds: 0, events: 0 },
      lastVisitor: -1,
      values,
    };
    rows.set(key, row);
    // The visits of one visitor follow each other. Comparing with the last visitor is enough to count each visitor
    // once.
    if (row.lastVisitor !== visitor) row.visitors++;
    row.lastVisitor = visitor;
    return row;
  }

  for (const visit of visits) {
    if (visit.excluded) continue;
    if (by.of === 'visit') {
      const row = findRow(by.values(visit), visit.visitor);
      row.visits++;
      const pageviews = visit.hits.filter(({ event }) => event === '').length;
      row.pageviews += pageviews;
      row.seconds += visit.seconds;
      if (isBounce(pageviews, visit.hits.length - pageviews)) row.bounces++;
      continue;
    }
    const seen = new Set<ExportedSums>();
    for (const hit of visit.hits.filter(({ event }) => (event === '') === (by.of === 'pageviews'))) {
      const row = findRow(by.values(hit), visit.visitor);
      row[by.of]++;
      if (!seen.has(row)) row.visits++;
      seen.add(row);
    }
  }
}
