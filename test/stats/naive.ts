import type { Hit } from '../collect/stage.ts';
import { change, percent, ranked, rounded } from './arithmetic.ts';
import { dayOf, daysOf, moment, period, SECONDS } from './days.ts';
import { liveOf } from './live.ts';
import { asideNotices, together, zoneNotices } from './notices.ts';
import { rowsOf, timeOnPage } from './rows.ts';
import { comparedUntil, nameIn, seriesOf } from './series.ts';
import {
  countedIn,
  distinct,
  type Filters,
  type Funnel,
  filtersIn,
  type Goal,
  hitsIn,
  pageviewsIn,
  type Query,
  reaches,
  type Site,
  selected,
  type Target,
  takenIn,
  type Visit,
} from './visits.ts';
import { vitalsOf } from './vitals.ts';
import { runningDay, UTC_ONLY } from './zones.ts';

/** A question as the API is asked: what follows /stats/ in the path, and the parameters. */
export type Question = { path: string; query: Query };

export function figuresOf(visits: readonly Visit[], filters: Filters, metrics: string | undefined) {
  const counted = countedIn(visits, filters);
  const bounces = visits.filter(({ hits }) => hits.length === 1 && hits[0].event === '').length;
  const seconds = visits.reduce((sum, { hits, last }) => sum + last - hits[0].second, 0);
  return {
    visitors: distinct(counted),
    pageviews: pageviewsIn(counted).length,
    visits: visits.length,
    bounce_rate: percent(bounces, visits.length, 1),
    visit_duration: rounded(seconds, visits.length, 0),
    ...(metrics === undefined ? {} : { time_on_page: timeOnPage(counted) }),
  };
}
type Figures = ReturnType<typeof figuresOf>;

type Series = ReturnType<typeof seriesOf>;

/** Points with the figures that are asked for, of the visits that began in them. */
function withFigures({ interval, points }: Series, visits: readonly Visit[], filters: Filters, metrics = '') {
  const nameOf = nameIn(interval);
  if (metrics === '' || !nameOf) return { interval, points };
  const own = Map.groupBy(visits, ({ hits: [{ day }] }) => nameOf(day));
  return {
    interval,
    points: points.map((point) => {
      const figures: Record<string, unknown> = figuresOf(own.get(point.date) ?? [], filters, metrics);
      return { ...point, ...Object.fromEntries(metrics.split(',').map((metric) => [metric, figures[metric]])) };
    }),
  };
}

/** By how many percent each figure has changed. */
export const changesOf = (now: Figures, before: Figures) =>
  Object.fromEntries(
    (Object.keys(now) as (keyof Figures)[]).map((figure) => [
      figure,
      change(now[figure] ?? null, before[figure] ?? null),
    ]),
  );

/** A filter by page selects visits, and of these any hit may reach a goal. */
function goalsOf(goals: readonly Goal[], visits: readonly Visit[]) {
  return [...goals]
    .sort((one, other) => one.id - other.id)
    .map((goal) => {
      const conversions = hitsIn(visits).filter(({ hit }) => reaches(hit, goal));
      const visitors = distinct(conversions);
      const rate = percent(visitors, distinct(visits), 2);
      return { ...goal, visitors, conversions: conversions.length, conversion_rate: rate };
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
  return steps.map((target, step) => ({
    ...target,
    visitors: visitors[step] ?? 0,
    share_of_previous: percent(visitors[step] ?? 0, visitors[Math.max(0, step - 1)] ?? 0, 1),
    share_of_first: percent(visitors[step] ?? 0, visitors[0] ?? 0, 1),
  }));
}

function botsOf(site: Site, query: Query, first: number, last: number) {
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

/** The visits that are set aside on the days from the first to the last of any span. */
export function takenOver(site: Site, spans: readonly (readonly [number, number, ...unknown[]])[]) {
  const [first, last] = [spans.map(([from]) => from), spans.map(([, to]) => to)];
  return takenIn(site, Math.min(...first), Math.max(...last)).filter(({ visit }) => {
    const { day } = visit.hits[0];
    return spans.some(([from, to]) => day >= from && day <= to);
  });
}

/**
 * What the API must answer as `data`: plain loops over the raw hits, slow and meant to be seen to be right. It takes
 * only questions that the API takes; sources are asked for in ASCII.
 */
export function naive(site: Site, { path, query }: Question, now: number): object {
  const asked = query as Record<string, string | undefined>;
  const { range = '30d', metrics, interval } = asked;
  const zones = site.zones ?? UTC_ONLY;
  const [first, last] = daysOf(range, runningDay(zones, now));
  const filters = filtersIn(query);
  const [report = '', name = ''] = path.split('/');
  const visits = selected(site, filters, [first, last]);
  const compared = report === 'overview' ? comparedUntil(asked, [first, last], zones, now) : undefined;
  const taken = takenOver(site, [[first, last], compared ?? [first, last]]);
  const ofZones = zoneNotices(site.hits, zones, first, last);
  const head = { ...period(zones, [first, last]), filters, ...together(asideNotices(taken), ofZones) };
  switch (report) {
    case 'overview': {
      const current = figuresOf(visits, filters, metrics);
      if (!compared) return { ...head, ...current };
      const before = figuresOf(selected(site, filters, compared), filters, metrics);
      return {
        ...head,
        ...current,
        previous: { ...period(zones, compared), ...before },
        change: changesOf(current, before),
      };
    }
    case 'timeseries': {
      const series = seriesOf(countedIn(visits, filters), zones, [first, last], interval);
      return { ...head, ...withFigures(series, visits, filters, metrics) };
    }
    case 'breakdown':
      return { ...head, breakdown: name, rows: rowsOf(site, name, visits, filters, query) };
    case 'vitals':
      return { ...head, ...vitalsOf(countedIn(visits, filters), asked) };
    case 'goals':
      return { ...head, goals: goalsOf(site.goals, visits) };
    case 'funnels': {
      const funnel = site.funnels.find(({ id }) => id === Number(name));
      if (!funnel) throw new Error(`no funnel ${name}`);
      return { ...head, funnel: { id: funnel.id, name: funnel.name }, steps: funnelOf(funnel, visits) };
    }
    case 'realtime': {
      const from = now - 300;
      // Wherever they live: their days may have begun much earlier, or be ahead.
      const recent = countedIn(selected(site, filters, [dayOf(from) - 3, dayOf(now) + 3]), filters).filter(
        ({ hit }) => {
          const at = hit.day * SECONDS + hit.second;
          return at >= from && at <= now;
        },
      );
      const lately = takenIn(site, dayOf(from) - 3, dayOf(now) + 3).filter(({ visit }) =>
        visit.hits.some(({ day, second }) => day * SECONDS + second >= from && day * SECONDS + second <= now),
      );
      const notices = together(asideNotices(lately));
      return { from: moment(from), to: moment(now), filters, ...notices, visitors: distinct(recent) };
    }
    case 'live':
      return { ...liveOf(site, filters, now), filters };
    case 'bots': {
      return { ...period(zones, [first, last]), ...botsOf(site, query, first, last), ...together(ofZones) };
    }
    default:
      throw new Error(`no report ${report}`);
  }
}
