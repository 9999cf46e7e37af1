import { compareText } from './arithmetic.ts';
import { dayOf, daysOf, moment, period } from './days.ts';
import { currencyOf, revenueNotices } from './money.ts';
import { changesOf, figuresOf, naive, type Question, takenOver, withFigures } from './naive.ts';
import { asideNotices, type Notice, type Noticed, noticesIn, together, zoneNotices } from './notices.ts';
import { rowsOf } from './rows.ts';
import { comparedUntil, seriesOf } from './series.ts';
import { countedIn, type Filters, filtersIn, type Site, selected, type Visit } from './visits.ts';
import { runningDay, UTC_ONLY } from './zones.ts';

/** One of several sites, with what it is called. */
export type KnownSite = Site & { siteId: number; domain: string };

/** The days of a site that a question is about, each site's own; they may end before an instant. */
type Asked = { site: KnownSite; first: number; last: number; until?: number | undefined };

/** By how much clocks are ahead of UTC where days begin first. */
const AHEAD = 14 * 3_600;

/** Nobody is the same on two sites. */
const visitsOf = (asked: readonly Asked[], filters: Filters): Visit[] =>
  asked.flatMap(({ site, first, last, until }) =>
    selected(site, filters, [first, last, until]).map((visit) => ({
      ...visit,
      visitor: `${visit.visitor} of ${site.domain}`,
    })),
  );

/** The days of each site that its own are compared with; undefined where they are with none. */
function comparedOf(asked: readonly Asked[], query: Record<string, string | undefined>, now: number) {
  const all = asked.map(({ site, first, last }) => ({
    site,
    days: comparedUntil(query, [first, last], site.zones ?? UTC_ONLY, now, dayOf(now + AHEAD)),
  }));
  return all.every(({ days }) => days === undefined)
    ? undefined
    : all.map(({ site, days: [first, last, until] = [0, 0, undefined] }): Asked => ({ site, first, last, until }));
}

/** From the first second of any site to the last of any. */
function spanOf(asked: readonly Asked[]): { from: string; to: string } {
  const own = asked.map(({ site, first, last, until }) => period(site.zones ?? UTC_ONLY, [first, last, until]));
  const seconds = (name: 'from' | 'to') => own.map((one) => Date.parse(one[name]) / 1000);
  return { from: moment(Math.min(...seconds('from'))), to: moment(Math.max(...seconds('to'))) };
}

const ofSite = ({ domain }: KnownSite, notices: readonly Notice[]): Notice[] =>
  notices.map(({ text, code, values }) => ({ text: `${domain}: ${text}`, code, values: { ...values, site: domain } }));

function noticesOf(asked: readonly Asked[], compared: readonly Asked[], ofRevenue: readonly Notice[]): Noticed {
  const notices = asked.map(({ site, first, last }, i) => {
    const { first: begin, last: end } = compared[i] as Asked;
    const taken = takenOver(site, [
      [first, last],
      [begin, end],
    ]);
    return ofSite(site, [...asideNotices(taken), ...zoneNotices(site.hits, site.zones ?? UTC_ONLY, first, last)]);
  });
  return together(...notices, ofRevenue);
}

function sitesIn(asked: readonly Asked[], filters: Filters, { limit = '10', offset = '0' }: Question['query']) {
  return asked
    .map((one) => ({
      value: one.site.domain,
      visitors: new Set(visitsOf([one], filters).map(({ visitor }) => visitor)).size,
    }))
    .filter(({ visitors }) => visitors > 0)
    .sort((one, other) => other.visitors - one.visitors || compareText(one.value, other.value))
    .slice(Number(offset), Number(offset) + Number(limit));
}

/** What the API must answer as `data` about several sites, in the order of their ids: all their visits put together. */
export function allNaive(sites: readonly KnownSite[], { path, query }: Question, now: number): object {
  const parameters = query as Record<string, string | undefined>;
  const { range = '30d', interval } = parameters;
  const asked = sites.map((site): Asked => {
    const [first, last] = daysOf(range, runningDay(site.zones ?? UTC_ONLY, now));
    return { site, first, last };
  });
  const filters = filtersIn(query);
  const [report = '', name = ''] = path.split('/');
  const compared = report === 'overview' ? comparedOf(asked, parameters, now) : undefined;
  const visits = visitsOf(asked, filters);
  const currency = currencyOf(query);
  const ofRevenue = revenueNotices(countedIn(visits, filters), currency);
  const head = { ...spanOf(asked), filters, ...noticesOf(asked, compared ?? asked, ofRevenue) };
  switch (report) {
    case 'overview': {
      const current = figuresOf(visits, filters, undefined, currency);
      if (!compared) return { ...head, ...current };
      const former = figuresOf(visitsOf(compared, filters), filters, undefined, currency);
      return { ...head, ...current, previous: { ...spanOf(compared), ...former }, change: changesOf(current, former) };
    }
    case 'timeseries': {
      const [first, last] = [asked.map((one) => one.first), asked.map((one) => one.last)];
      const days = [Math.min(...first), Math.max(...last)] as const;
      const series = seriesOf(countedIn(visits, filters), UTC_ONLY, days, interval);
      return { ...head, ...withFigures(series, visits, filters, query) };
    }
    case 'breakdown': {
      const anySite = { hits: [], crawls: [], goals: [], funnels: [], crawlers: [] };
      const rows = name === 'sites' ? sitesIn(asked, filters, query) : rowsOf(anySite, name, visits, filters, query);
      return { ...head, breakdown: name, rows };
    }
    case 'realtime': {
      const own = sites.map((site) => naive(site, { path, query }, now) as Noticed & { visitors: number });
      const { notices: _, notice_codes: __, ...one } = own[0] ?? {};
      const told = together(...sites.map((site, i) => ofSite(site, noticesIn(own[i] ?? {}))));
      return { ...one, ...told, visitors: own.reduce((sum, { visitors }) => sum + visitors, 0) };
    }
    default:
      throw new Error(`no report ${report}`);
  }
}
