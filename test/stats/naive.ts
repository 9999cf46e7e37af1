import { change, percent, ranked, rounded } from './arithmetic.ts';
import { dayOf, daysOf, moment, period, SECONDS } from './days.ts';
import { journeysOf } from './journeys.ts';
import { liveOf } from './live.ts';
import { amountIn, currencyOf, revenueNotices, sharedBy, written } from './money.ts';
import { asideNotices, together, zoneNotices } from './notices.ts';
import { rowsOf, timeOnPage } from './rows.ts';
import { comparedUntil, nameIn, seriesOf } from './series.ts';
import {
  type Counted,
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

export function figuresOf(
  visits: readonly Visit[],
  filters: Filters,
  metrics: string | undefined,
  currency: string | undefined = undefined,
) {
  const counted = countedIn(visits, filters);
  const bounces = visits.filter(({ hits }) => hits.length === 1 && hits[0].event === '').length;
  const seconds = visits.reduce((sum, { hits, last }) => sum + last - hits[0].second, 0);
  return {
    visitors: distinct(counted),
    pageviews: pageviewsIn(counted).length,
    visits: visits.length,
    bounce_rate: percent(bounces, visits.length, 1),
    visit_duration: rounded(seconds, visits.length, 0),
    ...(metrics?.includes('time_on_page') ? { time_on_page: timeOnPage(counted) } : {}),
    ...(currency === undefined ? {} : moneyOf(counted, distinct(counted), currency)),
  };
}
const moneyOf = (counted: readonly Counted[], visitors: number, currency: string) => ({
  revenue: written(amountIn(counted, currency), currency),
  revenue_per_visitor: sharedBy(amountIn(counted, currency), visitors, currency),
});

type Figures = ReturnType<typeof figuresOf>;

type Series = ReturnType<typeof seriesOf>;

/** Points with the figures that are asked for, of the visits that began in them. */
export function withFigures({ interval, points }: Series, visits: readonly Visit[], filters: Filters, query: Query) {
  const metrics = String(query.metrics ?? '');
  const nameOf = nameIn(interval);
  if (metrics === '' || !nameOf) return { interval, points };
  const own = Map.groupBy(visits, ({ hits: [{ day }] }) => nameOf(day));
  return {
    interval,
    points: points.map((point) => {
      const figures: Record<string, unknown> = figuresOf(
        own.get(point.date) ?? [],
        filters,
        metrics,
        currencyOf(query),
      );
      return { ...point, ...Object.fromEntries(metrics.split(',').map((metric) => [metric, figures[metric]])) };
    }),
  };
}

/** Of money the cents count. */
const asNumber = (figure: number | string | null | undefined): number | null =>
  typeof figure === 'string' ? Number(figure.replace('.', '')) : (figure ?? null);

/** By how many percent each figure has changed. */
export const changesOf = (now: Figures, before: Figures) =>
  Object.fromEntries(
    (Object.keys(now) as (keyof Figures)[]).map((figure) => [
      figure,
      change(asNumber(now[figure]), asNumber(before[figure])),
    ]),
  );

/** A filter by page selects visits, and of these any hit may reach a goal. */
function goalsOf(goals: readonly Goal[], visits: readonly Visit[], currency: string | undefined) {
  return [...goals]
    .sort((one, other) => one.id - other.id)
    .map((goal) => {
      const conversions = hitsIn(visits).filter(({ hit }) => reaches(hit, goal));
      const visitors = distinct(conversions);
      const rate = percent(visitors, distinct(visits), 2);
      const money = currency === undefined ? {} : moneyOf(conversions, visitors, currency);
      return { ...goal, visitors, conversions: conversions.length, conversion_rate: rate, ...money };
    });
}

/** The hits with which a visitor's hits of a day reach steps, each step at the earliest hit after the one before. */
function hitsAtSteps(steps: readonly Target[], counted: readonly Counted[]): Counted[] {
  const reached: Counted[] = [];
  for (const one of counted) {
    const next = steps[reached.length];
    if (next && reaches(one.hit, next)) reached.push(one);
  }
  return reached;
}

function funnelOf({ steps }: Funnel, visits: readonly Visit[], currency: string | undefined) {
  const days = Map.groupBy(visits, ({ visitor }) => visitor);
  const reached = [...days.values()].map((ofOne) => hitsAtSteps(steps, hitsIn(ofOne)));
  const visitors = steps.map((_, step) => reached.filter((hits) => hits.length > step).length);
  const last = reached.flatMap((hits) => hits.slice(steps.length - 1));
  return steps.map((target, step) => ({
    ...target,
    visitors: visitors[step] ?? 0,
    share_of_previous: percent(visitors[step] ?? 0, visitors[Math.max(0, step - 1)] ?? 0, 1),
    share_of_first: percent(visitors[step] ?? 0, visitors[0] ?? 0, 1),
    ...(currency !== undefined && step === steps.length - 1
      ? { revenue: written(amountIn(last, currency), currency) }
      : {}),
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
  const currency = currencyOf(query);
  const ofRevenue = revenueNotices(countedIn(visits, filters), currency);
  const head = { ...period(zones, [first, last]), filters, ...together(asideNotices(taken), ofRevenue, ofZones) };
  switch (report) {
    case 'overview': {
      const current = figuresOf(visits, filters, metrics, currency);
      if (!compared) return { ...head, ...current };
      const before = figuresOf(selected(site, filters, compared), filters, metrics, currency);
      return {
        ...head,
        ...current,
        previous: { ...period(zones, compared), ...before },
        change: changesOf(current, before),
      };
    }
    case 'timeseries': {
      const series = seriesOf(countedIn(visits, filters), zones, [first, last], interval);
      return { ...head, ...withFigures(series, visits, filters, query) };
    }
    case 'breakdown':
      return { ...head, breakdown: name, rows: rowsOf(site, name, visits, filters, query) };
    case 'vitals':
      return { ...head, ...vitalsOf(countedIn(visits, filters), asked) };
    case 'journeys':
      return { ...head, ...journeysOf(site.goals, visits, asked) };
    case 'goals':
      return { ...head, goals: goalsOf(site.goals, visits, currency) };
    case 'funnels': {
      const funnel = site.funnels.find(({ id }) => id === Number(name));
      if (!funnel) throw new Error(`no funnel ${name}`);
      return { ...head, funnel: { id: funnel.id, name: funnel.name }, steps: funnelOf(funnel, visits, currency) };
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
