import { pageOf } from '../classify/page.ts';
import { hostOf, normalizedHost } from '../classify/source.ts';
import { Refusal } from '../lib/errors.ts';
import { isDay } from '../lib/time.ts';
import { type Entry, entriesOf, type ReadAt, unzipped } from '../lib/zip.ts';
import { csvReader, type Row } from './csv.ts';
import { shown, wrong } from './file-hits.ts';

/** What is counted under one value of a breakdown; of labels, under one of an event. */
type Count = { event: string; value: string; visitors: number; hits: number };

type Totals = Record<'visitors' | 'visits' | 'pageviews' | 'events' | 'bounces' | 'seconds', number>;

/** The sums of a day, without hits. */
export type DaySums = { day: number; totals: Totals; counts: Map<string, Map<string, Count>> };

/** What a zip holds, and what of each of its tables was taken. */
export type Sums = { days: DaySums[]; taken: [name: string, rows: number][]; left: [what: string, rows: number][] };

type Value = (row: Row) => string;

type Table = {
  /** Breakdowns and what of a row they count by. */
  counts?: Record<string, Value>;
  /** Columns that add up to totals of the day. */
  totals?: Partial<Record<keyof Totals, string>>;
  /** The column with the hits of a value, where those are counted too. */
  hits?: string;
  /** Columns of texts that must be there. */
  texts: readonly string[];
};

const DAY_MS = 86_400_000;
const NUMBER = /^\d{1,9}$/;

const column =
  (name: string, names: ReadonlyMap<string, string> = new Map()): Value =>
  (row) => {
    const value = row[name] ?? '';
    return names.get(value) ?? (value === '(not set)' ? '' : value);
  };

const page = (name: string): Value => {
  return (row) => {
    const path = row[name] ?? '';
    return pageOf(path.startsWith('/') ? path : `/${path}`) ?? '/';
  };
};

