// Answers a query over all sites of a user. Each thread counts some of the sites, and the results are added up.
//
// Invariant: a row of the answer has the visitors of all sites together. Rows are added up by their texts, because
// terms differ from site to site.
//
// Example: a report wants the 10 largest pages of 300 sites. Each thread returns only its 1,010 largest rows, 1,000
// more than the report wants. All other rows are left out, and each of them has at most `least` visitors. If such a row
// could be among the 10 largest, all rows are read again. work/tasks.ts and queries.ts call this file.

import { addTotals, makeNothingMeasured, noTotals, type RowAggregates, type Totals } from '../../stats/aggregates.ts';
import {
  askSite,
  listNoted,
  type SharedMeasured,
  SITES,
  type SiteDays,
  type SitesQuery,
} from '../../stats/all-sites.ts';
import { BREAKDOWNS, type Breakdown } from '../../stats/dimensions.ts';
import { type Amounts, addAllAmounts } from '../../stats/revenue.ts';
import { chooseTexts } from '../count/dimension-column.ts';
import type { Texts } from '../rows/terms.ts';
import { listTopRows } from '../rows/top-terms.ts';
import type { DayReader } from './day-reader.ts';
import { measurePartial } from './measure.ts';
import { isFromRollups } from './needs.ts';
import { countLive } from './realtime.ts';
import type { DayPartial } from './scan.ts';

export type SitesPartial = {
  totals: Totals[];
  revenue: Amounts[];
  live: number;
  bySite: SharedMeasured['bySite'];
  /**
   * The text and the visitors of each row, as JSON. The rows are passed to another thread, and a string is faster to
   * copy than an array.
   */
  rows: string;
  /** Only the largest rows are in `rows`. A row that is left out has at most this many visitors. */
  least: number;
};

/**
 * About how many days a thread scans at a time for a query over all sites. After these days, the thread first runs
 * waiting queries of other users. Otherwise, one query over 300 sites would delay the queries of all other users.
 */
const DAYS_AT_ONCE = 400;

/** Counts some of the sites of a query. A breakdown returns only the `most` rows with the most visitors. */
export function measureSites(
  days: DayReader,
  readTexts: (siteId: number) => Texts,
  asked: SitesQuery,
  most: number,
): SitesPartial {
  const sums: Omit<SitesPartial, 'rows' | 'least'> = { totals: [], revenue: [], live: 0, bySite: [] };
  const rows: Counts = new Map();
  for (const site of asked.sites) {
    days.checkpoint();
    const { query, days: ranges } = askSite(asked, site);
    const texts = readTexts(site.siteId);
    if (query.report === 'realtime') {
      const { visitors, excluded } = countLive(days, texts, query);
      sums.live += visitors;
      sums.bySite.push(...listNoted(site.siteId, { leftOut: [], excluded, untouched: [] }));
      continue;
    }
    const partial = measurePartial(days, texts, query, ranges);
    addAll(sums.totals, partial.totals);
    addAllAmounts(sums.revenue, partial.revenue);
    sums.bySite.push(...listNoted(site.siteId, partial));
    if (asked.report !== 'breakdown') continue;
    if (asked.breakdown === SITES) addVisitors(rows, site.domain, partial.totals[0]?.visitors ?? 0);
    else addRows(rows, partial, asked.breakdown, texts);
  }
  return { ...sums, ...largest(rows, most) };
}

/**
 * Adds up the results of the threads. Returns undefined if the threads returned too few rows to find the largest ones.
 * The caller then asks for all rows.
 */
export function addSites(asked: SitesQuery, partials: readonly SitesPartial[]): SharedMeasured | undefined {
  const totals: Totals[] = [];
  const revenue: Amounts[] = [];
  for (const partial of partials) {
    addAll(totals, partial.totals);
    addAllAmounts(revenue, partial.revenue);
  }
  const live = partials.reduce((sum, partial) => sum + partial.live, 0);
  const rows = mergeRows(asked, partials);
  if (!rows) return undefined;
  return {
    measured: { ...makeNothingMeasured(), totals, ...(asked.currency === undefined ? {} : { revenue }), rows, live },
    bySite: partials.flatMap((partial) => partial.bySite),
  };
}

