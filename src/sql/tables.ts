// The tables of `daybook sql`, with the function that reads each column from a visit, a hit or a day.
//
// Invariant: no column has a visitor code. `visitor` is a number that means nothing on another day.
//
// Example: the column `pageviews` of `visits` counts the hits of a visit without an event. A new dimension gets its
// column in COLUMNS_OF_VISIT. docs/sql.md lists all columns, and test/documents/sql.test.ts compares the two lists.
// sandbox.ts makes SQLite tables of these tables, and rows.ts fills them.

import { findChannel } from '../classify/channel.ts';
import type { Crawl, Drop, Visit, VisitHit } from '../engine/activity.ts';
import type { DayStatus } from '../engine/engine.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { OTHER } from '../stats/dimensions.ts';
import { findDigits, type Money, parseRevenue } from '../stats/revenue.ts';

export type SqlValue = string | number | null;

type Columns<Row> = Readonly<Record<string, (row: Row) => SqlValue>>;

/** `number` is the number of the visit within its day. */
export type VisitRow = { day: number; number: number; visit: Visit };
/** `index` is the number of the hit within its visit. */
export type HitRow = VisitRow & { index: number; hit: VisitHit };
export type PropertyRow = HitRow & { name: string; value: string };

const findStart = ({ day, visit }: VisitRow): number => day * DAY + (visit.hits[0]?.second ?? 0);
const countPageviews = ({ visit }: VisitRow): number =>
  visit.hits.reduce((sum, { event }) => sum + (event === '' ? 1 : 0), 0);

const text =
  (name: keyof Visit) =>
  ({ visit }: VisitRow): string =>
    visit[name] as string;
const isExcluded = ({ visit }: VisitRow): number => Number(visit.excluded);

const COLUMNS_OF_VISIT: Columns<VisitRow> = {
  visitor: ({ visit }) => visit.visitor,
  visit: ({ number }) => number,
  start: findStart,
  seconds: ({ visit }) => visit.seconds,
  entry: ({ visit }) => visit.hits[0]?.page ?? '',
  exit: ({ visit }) => visit.hits.at(-1)?.page ?? '',
  source: text('source'),
  channel: ({ visit }) => findChannel(visit),
  utm_source: text('utm_source'),
  utm_medium: text('utm_medium'),
  utm_campaign: text('utm_campaign'),
  utm_term: text('utm_term'),
  utm_content: text('utm_content'),
  country: text('country'),
  region: text('region'),
  city: text('city'),
  device: text('device'),
  browser: text('browser'),
  browser_version: text('browser_version'),
  os: text('os'),
  os_version: text('os_version'),
  language: text('language'),
  screen: text('screen'),
  pageviews: countPageviews,
  events: (row) => row.visit.hits.length - countPageviews(row),
  excluded: isExcluded,
};

const findMoney = ({ hit }: HitRow): Money | undefined => parseRevenue(hit.revenue);

/** The amount in whole units, such as 19.99 euros. An amount beyond the limit of a day is not known. */
function findAmount(row: HitRow): number | null {
  const { currency, amount } = findMoney(row) ?? { currency: OTHER, amount: 0 };
  return currency === OTHER ? null : amount / 10 ** findDigits(currency);
}

const COLUMNS_OF_HIT: Columns<HitRow> = {
  visitor: ({ visit }) => visit.visitor,
  visit: ({ number }) => number,
  hit: ({ index }) => index,
  at: ({ day, hit }) => day * DAY + hit.second,
  hostname: ({ hit }) => hit.hostname,
  page: ({ hit }) => hit.page,
  event: ({ hit }) => hit.event,
  label: ({ hit }) => hit.label,
  engaged: ({ hit }) => hit.engaged,
  scroll: ({ hit }) => hit.scroll ?? null,
  revenue: findAmount,
  currency: (row) => findMoney(row)?.currency ?? null,
  excluded: isExcluded,
};

const COLUMNS_OF_PROPERTY: Columns<PropertyRow> = {
  visit: ({ number }) => number,
  hit: ({ index }) => index,
  at: ({ day, hit }) => day * DAY + hit.second,
  name: ({ name }) => name,
  value: ({ value }) => value,
  excluded: isExcluded,
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
 * The rows of a table are read in units: all rows of a site on one day, or all rows of a site. Each table has the
 * column `site` too, and a table that is read by day has the column `day`. `key` has the columns that tell two rows of
 * a unit apart. These are always stored, so that a join finds its rows quickly.
 */
type Table<Unit, Row> = { unit: Unit; key: readonly string[]; columns: Columns<Row> };

export const TABLES = {
  visits: { unit: 'day', key: ['visit'], columns: COLUMNS_OF_VISIT } satisfies Table<'day', VisitRow>,
  hits: { unit: 'day', key: ['visit', 'hit'], columns: COLUMNS_OF_HIT } satisfies Table<'day', HitRow>,
  properties: { unit: 'day', key: ['visit', 'hit', 'name'], columns: COLUMNS_OF_PROPERTY } satisfies Table<
    'day',
    PropertyRow
  >,
  crawls: { unit: 'site', key: [], columns: COLUMNS_OF_CRAWL } satisfies Table<'site', Crawl>,
  drops: { unit: 'site', key: [], columns: COLUMNS_OF_DROP } satisfies Table<'site', Drop>,
  days: { unit: 'site', key: [], columns: COLUMNS_OF_DAY } satisfies Table<'site', DayStatus>,
} as const;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

export const isTable = (name: string): name is TableName => Object.hasOwn(TABLES, name);

/** Lists the columns of a table, as `SELECT *` gives them. */
export const listColumns = (table: TableName): string[] => [
  'site',
  ...(TABLES[table].unit === 'day' ? ['day'] : []),
  ...Object.keys(TABLES[table].columns),
];