/** The host that visitors came from; of a tag that stands for one nothing is known. */
const referrer: Value = ({ referrer = '', source = '' }) => {
  const [host = ''] = referrer.replace(/^https?:\/\//, '').split('/');
  if (host.includes('.')) return normalizedHost(host) ?? '';
  return hostOf(source) ?? (/^[^\s/:]+\.[^\s/:]+$/.test(source) ? (normalizedHost(source) ?? '') : '');
};

const BROWSERS = new Map([
  ['Microsoft Edge', 'Edge'],
  ['Samsung Browser', 'Samsung Internet'],
  ['Yandex Browser', 'Yandex'],
]);
const SYSTEMS = new Map([
  ['Mac', 'macOS'],
  ['GNU/Linux', 'Linux'],
]);
const DEVICES = new Map([
  ['Laptop', 'Desktop'],
  ['Ultra-wide', 'Desktop'],
]);

const TABLES: Record<string, Table> = {
  visitors: {
    texts: [],
    totals: {
      visitors: 'visitors',
      visits: 'visits',
      pageviews: 'pageviews',
      bounces: 'bounces',
      seconds: 'visit_duration',
    },
  },
  sources: {
    texts: ['source'],
    counts: {
      referrers: referrer,
      utm_source: column('utm_source'),
      utm_medium: column('utm_medium'),
      utm_campaign: column('utm_campaign'),
    },
  },
  pages: { texts: ['page'], counts: { pages: page('page') }, hits: 'pageviews' },
  entry_pages: { texts: ['entry_page'], counts: { entry_pages: page('entry_page') } },
  exit_pages: { texts: ['exit_page'], counts: { exit_pages: page('exit_page') } },
  locations: {
    texts: ['country'],
    counts: { countries: ({ country = '' }) => (/^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : '') },
  },
  devices: { texts: ['device'], counts: { devices: column('device', DEVICES) } },
  browsers: { texts: ['browser'], counts: { browsers: column('browser', BROWSERS) } },
  operating_systems: {
    texts: ['operating_system'],
    counts: { operating_systems: column('operating_system', SYSTEMS) },
  },
  custom_events: {
    texts: ['name'],
    totals: { events: 'events' },
    counts: { events: column('name'), event_labels: (row) => row.link_url || row.path || '' },
    hits: 'events',
  },
};

/** Breakdowns that leave out what has no value. */
const WITHOUT_NONE = ['utm_source', 'utm_medium', 'utm_campaign', 'events', 'event_labels'];

const NAME = /(?:^|\/)imported_([a-z_]+?)(?:_\d{8}_\d{8})?\.csv$/;

function numberIn(row: Row, name: string, line: number): number {
  const text = row[name] || '0';
  if (!NUMBER.test(text)) throw wrong(line, name, `must be a whole number, not ${shown(text)}`);
  return Number(text);
}

function dayIn(row: Row, line: number): number {
  const date = row.date ?? '';
  if (!isDay(date)) throw wrong(line, 'date', `must be a day such as 2026-01-31, not ${shown(date)}`);
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

/**
 * Reads the zip that Plausible gives away: tables of daily sums, without hits. Only days that are over and that the table of
 * visitors names are taken, because without its totals the rest of a day means nothing.
 */
export async function readSums(readAt: ReadAt, size: number, today: number): Promise<Sums> {
  const days = new Map<number, DaySums>();
  const taken: [string, number][] = [];
  const left = new Map<string, number>();
  const leave = (what: string): void => void left.set(what, (left.get(what) ?? 0) + 1);

  function add(name: string, { counts = {}, totals = {}, hits }: Table, row: Row, line: number): boolean {
    const day = dayIn(row, line);
    if (day >= today) {
      leave('rows of days that are not over');
      return false;
    }
    if (name === 'visitors' && !days.has(day)) {
      const none = { visitors: 0, visits: 0, pageviews: 0, events: 0, bounces: 0, seconds: 0 };
      days.set(day, { day, totals: none, counts: new Map() });
    }
    const sums = days.get(day);
    if (!sums) {
      leave('rows of days that imported_visitors does not name');
      return false;
    }
    for (const [total, from] of Object.entries(totals)) sums.totals[total as keyof Totals] += numberIn(row, from, line);
    for (const [breakdown, read] of Object.entries(counts)) {
      const value = read(row);
      if (value === '' && WITHOUT_NONE.includes(breakdown)) continue;
      const event = breakdown === 'event_labels' ? (row.name ?? '') : '';
      const values = sums.counts.get(breakdown) ?? new Map<string, Count>();
      sums.counts.set(breakdown, values);
      const key = `${event}\n${value}`;
      const count = values.get(key) ?? { event, value, visitors: 0, hits: 0 };
      values.set(key, count);
      count.visitors += numberIn(row, 'visitors', line);
      if (hits) count.hits += numberIn(row, hits, line);
    }
    return true;
  }

  async function read(entry: Entry, name: string, table: Table): Promise<void> {
    let rows = 0;
    const numbers = [...Object.values(table.totals ?? {}), ...(table.hits ? [table.hits] : []), 'visitors'];
    const csv = csvReader({
      required: [...new Set(['date', ...table.texts, ...numbers])],
      take(row, line) {
        if (add(name, table, row, line)) rows++;
      },
    });
    try {
      for await (const chunk of unzipped(readAt, entry)) csv.take(chunk);
      csv.end();
    } catch (error) {
      throw error instanceof Refusal ? new Refusal(`${entry.name}: ${error.message}`) : error;
    }
    taken.push([entry.name, rows]);
  }

  const found = entriesOf(readAt, size).map((entry) => ({ entry, name: NAME.exec(entry.name)?.[1] ?? '' }));
  if (!found.some(({ name }) => name === 'visitors')) {
    throw new Refusal('there is no table imported_visitors in it; take the export of the site settings of Plausible');
  }
  // The days are those of the visitors, so that their table comes first.
  for (const { entry, name } of found.sort((a, b) => Number(b.name === 'visitors') - Number(a.name === 'visitors'))) {
    const table = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined;
    if (table) await read(entry, name, table);
    else if (!entry.name.endsWith('/')) leave(`file that is none of its known tables: ${entry.name}`);
  }
  return { days: [...days.values()].sort((one, other) => one.day - other.day), taken, left: [...left] };
}
