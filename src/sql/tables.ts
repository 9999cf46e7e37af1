// Defines the tables of `daybook sql`, with the function that reads each column.
//
// Invariant: no column has a visitor code. `visitor` is the number of a visitor within one day. This number has no
// meaning on another day.
//
// Example: `pageviews` of `visits` counts those hits of a visit that are not events. A new dimension of visits gets its
// column in COLUMNS_OF_VISIT. docs/sql.md lists all columns (test/sql/examples.test.ts). sandbox.ts makes SQLite tables
// of these tables, and rows.ts fills them.

import type { Crawl, Drop } from '../engine/activity.ts';
import type { DayTable, VisitText } from '../engine/day-table.ts';
import type { DayStatus } from '../engine/engine.ts';
import { unpackScroll } from '../engine/import-content.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { type HitDimension, OTHER } from '../stats/dimensions.ts';
import { findDigits, parseRevenue } from '../stats/revenue.ts';

export type SqlValue = string | number | null;

type Columns<Row> = Readonly<Record<string, (row: Row) => SqlValue>>;

/**
 * For each column, a function that gets the table of a day and returns the reader of this column. The function is
 * called only for columns that a statement needs, because some columns take long to read.
 */
type DayColumns<Read> = Readonly<Record<string, (table: DayTable) => Read>>;

/** A column of values. `codes` are indexes into `values`, one for each visit or hit. */
export type ValueColumn = { values: readonly SqlValue[]; codes: ArrayLike<number> };

/**
 * Reads the value of a visit, by the visit's index in the table. If the table has the whole column, it is in `column`.
 */
export type ReadVisit = ((visit: number) => SqlValue) & { column?: ValueColumn };
/**
 * Reads the value of a hit, by the indexes of its visit and of the hit in the table. If the table has the whole column,
 * it is in `column`.
 */
export type ReadHit = ((visit: number, hit: number) => SqlValue) & { column?: ValueColumn };
/**
 * Reads a column of the table `properties`: from the index of a visit, the index of its hit, and the name and value of
 * a property.
 */
export type ReadProperty = (visit: number, hit: number, name: string, value: string) => SqlValue;

const readVisitColumn = (column: ValueColumn): ReadVisit =>
  Object.assign((visit: number) => column.values[column.codes[visit] as number] as SqlValue, { column });

const readHitColumn = (column: ValueColumn): ReadHit =>
  Object.assign((_: number, hit: number) => column.values[column.codes[hit] as number] as SqlValue, { column });

const visitText =
  (name: VisitText) =>
  ({ readVisitText }: DayTable): ReadVisit => {
    const { texts, codes } = readVisitText(name);
    return readVisitColumn({ values: texts, codes });
  };

function countPageviews({ starts, events }: DayTable): ReadVisit {
  return (visit) => (starts[visit + 1] as number) - (starts[visit] as number) - (events[visit] as number);
}

const readEvents =
  ({ events }: DayTable): ReadVisit =>
  (visit) =>
    events[visit] as number;
const readVisitor =
  ({ visitors }: DayTable): ReadVisit =>
  (visit) =>
    visitors[visit] as number;
const readNumber =
  ({ visitsBefore }: DayTable): ReadVisit =>
  (visit) =>
    visitsBefore + visit + 1;
const readHitNumber =
  ({ starts }: DayTable): ReadHit =>
  (visit, hit) =>
    hit - (starts[visit] as number) + 1;
const readExcluded = ({ excluded, visits }: DayTable): ReadVisit =>
  readVisitColumn(excluded ? { values: [0, 1], codes: excluded } : { values: [0], codes: new Uint8Array(visits) });

function readTime({ day, readNumbers }: DayTable): ReadHit {
  const seconds = readNumbers('second');
  return (_, hit) => day * DAY + (seconds[hit] as number);
}

const COLUMNS_OF_VISIT: DayColumns<ReadVisit> = {
  visitor: readVisitor,
  visit: readNumber,
  start(table) {
    const read = readTime(table);
    return (visit) => read(visit, table.starts[visit] as number);
  },
  seconds:
    ({ seconds }) =>
    (visit) =>
      seconds[visit] as number,
  entry: visitText('entry'),
  exit: visitText('exit'),
  source: visitText('source'),
  channel: visitText('channel'),
  utm_source: visitText('utm_source'),
  utm_medium: visitText('utm_medium'),
  utm_campaign: visitText('utm_campaign'),
  utm_term: visitText('utm_term'),
  utm_content: visitText('utm_content'),
  country: visitText('country'),
  region: visitText('region'),
  city: visitText('city'),
  device: visitText('device'),
  browser: visitText('browser'),
  browser_version: visitText('browser_version'),
  os: visitText('os'),
  os_version: visitText('os_version'),
  language: visitText('language'),
  screen: visitText('screen'),
  pageviews: countPageviews,
  events: readEvents,
  excluded: readExcluded,
};

