import {
  askSite,
  listNoted,
  type SharedMeasured,
  type SharedQuestion,
  SITES,
  type SiteDays,
} from '../../stats/all-sites.ts';
import type { Breakdown } from '../../stats/dimensions.ts';
import { addTotals, noTotals, nothingMeasured, type Row, type Totals } from '../../stats/measured.ts';
import type { Texts } from '../rows/terms.ts';
import { listTopRows } from '../rows/top-terms.ts';
import type { DayReader } from './day-reader.ts';
import { measurePart } from './measure.ts';
import { isFromRollups } from './plan.ts';
import { countLive } from './realtime.ts';
import type { Part } from './scan.ts';

/** What was counted of some of the sites of a question. */
export type SitesPart = {
  totals: Totals[];
  live: number;
  bySite: SharedMeasured['bySite'];
  /** Visitors by text, as JSON: the server's own thread passes it on in one blob. Rows that are left out have at most `least` visitors. */
  rows: string;
  least: number;
};

/** So many days are scanned at once, about those of one site, so that the questions of others have their turn in between. */
const DAYS_AT_ONCE = 400;

/** The sites that are measured at once. Rollups are read so quickly that all of them are. */
export function portionsOf(asked: SharedQuestion, sites: readonly SiteDays[]): SiteDays[][] {
  const portions: SiteDays[][] = [];
  let room = 0;
  for (const site of sites) {
    const { question, days } = askSite(asked, site);
    const cost = isFromRollups(question) ? 0 : days.reduce((sum, { from, to }) => sum + to - from, 0);
    if (portions.length === 0 || cost > room) {
      portions.push([]);
      room = DAYS_AT_ONCE;
    }
    portions.at(-1)?.push(site);
    room -= cost;
  }
  return portions;
}

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

/** A site's terms mean nothing on another, so each is looked up once. */
function addRows(rows: Counts, { counts }: Part, breakdown: Breakdown, readText: Texts['readText']): void {
  const { terms = [], visitors = [] } = counts[breakdown] ?? {};
  for (let i = 0; i < terms.length; i++) addVisitors(rows, readText(terms[i] as number), visitors[i] as number);
}

/** The rows with the most visitors, and how many the others have at most. */
function largest(counts: Counts, most: number): Pick<SitesPart, 'rows' | 'least'> {
  const least =
    counts.size <= most
      ? 0
      : (Float64Array.from(counts.values())
          .sort()
          .at(-most - 1) ?? 0);
  return { rows: JSON.stringify([...counts].filter(([, visitors]) => visitors > least)), least };
}

/** So many rows more than are asked for are nearly always enough to know which these are. */
const MORE = 1_000;

/** How many rows each part has at first: all of them where it would take long to ask again. */
export const mostRows = (asked: SharedQuestion): number =>
  asked.report === 'breakdown' && Object.keys(asked.filters).length === 0
    ? asked.offset + asked.limit + MORE
    : Number.POSITIVE_INFINITY;

/** Measures the sites of a question one after another, and adds them up; of a breakdown it leaves out all but so many rows. */
export function measureSites(
  days: DayReader,
  readTexts: (siteId: number) => Texts,
  asked: SharedQuestion,
  most: number,
): SitesPart {
  const sums: Omit<SitesPart, 'rows' | 'least'> = { totals: [], live: 0, bySite: [] };
  const rows: Counts = new Map();
  for (const site of asked.sites) {
    days.checkpoint();
    const { question, days: ranges } = askSite(asked, site);
    const texts = readTexts(site.siteId);
    if (question.report === 'realtime') {
      const { visitors, aside } = countLive(days, texts, question);
      sums.live += visitors;
      sums.bySite.push(...listNoted(site.siteId, { leftOut: [], aside, untouched: [] }));
      continue;
    }
    const part = measurePart(days, texts, question, ranges);
    addAll(sums.totals, part.totals);
    sums.bySite.push(...listNoted(site.siteId, part));
    if (asked.report !== 'breakdown') continue;
    if (asked.breakdown === SITES) addVisitors(rows, site.domain, part.totals[0]?.visitors ?? 0);
    else addRows(rows, part, asked.breakdown, texts.readText);
  }
  return { ...sums, ...largest(rows, most) };
}

/** Undefined if rows that a part has left out could be among those that are asked for, or change their figures. */
function rowsOf(asked: SharedQuestion, parts: readonly SitesPart[]): Row[] | undefined {
  if (asked.report !== 'breakdown') return [];
  const counts: Counts = new Map();
  /** How many more visitors a row may have in the parts that left it out. */
  const missing: Counts = new Map();
  const leastOfAll = parts.reduce((sum, { least }) => sum + least, 0);
  for (const { rows, least } of parts) {
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

/** Adds up what was counted of the sites of a question; undefined if the parts have too few rows to know which are the largest. */
export function sumOfSites(asked: SharedQuestion, parts: readonly SitesPart[]): SharedMeasured | undefined {
  const totals: Totals[] = [];
  for (const part of parts) addAll(totals, part.totals);
  const live = parts.reduce((sum, part) => sum + part.live, 0);
  const rows = rowsOf(asked, parts);
  if (!rows) return undefined;
  return {
    measured: { ...nothingMeasured(), totals, rows, live },
    bySite: parts.flatMap((part) => part.bySite),
  };
}
