import { findChannel } from '../../src/classify/channel.ts';
import { FILTERS } from '../../src/stats/dimensions.ts';
import { TIME_KEYS } from '../../src/stats/table-keys.ts';
import type { Hit } from '../collect/stage.ts';
import { compareText } from './arithmetic.ts';
import { daysOf, period, SECONDS } from './days.ts';
import { revenueNotices } from './money.ts';
import { takenOver } from './naive.ts';
import { asideNotices, together, zoneNotices } from './notices.ts';
import { compare, type Figure, METRICS, shown, whole } from './rows.ts';
import { hourOf, nameIn, written } from './series.ts';
import {
  type Counted,
  counts,
  distinct,
  type Filters,
  hitsIn,
  pageviewsIn,
  passesGroup,
  propertyOf,
  reaches,
  type Site,
  selected,
} from './visits.ts';
import { runningDay, shown as showTime, UTC_ONLY } from './zones.ts';

/** What a table may be grouped by. Visits of the tests have two of these properties. */
export const TABLE_KEYS = [...FILTERS, ...TIME_KEYS, 'property:plan', 'property:theme', 'property:never'];

/** A question as its body has it. `filters` and `any` are as the API reads them, with an operator for each list. */
export type TableQuestion = {
  range: string;
  by: string[];
  metrics: string[];
  filters: Filters;
  any?: Filters[];
  goal?: number;
  currency?: string;
  sort?: string;
  order?: 'asc' | 'desc';
  limit: number;
  offset: number;
};

type Value = string | number;

const OF_HITS = ['page', 'hostname', 'event', 'hour', 'hour_of_day'];
const isOfHit = (key: string): boolean => OF_HITS.includes(key) || key.startsWith('property:');

/** What the rows count: visits, pageviews, or all hits. */
export function countsOf(by: readonly string[]): 'visits' | 'pageviews' | 'any' {
  if (!by.some(isOfHit)) return 'visits';
  if (by.some((key) => key === 'event' || key.startsWith('property:'))) return 'any';
  return by.includes('page') || by.includes('hostname') ? 'pageviews' : 'any';
}

/** The metrics that such rows have besides visitors. */
export const METRICS_OF = {
  visits: 'visits pageviews bounce_rate visit_duration conversions conversion_rate revenue revenue_per_visitor',
  pageviews: 'visits pageviews time_on_page scroll_depth',
  any: 'visits pageviews count revenue revenue_per_visitor',
};

function readValue(key: string, { visit, hit }: Counted, zone: string): Value {
  const [first, last] = [visit.hits[0], visit.hits.at(-1) as Hit];
  const interval = nameIn(key);
  if (interval) return interval(first.day);
  if (key === 'weekday') return ((((first.day - 4) % 7) + 7) % 7) + 1;
  const at = hit.day * SECONDS + hit.second;
  if (key === 'hour') return written(zone, hourOf(zone, at));
  if (key === 'hour_of_day')
    return Math.floor((((showTime(zone, hourOf(zone, at)) % SECONDS) + SECONDS) % SECONDS) / 3_600);
  if (key.startsWith('property:')) return propertyOf(hit, key.slice('property:'.length)) ?? '';
  if (key === 'entry') return first.page;
  if (key === 'exit') return last.page;
  if (key === 'channel') return findChannel(first);
  return (isOfHit(key) ? hit : first)[key as 'page'];
}

const compareValues = (one: Value, other: Value): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : compareText(String(one), String(other));

const compareKeys = (one: readonly Value[], other: readonly Value[]): number =>
  one.map((value, i) => compareValues(value, other[i] ?? '')).find((difference) => difference !== 0) ?? 0;

/** An hour is sorted by its instant. */
const sortable = (key: string, value: Value): Value => (key === 'hour' ? Date.parse(String(value)) : value);

/** What `POST /query` must answer as `data`. */
export function tableOf(site: Site, question: TableQuestion, now: number): object {
  const { range, by, metrics, filters, any, sort, order, limit, offset } = question;
  const zones = site.zones ?? UTC_ONLY;
  const zone = zones.at(-1)?.zone ?? '';
  const [first, last] = daysOf(range, runningDay(zones, now));
  const groups = any ?? [{}];
  const all = selected(site, {}, [first, last]);
  const counted = hitsIn(all).filter(({ visit, hit }) =>
    groups.some((group) => passesGroup(site, visit, filters, group) && counts(hit, filters) && counts(hit, group)),
  );
  const kind = countsOf(by);
  const goal = site.goals.find(({ id }) => id === (question.goal ?? site.mainGoal));
  const currency = metrics.some((name) => name.startsWith('revenue')) ? String(question.currency) : undefined;
  const own = kind === 'pageviews' ? pageviewsIn(counted) : counted;
  const rows = [...Map.groupBy(own, (one) => JSON.stringify(by.map((key) => readValue(key, one, zone))))].map(
    ([json, hits]) => {
      const visits = [...new Set(hits.map(({ visit }) => visit))];
      const converted = hitsIn(visits).filter(({ hit }) => goal !== undefined && reaches(hit, goal));
      const group = { visits, hits, converted, currency: currency ?? '' };
      const figures = metrics.map((name): [string, Figure] => [
        name,
        name === 'visitors' ? whole(distinct(hits)) : (METRICS[name]?.(group) ?? null),
      ]);
      return {
        keys: JSON.parse(json) as Value[],
        figures: Object.fromEntries(figures),
        visitors: whole(distinct(hits)),
      };
    },
  );
  const place = by.indexOf(sort ?? '');
  const rankOf = ({ figures, visitors }: (typeof rows)[number]): Figure => {
    const figure = sort !== undefined && sort in figures ? (figures[sort] ?? null) : visitors;
    return figure !== null && order === 'asc' ? { ...figure, of: -figure.of } : figure;
  };
  const sorted = rows
    .map((row) => ({ ...row, rank: rankOf(row), sortKeys: row.keys.map((value, i) => sortable(by[i] ?? '', value)) }))
    .sort((one, other) => {
      const byKey = compareValues(one.sortKeys[place] ?? '', other.sortKeys[place] ?? '');
      const first = place < 0 ? compare(one.rank, other.rank) : order === 'desc' ? -byKey : byKey;
      return first || compareKeys(one.sortKeys, other.sortKeys);
    });
  const taken = takenOver(site, [[first, last]]);
  return {
    ...period(zones, [first, last]),
    filters,
    ...(any && { any }),
    ...together(asideNotices(taken), revenueNotices(counted, currency), zoneNotices(site.hits, zones, first, last)),
    by,
    rows: sorted.slice(offset, offset + limit).map(({ keys, figures }) => ({
      by: keys,
      metrics: Object.fromEntries(metrics.map((name) => [name, shown(figures[name] ?? null)])),
    })),
    total_rows: rows.length,
  };
}
