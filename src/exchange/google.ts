import { Refusal } from '../lib/errors.ts';
import { DAY, DAY_MS, dayOf, isDay } from '../lib/time.ts';
import type { Row } from './csv.ts';
import type { SumSite } from './format.ts';
import { type GoogleTable, googleTables } from './google-tables.ts';
import { excerpt, lineRefusal } from './lines.ts';
import { addRow, type DaySums, newDay, type Sums } from './plausible-import.ts';
import { type PlausibleTable, TABLES } from './plausible-tables.ts';

/** The names of a column in reports, in explorations and in the API; the first that a table has is taken. */
const METRICS = {
  visitors: ['Active users', 'activeUsers', 'Total users', 'totalUsers'],
  visits: ['Sessions', 'sessions'],
  pageviews: ['Views', 'screenPageViews'],
  engaged: ['Engaged sessions', 'engagedSessions'],
  average: ['Average session duration', 'averageSessionDuration'],
  events: ['Event count', 'eventCount'],
} as const;
type Metric = keyof typeof METRICS;
const METRIC_NAMES = Object.keys(METRICS) as Metric[];

/** Totals without which a day says nothing. */
const NEEDED: Metric[] = ['visitors', 'visits', 'pageviews'];

/** Where the values of a dimension go: the table of Plausible's export that is read alike, its column and its breakdown. */
type Place = { table: string; column: string; breakdown: string; names?: Readonly<Record<string, string>> };
const place = (table: string, column: string, breakdown: string, names = {}): Place => ({
  table,
  column,
  breakdown,
  names,
});

const PAGES = place('pages', 'page', 'pages');
const LANDINGS = place('entry_pages', 'entry_page', 'entry_pages');
const SOURCES = place('sources', 'source', 'referrers');
const CAMPAIGN_SOURCES = place('sources', 'utm_source', 'utm_source');
const MEDIA = place('sources', 'utm_medium', 'utm_medium');
const CAMPAIGNS = place('sources', 'utm_campaign', 'utm_campaign');
const COUNTRIES = place('locations', 'country', 'countries');
const DEVICES = place('devices', 'device', 'devices', {
  desktop: 'Desktop',
  mobile: 'Mobile',
  tablet: 'Tablet',
  'smart tv': 'Desktop',
});
const BROWSERS = place('browsers', 'browser', 'browsers');
const SYSTEMS = place('operating_systems', 'operating_system', 'operating_systems', {
  Macintosh: 'macOS',
});
const EVENTS = place('custom_events', 'name', 'events');

const DIMENSIONS = new Map<string, Place>([
  ...['Page path and screen class', 'Page path', 'unifiedPagePathScreen', 'pagePath'].map(
    (name) => [name, PAGES] as const,
  ),
  ...['Landing page', 'landingPage'].map((name) => [name, LANDINGS] as const),
  ...['Session source', 'sessionSource'].map((name) => [name, SOURCES] as const),
  ...['Session manual source', 'sessionManualSource'].map((name) => [name, CAMPAIGN_SOURCES] as const),
  ...['Session manual medium', 'sessionManualMedium'].map((name) => [name, MEDIA] as const),
  ...['Session manual campaign name', 'sessionManualCampaignName'].map((name) => [name, CAMPAIGNS] as const),
  ...['Country ID', 'countryId'].map((name) => [name, COUNTRIES] as const),
  ...['Device category', 'deviceCategory'].map((name) => [name, DEVICES] as const),
  ...['Browser', 'browser'].map((name) => [name, BROWSERS] as const),
  ...['Operating system', 'operatingSystem'].map((name) => [name, SYSTEMS] as const),
  ...['Event name', 'eventName'].map((name) => [name, EVENTS] as const),
]);

/** Values that stand for none. */
const NONE = ['(not set)', '(direct)', '(none)', '(data not available)'];

/** Events that Google counts by itself, for each page and visit. */
const AUTOMATIC = ['page_view', 'session_start', 'first_visit', 'user_engagement'];

const DAY_COLUMNS = ['Date', 'date', 'Nth day', 'nthDay'];

function dayIn({ names, start }: GoogleTable, row: Row, line: number): number {
  const name = names.find((one) => DAY_COLUMNS.includes(one)) ?? '';
  const text = row[name] ?? '';
  const isCounted = name.startsWith('N') || name.startsWith('n');
  const from = isCounted ? start : text;
  const date = from?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') ?? '';
  const after = isCounted ? Number(text) : 0;
  if (!isDay(date) || !Number.isInteger(after)) {
    const help = isCounted
      ? 'needs "# Start date: 20260131" above, and a whole number'
      : 'must be a day such as 20260131';
    throw lineRefusal(line, name, `${help}, not ${excerpt(text)}`);
  }
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS + after;
}

function metricIn(row: Row, metric: Metric, line: number): number | undefined {
  const name = METRICS[metric].find((one) => one in row);
  if (name === undefined) return undefined;
  const number = Number(row[name] || 0);
  if (number >= 0 && (metric === 'average' || Number.isSafeInteger(number))) return number;
  throw lineRefusal(line, name, `must be a whole number, not ${excerpt(row[name])}`);
}

