import type { Hit } from '../collect/stage.ts';
import { date, dayOf, daysOf, moment, period, SECONDS } from './days.ts';
import { noticesOf } from './notices.ts';
import {
  type Counted,
  countedIn,
  distinct,
  eventsIn,
  type Filters,
  type Funnel,
  filtersIn,
  type Goal,
  pageviewsIn,
  reaches,
  type Site,
  selected,
  type Target,
  type Visit,
} from './visits.ts';
import { runningDay, UTC_ONLY } from './zones.ts';

/** A question as the API is asked: what follows /stats/ in the path, and the parameters. */
export type Question = { path: string; query: Record<string, string> };

type Row = { value: string; visitors: number };

/** In whole numbers, so that a half is a half; away from zero. */
function rounded(numerator: number, denominator: number, decimals: number): number {
  if (denominator === 0) return 0;
  const scale = 10n ** BigInt(decimals);
  const below = BigInt(denominator);
  const size = (2n * BigInt(Math.abs(numerator)) * scale + below) / (2n * below);
  const value = Number(size) / Number(scale);
  return numerator < 0 && size > 0n ? -value : value;
}

const percent = (part: number, whole: number, decimals: number): number => rounded(part * 100, whole, decimals);

/** Figures have at most one decimal, so ten of them are whole. */
function change(now: number, before: number): number | null {
  if (before === 0) return null;
  return percent(Math.round(now * 10) - Math.round(before * 10), Math.round(before * 10), 1);
}

function compareText(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i]?.codePointAt(0) ?? 0) - (b[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** How often each value is there, most first; the key of an object may be any text only in a Map. */
function ranked(values: Iterable<string>): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1] || compareText(one[0], other[0]));
}

function figuresOf(visits: readonly Visit[], filters: Filters) {
  const counted = countedIn(visits, filters);
  const bounces = visits.filter(({ hits }) => hits.length === 1 && hits[0].event === '').length;
  const seconds = visits.reduce((sum, { hits, last }) => sum + last - hits[0].second, 0);
  return {
    visitors: distinct(counted),
    pageviews: pageviewsIn(counted).length,
    visits: visits.length,
    bounce_rate: percent(bounces, visits.length, 1),
    visit_duration: rounded(seconds, visits.length, 0),
  };
}

/** Visitors by value; whoever has a value twice counts once under it. */
function visitorsBy(pairs: { visitor: string; value: string }[], leaveOutEmpty: boolean, limit: number): Row[] {
  const seen = new Map<string, string>();
  for (const { visitor, value } of pairs) seen.set(`${visitor}: ${value}`, value);
  return ranked(seen.values())
    .filter(([value]) => !(leaveOutEmpty && value === ''))
    .map(([value, visitors]) => ({ value, visitors }))
    .slice(0, limit);
}

function rowsOf(name: string, visits: readonly Visit[], filters: Filters, query: Record<string, string>): Row[] {
  const limit = Number(query.limit ?? 10);
  const counted = countedIn(visits, filters);
  const byHit = (list: Counted[], word: 'page' | 'event' | 'label') =>
    visitorsBy(
      list.map(({ visitor, hit }) => ({ visitor, value: hit[word] })),
      word === 'label',
      limit,
    );
  const byVisit = (read: (first: Hit, last: Hit) => string, leaveOutEmpty = false) =>
    visitorsBy(
      visits.map(({ visitor, hits }) => ({ visitor, value: read(hits[0], hits.at(-1) ?? hits[0]) })),
      leaveOutEmpty,
      limit,
    );
  const reports: Record<string, () => Row[]> = {
    pages: () => byHit(pageviewsIn(counted), 'page'),
    events: () => byHit(eventsIn(counted), 'event'),
    event_labels: () =>
      byHit(
        eventsIn(counted).filter(({ hit }) => hit.event === query.event),
        'label',
      ),
    entry_pages: () => byVisit((first) => first.page),
    exit_pages: () => byVisit((_, last) => last.page),
    referrers: () => byVisit((first) => first.source),
    utm_source: () => byVisit((first) => first.utm_source, true),
    utm_medium: () => byVisit((first) => first.utm_medium, true),
    utm_campaign: () => byVisit((first) => first.utm_campaign, true),
    countries: () => byVisit((first) => first.country),
    devices: () => byVisit((first) => first.device),
    browsers: () => byVisit((first) => first.browser),
    operating_systems: () => byVisit((first) => first.os),
  };
  const report = reports[name];
  if (!report) throw new Error(`no breakdown ${name}`);
  return report();
}

function pointsOf(visits: readonly Visit[], filters: Filters, first: number, last: number) {
  const length = last - first + 1 > 90 ? 'YYYY-MM'.length : 'YYYY-MM-DD'.length;
  const counted = countedIn(visits, filters);
  const dates: string[] = [];
  for (let day = first; day <= last; day++) dates.push(date(day).slice(0, length));
  return [...new Set(dates)].map((name) => {
    const within = counted.filter(({ hit }) => date(hit.day).slice(0, length) === name);
    return { date: name, visitors: distinct(within), pageviews: pageviewsIn(within).length };
  });
}