/**
 * Splits sites into portions of about 400 days. A thread counts each portion in a task of its own. If stored sums
 * answer the query, counting is so fast that all sites are one portion.
 */
export function splitSites(asked: SitesQuery, sites: readonly SiteDays[]): SiteDays[][] {
  const portions: SiteDays[][] = [];
  let room = 0;
  for (const site of sites) {
    const { query, days } = askSite(asked, site);
    const cost = isFromRollups(query) ? 0 : days.reduce((sum, { from, to }) => sum + to - from, 0);
    if (portions.length === 0 || cost > room) {
      portions.push([]);
      room = DAYS_AT_ONCE;
    }
    portions.at(-1)?.push(site);
    room -= cost;
  }
  return portions;
}

/**
 * Returns how many rows each thread must return. If these rows turn out to be too few (`addSites`), all sites are
 * counted again. With filters, counting again would take long, so each thread returns all of its rows.
 */
export const mostRows = (asked: SitesQuery): number =>
  asked.report === 'breakdown' && Object.keys(asked.filters).length === 0
    ? asked.offset + asked.limit + MORE
    : Number.POSITIVE_INFINITY;

function addAll(sums: Totals[], more: readonly Totals[]): void {
  for (const [i, totals] of more.entries()) {
    sums[i] ??= noTotals();
    addTotals(sums[i], totals);
  }
}

type Counts = Map<string, number>;

const addVisitors = (counts: Counts, text: string, visitors: number): void => {
  counts.set(text, (counts.get(text) ?? 0) + visitors);
};

/** Adds the rows of a site by their texts, because terms differ from site to site. */
function addRows(rows: Counts, { counts }: DayPartial, breakdown: Breakdown, texts: Texts): void {
  const { readText } = chooseTexts(BREAKDOWNS[breakdown], texts);
  const { terms = [], visitors = [] } = counts[breakdown] ?? {};
  for (let i = 0; i < terms.length; i++) addVisitors(rows, readText(terms[i] as number), visitors[i] as number);
}

/**
 * Returns those rows that have the most visitors, at most `most` rows. A row that is left out has `least` visitors or
 * fewer.
 */
function largest(counts: Counts, most: number): Pick<SitesPartial, 'rows' | 'least'> {
  const least =
    counts.size <= most
      ? 0
      : (Float64Array.from(counts.values())
          .sort()
          .at(-most - 1) ?? 0);
  return { rows: JSON.stringify([...counts].filter(([, visitors]) => visitors > least)), least };
}

/**
 * Each thread returns this many more rows than the query wants. A row may be small in each thread, but large in all
 * threads together.
 */
const MORE = 1_000;

/** Adds up the rows of all threads. Returns undefined if a row that a thread left out could change the result. */
function mergeRows(asked: SitesQuery, partials: readonly SitesPartial[]): RowAggregates[] | undefined {
  if (asked.report !== 'breakdown') return [];
  const counts: Counts = new Map();
  /** For each row, how many visitors the row may have in those threads that left it out. */
  const missing: Counts = new Map();
  const leastOfAll = partials.reduce((sum, { least }) => sum + least, 0);
  for (const { rows, least } of partials) {
    for (const [text, visitors] of JSON.parse(rows) as [string, number][]) {
      addVisitors(counts, text, visitors);
      missing.set(text, (missing.get(text) ?? leastOfAll) - least);
    }
  }
  const found = [...counts].filter(([, visitors]) => visitors > 0);
  const visitors = found.map(([, count]) => count);
  const threshold =
    Float64Array.from(visitors)
      .sort()
      .at(-(asked.offset + asked.limit)) ?? 0;
  const mayCount = ([text, count]: [string, number], more = missing.get(text) ?? 0) =>
    more > 0 && count + more >= threshold;
  if (leastOfAll > 0 && (leastOfAll >= threshold || found.some((row) => mayCount(row)))) return undefined;
  return listTopRows([...found.keys()], visitors, asked, (place) => found[place]?.[0] ?? '').map(
    ({ value, place }) => ({
      value,
      visitors: visitors[place] ?? 0,
    }),
  );
}