/** The sums of a row, by the names of Plausible's columns. */
function sumsIn(row: Row, line: number): Partial<Record<string, string>> {
  const { visits, engaged, average, ...sums } = Object.fromEntries(
    METRIC_NAMES.map((metric) => [metric, metricIn(row, metric, line)]),
  );
  const all = {
    ...sums,
    visits,
    bounces: visits === undefined || engaged === undefined ? undefined : Math.max(0, visits - engaged),
    visit_duration: visits === undefined || average === undefined ? undefined : Math.round(visits * average),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, sum]) => (sum === undefined ? [] : [[name, `${sum}`]])),
  );
}

/** What a table is about: undefined where it is none of daily totals or of one known dimension by day. */
function placeOf({ names }: GoogleTable): Place | 'totals' | undefined {
  const metrics = new Set<string>(Object.values(METRICS).flat());
  // Names after the first metric are metrics too, of which there are many that are not read.
  const before = names.slice(
    0,
    Math.max(
      0,
      names.findIndex((name) => metrics.has(name)),
    ),
  );
  const others = before.filter((name) => !DAY_COLUMNS.includes(name));
  const [dimension = '', ...more] = others;
  if (before.length === others.length || more.length > 0) return undefined;
  if (dimension === '') return 'totals';
  return METRICS.visitors.some((one) => names.includes(one)) ? DIMENSIONS.get(dimension) : undefined;
}

const narrowed = ({ table, breakdown }: Place): PlausibleTable => {
  const { counts = {}, totals, hits } = TABLES[table] as PlausibleTable;
  const read = counts[breakdown];
  return {
    texts: [],
    ...(read && { counts: { [breakdown]: read } }),
    ...(totals && { totals }),
    ...(hits && { hits }),
  };
};

/** Refuses what is in the file twice, because it would count double. */
function once() {
  const seen = new Set<string>();
  return (key: string, line: number): void => {
    if (seen.has(key)) throw lineRefusal(line, `${excerpt(key)} is in the file twice; leave out one of the exports`);
    seen.add(key);
  };
}

type Entry = { row: Row; line: number; day: number };

/** Adds rows to the sums of their days, and counts those that it skips. */
function collector(site: SumSite) {
  const days = new Map<number, DaySums>();
  const skipped = new Map<string, number>();
  const found = new Set<Metric>();
  const refuseTwice = once();
  const skip = (what: string, rows = 1): void => void skipped.set(what, (skipped.get(what) ?? 0) + rows);

  return {
    days,
    skipped,
    skip,
    missing: () => NEEDED.filter((name) => !found.has(name)).map((name) => METRICS[name][0]),
    addTotals({ row, line, day }: Entry): undefined {
      const sums = sumsIn(row, line);
      for (const name of NEEDED.filter((one) => sums[one] !== undefined)) {
        refuseTwice(`${METRICS[name][0]} of ${dayOf(day * DAY)}`, line);
        found.add(name);
      }
      const daySums = days.get(day) ?? newDay(day);
      days.set(day, daySums);
      addRow(daySums, { table: TABLES.visitors as PlausibleTable, row: sums as Row, line, site });
    },
    /** Returns why the row is skipped, if it is. */
    addValue({ row, line, day }: Entry, { column, names = {}, ...where }: Place): string | undefined {
      const name = Object.keys(row).find((one) => DIMENSIONS.has(one)) ?? '';
      const value = row[name] ?? '';
      const ours = NONE.includes(value) ? '' : value;
      const sums = days.get(day);
      if (where.breakdown === 'events' && AUTOMATIC.includes(value)) return 'rows of events that are pages and visits';
      if (!sums) return 'rows of days without totals';
      if (ours === '' && column.endsWith('page')) return 'rows of no page';
      refuseTwice(`${name} ${value} of ${dayOf(day * DAY)}`, line);
      const read = { ...sumsIn(row, line), [column]: Object.hasOwn(names, ours) ? names[ours] : ours } as Row;
      addRow(sums, { table: narrowed({ column, ...where }), row: read, line, site });
      return undefined;
    },
  };
}

/** Reads daily totals, and breakdowns of days that have totals; a breakdown without the totals of its day means nothing. */
export async function readGoogle(path: string, today: number, site: SumSite): Promise<Sums> {
  const { days, skipped, skip, missing, addTotals, addValue } = collector(site);
  const accepted: Sums['accepted'] = [];
  const tables = (await googleTables(path)).map((table) => ({
    table,
    where: placeOf(table),
  }));
  const totals = tables.filter(({ where }) => where === 'totals');
  const values = tables.filter(({ where }) => where !== 'totals');
  // Totals decide which days are accepted, so they are read first, wherever they are in the file.
  for (const { table, where } of [...totals, ...values]) {
    const { names, rows } = table;
    const named = names.join(', ');
    if (where === undefined) {
      skip(`rows of a table that is not by day, or of no known dimension: ${named}`, rows.length);
      continue;
    }
    let read = 0;
    for (const { row, line } of rows) {
      const day = dayIn(table, row, line);
      const entry = { row, line, day };
      const add = () => (where === 'totals' ? addTotals(entry) : addValue(entry, where));
      const reason = day >= today ? 'rows of days that are not over' : add();
      if (reason === undefined) read++;
      else skip(reason);
    }
    accepted.push([named, read]);
  }
  if (missing().length > 0) {
    throw new Refusal(`the file has no daily totals of ${missing().join(', ')}; export them by Date`);
  }
  return { days: [...days.values()].sort((one, other) => one.day - other.day), accepted, skipped: [...skipped] };
}
