import { askedOf, type SharedMeasured, type SharedQuestion, SITES, type SiteDays } from '../stats/all-sites.ts';
import type { Breakdown } from '../stats/dimensions.ts';
import { addTotals, noTotals, type Row, type Totals } from '../stats/measured.ts';
import type { DayReader } from './days.ts';
import { countLive, measurePart } from './measure.ts';
import { isFromRollups } from './needs.ts';
import type { Part } from './scan-days.ts';
import type { Texts } from './terms.ts';
import { topRows } from './top.ts';

/** What was counted of some of the sites of a question. */
export type SitesPart = {
  totals: Totals[];
  live: number;
  bySite: SharedMeasured['bySite'];
  /** Visitors by text, as JSON: the server's own thread passes it on in one piece. */
  rows: string;
};

/** So many days are scanned at once, about those of one site, so that the questions of others have their turn in between. */
const DAYS_AT_ONCE = 400;

/** The sites that are measured at once. Rollups are read so quickly that all of them are. */
export function portionsOf(asked: SharedQuestion, sites: readonly SiteDays[]): SiteDays[][] {
  const portions: SiteDays[][] = [];
  let room = 0;
  for (const site of sites) {
    const { question, days } = askedOf(asked, site);
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
function addRows(rows: Counts, { counts }: Part, breakdown: Breakdown, textOf: Texts['textOf']): void {
  const { terms = [], visitors = [] } = counts[breakdown] ?? {};
  for (let i = 0; i < terms.length; i++) addVisitors(rows, textOf(terms[i] as number), visitors[i] as number);
}

/** Measures the sites of a question one after another, and adds them up. */
export function measureSites(days: DayReader, textsOf: (siteId: number) => Texts, asked: SharedQuestion): SitesPart {
  const sums: Omit<SitesPart, 'rows'> = { totals: [], live: 0, bySite: [] };
  const rows: Counts = new Map();
  for (const site of asked.sites) {
    days.checkpoint();
    const { question, days: ranges } = askedOf(asked, site);
    const texts = textsOf(site.siteId);
    if (question.report === 'realtime') {
      const { visitors, aside } = countLive(days, texts, question);
      sums.live += visitors;
      if (aside[0]) sums.bySite.push({ siteId: site.siteId, leftOut: [], aside, untouched: [] });
      continue;
    }
    const part = measurePart(days, texts, question, ranges);
    addAll(sums.totals, part.totals);
    const { leftOut, aside, untouched } = part;
    if (leftOut.length + untouched.length > 0 || aside[0])
      sums.bySite.push({ siteId: site.siteId, leftOut, aside, untouched });
    if (asked.report !== 'breakdown') continue;
    if (asked.breakdown === SITES) addVisitors(rows, site.domain, part.totals[0]?.visitors ?? 0);
    else addRows(rows, part, asked.breakdown, texts.textOf);
  }
  return { ...sums, rows: JSON.stringify([...rows]) };
}

function rowsOf(asked: SharedQuestion, parts: readonly SitesPart[]): Row[] {
  if (asked.report !== 'breakdown') return [];
  const counts: Counts = new Map();
  for (const part of parts) {
    for (const [text, visitors] of JSON.parse(part.rows) as [string, number][]) addVisitors(counts, text, visitors);
  }
  const found = [...counts].filter(([, visitors]) => visitors > 0);
  const visitors = found.map(([, count]) => count);
  return topRows([...found.keys()], visitors, asked, (place) => found[place]?.[0] ?? '').map(({ value, place }) => ({
    value,
    visitors: visitors[place] ?? 0,
  }));
}

/** Adds up what was counted of the sites of a question. */
export function sumOfSites(asked: SharedQuestion, parts: readonly SitesPart[]): SharedMeasured {
  const totals: Totals[] = [];
  for (const part of parts) addAll(totals, part.totals);
  const live = parts.reduce((sum, part) => sum + part.live, 0);
  const rows = rowsOf(asked, parts);
  return {
    measured: { totals, times: [], rows, goals: [], steps: [], hours: [], live, leftOut: [], aside: {}, untouched: [] },
    bySite: parts.flatMap((part) => part.bySite),
  };
}
