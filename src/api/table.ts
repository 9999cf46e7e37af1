// Answers a free question of a user: figures by up to three keys. A key is a dimension, a property or a time, such as
// the week.
//
// Invariant: the figures equal the figures of other reports, such as the overview. The question comes in a body,
// because filters in a URL cannot be joined by "or".
//
// Example: `{ "by": ["channel", "week"], "metrics": ["visitors", "revenue"] }` gives a row for each channel and week.
// `any` has groups of filters. A visit counts if it passes `filters`, and at least one of the groups. The table in
// `routes.ts` calls `ask`.

import * as v from 'valibot';
import { Currency } from '../classify/revenue.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { PositiveId } from '../lib/http/fields.ts';
import { findSiteDay } from '../lib/zone.ts';
import { FILTERS } from '../stats/dimensions.ts';
import { INTERVALS } from '../stats/interval.ts';
import { findFigureOf, METRIC_NAMES, type Metric, needsGoal, ORDERS } from '../stats/metrics.ts';
import { joinLeftOut } from '../stats/notices.ts';
import { LONGEST_PROPERTY_NAME, PROPERTY_NAME } from '../stats/properties.ts';
import type { Filters, Of, Range } from '../stats/query.ts';
import { findDays } from '../stats/site-days.ts';
import { MOST_TABLE_ROWS } from '../stats/table.ts';
import { chooseCounts, isTimeKey, MOST_KEYS, type TableKey, TIME_KEYS } from '../stats/table-keys.ts';
import type { ReportedSite } from '../store/sites/sites.ts';
import type { RowMetrics, Table } from './answers.ts';
import { AsOfParameter } from './as-of.ts';
import { Compare, chooseCompared } from './compare.ts';
import { FilterGroup, FilterObject, readFilters, writeParameters } from './filters.ts';
import { describeNotices } from './notices.ts';
import { isPropertyFilter } from './property-filters.ts';
import { RangeName, readRange } from './query.ts';
import { chooseCurrency } from './revenue.ts';
import type { Api, SiteCall } from './route.ts';
import { chooseGoal } from './rows.ts';

const MOST_GROUPS = 5;
const MOST_ROWS = 10_000;
const MOST_OFFSET = MOST_TABLE_ROWS;
const USUAL_ROWS = 100;

const LONGEST_PROPERTY_KEY = 'property:'.length + LONGEST_PROPERTY_NAME;

export const KNOWN_KEYS = [...FILTERS, ...TIME_KEYS];
export const QueryKey = v.pipe(
  v.string(fault('no_text')),
  v.check(
    (key) => (KNOWN_KEYS as readonly string[]).includes(key) || isPropertyFilter(key),
    fault('none_of', { known: [...KNOWN_KEYS, 'property:NAME'].join(', ') }),
  ),
  v.metadata({
    anyOf: [
      { type: 'string', enum: KNOWN_KEYS },
      { type: 'string', pattern: `^property:${PROPERTY_NAME.source.slice(1)}`, maxLength: LONGEST_PROPERTY_KEY },
    ],
  }),
  v.transform((key) => key as TableKey),
);

const whole = (least: number, most: number) => {
  const help = fault('out_of_bounds', { least, most });
  return v.pipe(v.number(help), v.integer(help), v.minValue(least, help), v.maxValue(most, help));
};

export const TABLE_METRICS = ['visitors', ...METRIC_NAMES] as const;
export const QueryMetric = v.picklist(TABLE_METRICS, fault('none_of', { known: TABLE_METRICS.join(', ') }));
const isOnce = (list: readonly string[]): boolean => new Set(list).size === list.length;

export const TableQuestion = v.strictObject({
  range: v.optional(RangeName, '30d'),
  by: v.optional(
    v.pipe(
      v.array(QueryKey, fault('no_list')),
      v.maxLength(MOST_KEYS, fault('too_many_values', { most: MOST_KEYS })),
      v.check((list) => isOnce(list), fault('given_twice')),
      v.description('What the rows are: names of filters, property:NAME, or times'),
    ),
    [],
  ),
  interval: v.optional(
    v.pipe(
      v.picklist(INTERVALS, fault('none_of', { known: INTERVALS.join(', ') })),
      v.description('One more key: the time of each row'),
    ),
  ),
  metrics: v.optional(
    v.pipe(
      v.array(QueryMetric, fault('no_list')),
      v.minLength(1, fault('no_value')),
      v.check((list) => isOnce(list), fault('given_twice')),
    ),
    ['visitors'],
  ),
  filters: v.optional(FilterObject, {}),
  any: v.optional(
    v.pipe(
      v.array(FilterGroup, fault('no_list')),
      v.minLength(1, fault('no_value')),
      v.maxLength(MOST_GROUPS, fault('too_many_values', { most: MOST_GROUPS })),
      v.description('Groups of filters. A visit must pass one of them too'),
    ),
  ),
  goal: v.optional(PositiveId),
  currency: v.optional(Currency),
  compare: v.optional(Compare, 'none'),
  sort: v.optional(v.pipe(v.string(), v.description('A metric that you ask for, or a key'))),
  order: v.optional(v.picklist(ORDERS, fault('none_of', { known: ORDERS.join(', ') }))),
  limit: v.optional(whole(1, MOST_ROWS), USUAL_ROWS),
  offset: v.optional(whole(0, MOST_OFFSET), 0),
  ...AsOfParameter,
});
export type TableQuestion = v.InferOutput<typeof TableQuestion>;

type TableQuery = Of<'table'>;

/**
 * What a question needs from a request. The command `daybook query` has no request, and makes these fields itself
 * (cli/query.ts).
 */