const hitText =
  (name: HitDimension) =>
  ({ readHitText }: DayTable): ReadHit => {
    const { texts, codes } = readHitText(name);
    return readHitColumn({ values: texts, codes });
  };

/**
 * Makes the reader of a column that is computed from the revenue. `read` gets each distinct stored text once, such as
 * `EUR 1999` for 19.99 euros.
 */
const money =
  (read: (text: string) => SqlValue) =>
  ({ readHitText }: DayTable): ReadHit => {
    const { texts, codes } = readHitText('revenue');
    return readHitColumn({ values: texts.map(read), codes });
  };

/**
 * Returns the amount in the main unit of its currency, such as 19.99 for euros. Returns null for a hit without revenue.
 * Also returns null for `(other)`, which replaces new amounts on a day with too many different ones.
 */
function findAmount(text: string): number | null {
  const { currency, amount } = parseRevenue(text) ?? { currency: OTHER, amount: 0 };
  return currency === OTHER ? null : amount / 10 ** findDigits(currency);
}

const COLUMNS_OF_HIT: DayColumns<ReadHit> = {
  visitor: readVisitor,
  visit: readNumber,
  hit: readHitNumber,
  at: readTime,
  hostname: hitText('hostname'),
  page: hitText('page'),
  event: hitText('event'),
  label: hitText('label'),
  engaged({ readNumbers }) {
    const engaged = readNumbers('engaged');
    return (_, hit) => engaged[hit] as number;
  },
  scroll({ readNumbers }) {
    const scroll = readNumbers('scroll');
    return (_, hit) => unpackScroll(scroll[hit] as number) ?? null;
  },
  revenue: money(findAmount),
  currency: money((text) => parseRevenue(text)?.currency ?? null),
  excluded: readExcluded,
};

const COLUMNS_OF_PROPERTY: DayColumns<ReadProperty> = {
  visit: readNumber,
  hit: readHitNumber,
  at: readTime,
  name: () => (_visit, _hit, name) => name,
  value: () => (_visit, _hit, _name, value) => value,
  excluded: readExcluded,
};

const findDate = ({ day }: { day: number }): string => formatDay(day * DAY);

const COLUMNS_OF_CRAWL: Columns<Crawl> = {
  day: findDate,
  crawler: ({ crawler }) => crawler,
  page: ({ page }) => page,
  requests: ({ requests }) => requests,
};

const COLUMNS_OF_DROP: Columns<Drop> = { day: findDate, reason: ({ reason }) => reason, hits: ({ hits }) => hits };

const COLUMNS_OF_DAY: Columns<DayStatus> = {
  day: findDate,
  state: ({ state }) => state,
  visitors: ({ visitors }) => visitors,
  excluded: ({ excluded }) => excluded,
  dropped: ({ dropped }) => dropped,
};

/**
 * Types of the tables. The rows of a table are read in units: all rows of a site on one day, or all rows of a site.
 * Every table also has the column `site`, and a table that is read by day has the column `day`. The columns in `key`
 * tell two rows of a unit apart. These key columns are always stored, so that a join finds its rows quickly.
 */
type DayTableOf<Read> = { unit: 'day'; key: readonly string[]; columns: DayColumns<Read> };
type SiteTable<Row> = { unit: 'site'; key: readonly string[]; columns: Columns<Row> };

export const TABLES = {
  visits: { unit: 'day', key: ['visit'], columns: COLUMNS_OF_VISIT } satisfies DayTableOf<ReadVisit>,
  hits: { unit: 'day', key: ['visit', 'hit'], columns: COLUMNS_OF_HIT } satisfies DayTableOf<ReadHit>,
  properties: {
    unit: 'day',
    key: ['visit', 'hit', 'name'],
    columns: COLUMNS_OF_PROPERTY,
  } satisfies DayTableOf<ReadProperty>,
  crawls: { unit: 'site', key: [], columns: COLUMNS_OF_CRAWL } satisfies SiteTable<Crawl>,
  drops: { unit: 'site', key: [], columns: COLUMNS_OF_DROP } satisfies SiteTable<Drop>,
  days: { unit: 'site', key: [], columns: COLUMNS_OF_DAY } satisfies SiteTable<DayStatus>,
} as const;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

export const isTable = (name: string): name is TableName => Object.hasOwn(TABLES, name);

/** Lists the columns of a table in the order of `SELECT *`. */
export const listColumns = (table: TableName): string[] => [
  'site',
  ...(TABLES[table].unit === 'day' ? ['day'] : []),
  ...Object.keys(TABLES[table].columns),
];