function goalsOf(goals: readonly Goal[], counted: readonly Counted[]) {
  return [...goals]
    .sort((one, other) => one.id - other.id)
    .map(({ id, type, value }) => {
      const conversions = counted.filter(({ hit }) => reaches(hit, { type, value }));
      const visitors = distinct(conversions);
      const rate = percent(visitors, distinct(counted), 2);
      return { id, type, value, visitors, conversions: conversions.length, conversion_rate: rate };
    });
}

/** How many steps a visitor's hits of a day go, each step at the earliest hit after the one before. */
function stepsReached(steps: readonly Target[], hits: readonly Hit[]): number {
  let reached = 0;
  for (const hit of hits) {
    const next = steps[reached];
    if (next && reaches(hit, next)) reached++;
  }
  return reached;
}

function funnelOf({ steps }: Funnel, visits: readonly Visit[]) {
  const days = Map.groupBy(visits, ({ visitor }) => visitor);
  const reached = [...days.values()].map((ofOne) =>
    stepsReached(
      steps,
      ofOne.flatMap(({ hits }) => hits),
    ),
  );
  const visitors = steps.map((_, step) => reached.filter((count) => count > step).length);
  return steps.map(({ type, value }, step) => ({
    type,
    value,
    visitors: visitors[step] ?? 0,
    share_of_previous: percent(visitors[step] ?? 0, visitors[Math.max(0, step - 1)] ?? 0, 1),
    share_of_first: percent(visitors[step] ?? 0, visitors[0] ?? 0, 1),
  }));
}

function botsOf(site: Site, query: Record<string, string>, first: number, last: number) {
  const crawls = site.crawls.filter(({ day }) => day >= first && day <= last);
  const narrowed = crawls.filter(({ crawler }) => query.crawler === undefined || crawler === query.crawler);
  return {
    total: crawls.length,
    crawlers: ranked(crawls.map(({ crawler }) => crawler)).map(([crawler, requests]) => {
      const { name, operator, purpose } = site.crawlers.find(({ id }) => id === crawler) ?? {};
      return { crawler, name, operator, purpose, requests };
    }),
    pages: ranked(narrowed.map(({ page }) => page))
      .slice(0, Number(query.limit ?? 10))
      .map(([page, requests]) => ({ page, requests })),
  };
}

/**
 * What the API must answer as `data`: plain loops over the raw hits, slow and meant to be seen to be right. It takes
 * only questions that the API takes; sources are asked for in ASCII.
 */
export function naive(site: Site, { path, query }: Question, now: number): object {
  const zones = site.zones ?? UTC_ONLY;
  const [first, last] = daysOf(query.range ?? '30d', runningDay(zones, now));
  const filters = filtersIn(query);
  const [report = '', name = ''] = path.split('/');
  const visits = selected(site, filters, first, last);
  const counted = countedIn(visits, filters);
  const head = { ...period(zones, first, last), filters, ...noticesOf(site.hits, zones, first, last) };
  switch (report) {
    case 'overview': {
      const length = last - first + 1;
      const current = figuresOf(visits, filters);
      const before = figuresOf(selected(site, filters, first - length, first - 1), filters);
      const changes = {
        visitors: change(current.visitors, before.visitors),
        pageviews: change(current.pageviews, before.pageviews),
        visits: change(current.visits, before.visits),
        bounce_rate: change(current.bounce_rate, before.bounce_rate),
        visit_duration: change(current.visit_duration, before.visit_duration),
      };
      return {
        ...head,
        ...current,
        previous: { ...period(zones, first - length, first - 1), ...before },
        change: changes,
      };
    }
    case 'timeseries': {
      const interval = last - first + 1 > 90 ? 'month' : 'day';
      return { ...head, interval, points: pointsOf(visits, filters, first, last) };
    }
    case 'breakdown':
      return { ...head, breakdown: name, rows: rowsOf(name, visits, filters, query) };
    case 'goals':
      return { ...head, goals: goalsOf(site.goals, counted) };
    case 'funnels': {
      const funnel = site.funnels.find(({ id }) => id === Number(name));
      if (!funnel) throw new Error(`no funnel ${name}`);
      return { ...head, funnel: { id: funnel.id, name: funnel.name }, steps: funnelOf(funnel, visits) };
    }
    case 'realtime': {
      const from = now - 300;
      // Wherever they live: their days may have begun much earlier, or be ahead.
      const recent = countedIn(selected(site, filters, dayOf(from) - 3, dayOf(now) + 3), filters).filter(({ hit }) => {
        const at = hit.day * SECONDS + hit.second;
        return at >= from && at <= now;
      });
      return { from: moment(from), to: moment(now), filters, visitors: distinct(recent) };
    }
    case 'bots': {
      const notices = noticesOf(site.hits, zones, first, last);
      return { ...period(zones, first, last), ...botsOf(site, query, first, last), ...notices };
    }
    default:
      throw new Error(`no report ${report}`);
  }
}