export type TableCall = Pick<SiteCall<TableQuestion>, 'db' | 'now' | 'body' | 'signal'> & {
  api: Pick<Api, 'ask' | 'queries'> & { imports: Pick<Api['imports'], 'listDays'> };
  site: ReportedSite;
};

export async function ask(call: TableCall): Promise<Table> {
  const { site, body, now } = call;
  const range = readRange(body.range, findSiteDay(site, now));
  const by = listKeys(body);
  if (body.compare !== 'none' && by.some(isTimeKey)) throw invalid({ compare: coded('compared_by_time') });
  const { filters, applied, any } = readGroups(call);
  const asked: TableQuery = {
    ...{ report: 'table', siteId: site.id, timeZone: site.timeZone, range, filters, by },
    ...readMetrics(call, by),
    ...{ order: body.order, offset: body.offset, limit: body.limit },
  };
  const days = await findDays(call);
  const table = await readTable(call, asked);
  const compared = body.compare === 'none' ? undefined : findCompared(call, range);
  const { notices, rows } = compared ? await addPrevious(call, asked, { ...table, compared }) : table;
  return {
    ...{ ...days.formatSpan(range), filters: applied, ...(any && { any }) },
    ...describeNotices([...notices, ...(await days.listNotices(range))]),
    ...{ by, rows, total_rows: table.total_rows, ...(compared && { previous: days.formatSpan(compared) }) },
  };
}

/** Asks the engine. The rows have only the metrics that the question names. */
async function readTable(call: TableCall, asked: TableQuery) {
  const { rows, isTooLong, ...more } = await call.api.ask(asked, call.signal());
  if (isTooLong) throw invalid({ by: coded('too_many_rows', { most: MOST_TABLE_ROWS }) });
  return { ...more, rows: rows.map(({ by, metrics }) => ({ by, metrics: pickMetrics(metrics, call.body.metrics) })) };
}

/**
 * Lists the keys by which rows are grouped. If the question has an interval, such as `week`, the interval is one more
 * key.
 */
function listKeys({ by, interval }: TableQuestion): TableKey[] {
  const keys = interval === undefined || by.includes(interval) ? by : [...by, interval];
  if (keys.length > MOST_KEYS) throw invalid({ interval: coded('too_many_values', { most: MOST_KEYS }) });
  return keys;
}

/** Reads the filters and the groups of filters. `applied` and `any` are what the answer repeats. */
function readGroups({ db, site, body }: TableCall) {
  const { filters, applied } = readFilters(db, site.id, writeParameters(body.filters));
  const groups = body.any?.map((group) => readFilters(db, site.id, writeParameters(group)));
  const all: Filters = groups ? { ...filters, any: groups.map((group) => group.filters) } : filters;
  return { filters: all, applied, any: groups?.map((group) => group.applied) };
}

/**
 * Reads the metrics and the order of the rows. Refuses a metric that rows with these keys do not have, such as the
 * bounce rate for the key `page`.
 */
function readMetrics({ db, site, body }: TableCall, by: readonly TableKey[]) {
  const counts = chooseCounts(by);
  const metrics = body.metrics.filter((metric): metric is Metric => metric !== 'visitors');
  const unknown = metrics.find((metric) => findFigureOf(counts, metric) === undefined);
  if (unknown) {
    const known = TABLE_METRICS.filter((metric) => metric === 'visitors' || findFigureOf(counts, metric));
    throw invalid({ metrics: coded('not_with_keys', { metric: unknown, known: known.join(', ') }) });
  }
  const sorts: readonly string[] = [...new Set([...body.metrics, 'visitors', ...by])];
  if (body.sort !== undefined && !sorts.includes(body.sort)) {
    throw invalid({ sort: coded('none_of', { known: sorts.join(', ') }) });
  }
  return {
    metrics,
    ...readGoal(db, site, metrics, body.goal),
    sort: body.sort === 'visitors' ? undefined : (body.sort as Metric | TableKey | undefined),
    currency: chooseCurrency([site], { metrics, currency: body.currency }),
  };
}

function readGoal(db: TableCall['db'], site: ReportedSite, metrics: readonly Metric[], named: number | undefined) {
  if (metrics.some(needsGoal)) {
    const { id: _, created_at: __, ...goal } = chooseGoal(db, site, named);
    return { goal };
  }
  if (named !== undefined) throw invalid({ goal: coded('only_conversion_metrics') });
  return {};
}

const pickMetrics = (all: RowMetrics, names: readonly (keyof RowMetrics)[]): RowMetrics =>
  Object.fromEntries(names.map((name) => [name, all[name]]));

/** The rows of the answer, and notices about what they lack. */
type Found = { rows: Table['rows']; notices: Coded[] };

/** Finds the days that the rows are compared with. */
function findCompared({ site, now, body }: TableCall, range: Range): Range {
  const { from, to } = chooseCompared({ compare: body.compare, compare_until: undefined }, range, site, now);
  return { from, to };
}

/**
 * Adds the field `previous` to each row: the row's figures on the days with which the range is compared (`compared`).
 * `previous` is null if a row has no such figures. Totals-only days may be missing from the figures. One notice names
 * all missing days of the range and of the compared days.
 */
async function addPrevious(
  call: TableCall,
  asked: TableQuery,
  { rows, notices, compared }: Found & { compared: Range },
): Promise<Found> {
  const before = await readTable(call, { ...asked, range: compared, wanted: rows.map((row) => row.by) });
  const known = new Map(before.rows.map((row) => [JSON.stringify(row.by), row.metrics]));
  return {
    rows: rows.map((row) => ({ ...row, previous: known.get(JSON.stringify(row.by)) ?? null })),
    notices: joinLeftOut(notices, before.notices),
  };
}
