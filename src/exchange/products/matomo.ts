import { isOnSite } from '../../classify/host.ts';
import { iso } from '../../lib/time.ts';
import type { HitFormat } from '../format.ts';
import type { FileHit } from '../reading/file-hits.ts';
import { type JsonObject, jsonObjects } from '../reading/json-objects.ts';
import { excerpt, lineRefusal } from '../reading/lines.ts';

const namesOf = (names: Record<string, string>) => new Map(Object.entries(names));

/** Of browsers that Matomo calls otherwise; the names of others are the same in all its languages. */
const BROWSERS = namesOf({
  'Chrome Mobile': 'Chrome',
  'Chrome Mobile iOS': 'Chrome',
  'Chrome Webview': 'Android WebView',
  'Firefox Mobile': 'Firefox',
  'Firefox Mobile iOS': 'Firefox',
  'Microsoft Edge': 'Edge',
  'Mobile Safari': 'Safari',
  'Opera Mobile': 'Opera',
  'Samsung Browser': 'Samsung Internet',
  'Yandex Browser': 'Yandex',
});

const SYSTEMS = namesOf({ Mac: 'macOS', iPadOS: 'iOS', 'GNU/Linux': 'Linux', Ubuntu: 'Linux' });

/** By the file of the icon, because the name is in the language of whoever asked. */
const DEVICES = namesOf({
  desktop: 'Desktop',
  tv: 'Desktop',
  smartphone: 'Mobile',
  phablet: 'Mobile',
  feature_phone: 'Mobile',
  tablet: 'Tablet',
});

const QUARTER = 900;
const FARTHEST = 14 * 3600;
const LONGEST_EVENT = 120;
const LONGEST_LABEL = 200;

/** Matomo writes some numbers as text, and what it does not know as null, false or an empty text. */
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');
const numberIn = (value: unknown): number => Number(textOf(value) || Number.NaN);
const cut = (value: unknown, length: number): string => [...textOf(value)].slice(0, length).join('');
const named = (name: string, names: ReadonlyMap<string, string>): string => names.get(name) ?? name;

const withScheme = (url: string): string => (url === '' || url.includes('://') ? url : `https://${url}`);

const actionsOf = ({ actionDetails }: JsonObject): JsonObject[] =>
  Array.isArray(actionDetails) ? actionDetails.filter((one) => typeof one === 'object' && one !== null) : [];

/**
 * How far the times of a visit's actions are ahead: Matomo writes them as if the clock of its site's zone were UTC, and only
 * the first and last of the visit as they are.
 */
function aheadOf(visit: JsonObject, line: number): number {
  // Not by Math.min(...times): a visit may have more actions than a function takes arguments.
  const times = Float64Array.from(actionsOf(visit), ({ timestamp }) => numberIn(timestamp)).sort();
  if (times.length === 0) return 0;
  const [first, last] = [numberIn(visit.firstActionTimestamp), numberIn(visit.lastActionTimestamp)];
  const ahead = first > 0 ? (times[0] ?? 0) - first : (times.at(-1) ?? 0) - last;
  const rounded = Math.round(ahead / QUARTER) * QUARTER;
  if (Math.abs(rounded) <= FARTHEST) return rounded;
  const help = 'must have firstActionTimestamp or lastActionTimestamp within a day of the timestamps in actionDetails';
  throw lineRefusal(line, `visit ${excerpt(textOf(visit.idVisit))} ${help}`);
}

/** The campaign, which Matomo takes out of the address and daybook reads there. */
function withCampaign(url: string, visit: JsonObject): string {
  const address = visit.referrerType === 'campaign' && !/[?&]utm_/.test(url) ? URL.parse(url) : null;
  if (!address) return url;
  const tags = {
    utm_source: visit.campaignSource,
    utm_medium: visit.campaignMedium,
    utm_campaign: textOf(visit.campaignName) || visit.referrerName,
  };
  for (const [tag, value] of Object.entries(tags)) if (textOf(value)) address.searchParams.set(tag, textOf(value));
  return address.href;
}

const eventName = ({ eventCategory, eventAction }: JsonObject): string =>
  cut([eventCategory, eventAction].map(textOf).filter(Boolean).join(': '), LONGEST_EVENT) || '(unnamed)';

/** What becomes an event on the page that was seen last, by the type of the action. */
const EVENTS: Record<string, (action: JsonObject) => { event: string; label: string }> = {
  event: (action) => ({ event: eventName(action), label: cut(action.eventName, LONGEST_LABEL) }),
  download: ({ url }) => ({ event: 'Download', label: cut(url, LONGEST_LABEL) }),
  outlink: ({ url }) => ({ event: 'Outbound link', label: cut(url, LONGEST_LABEL) }),
  search: ({ siteSearchKeyword }) => ({ event: 'Search', label: cut(siteSearchKeyword, LONGEST_LABEL) }),
};

const SKIPPED = namesOf({
  goal: 'conversions of goals, which daybook finds in its pages and events',
  ecommerceOrder: 'orders and carts',
  ecommerceAbandonedCart: 'orders and carts',
});

function visitorOf(visit: JsonObject): FileHit {
  const icon = /([a-z_]+)\.\w+$/.exec(textOf(visit.deviceTypeIcon))?.[1] ?? '';
  const country = textOf(visit.countryCode);
  return {
    visitor: textOf(visit.visitorId) || textOf(visit.fingerprint) || textOf(visit.idVisit),
    country: /^[a-z]{2}$/i.test(country) && country !== 'xx' ? country : '',
    device: DEVICES.get(icon) ?? '',
    browser: named(textOf(visit.browserName).replace(/^Unknown$/, ''), BROWSERS),
    os: named(textOf(visit.operatingSystemName).replace(/^Unknown$/, ''), SYSTEMS),
  };
}

type Sink = Parameters<HitFormat['parser']>[0];

/** Whether a visit has come before: while somebody asks for page after page, new visits move old ones onto the next page. */
function seenVisits(): (visit: JsonObject) => boolean {
  const seen = new Set<string | number>();
  return ({ idVisit }) => {
    const id = textOf(idVisit);
    // As a number it takes a third of the memory.
    const key = Number.isSafeInteger(Number(id)) ? Number(id) : id;
    if (id === '') return false;
    const isSeen = seen.has(key);
    seen.add(key);
    return isSeen;
  };
}

function readVisit(visit: JsonObject, line: number, { add, skip }: Sink, domain: string): void {
  if (visit.result === 'error') throw lineRefusal(line, `Matomo refused: ${excerpt(textOf(visit.message))}`);
  if (!Array.isArray(visit.actionDetails)) throw lineRefusal(line, 'actionDetails', 'is required in each visit');
  const ahead = aheadOf(visit, line);
  const person = visitorOf(visit);
  let arrival: FileHit = { referrer: textOf(visit.referrerUrl) };
  let page = '';
  for (const action of actionsOf(visit)) {
    const type = textOf(action.type);
    const event = Object.hasOwn(EVENTS, type) ? EVENTS[type]?.(action) : undefined;
    if (type !== 'action' && !event) {
      skip(SKIPPED.get(type) ?? 'other actions', line);
      continue;
    }
    if (type === 'action' || (page === '' && type === 'event')) page = withScheme(textOf(action.url));
    const host = URL.parse(page)?.hostname;
    if (event && page === '') skip('actions before the first page', line);
    else if (host !== undefined && !isOnSite({ domain }, host)) skip('another host', line);
    else {
      const time = numberIn(action.timestamp) - ahead;
      const hit = {
        at: Number.isInteger(time) && Math.abs(time) < 1e11 ? iso(time) : textOf(action.timestamp),
        url: page,
      };
      add(
        {
          ...person,
          ...hit,
          ...event,
          ...arrival,
          ...(arrival.referrer !== undefined && { url: withCampaign(page, visit) }),
        },
        line,
      );
      const seconds = textOf(action.timeSpent);
      if (!event && Number(seconds) > 0) add({ visitor: person.visitor ?? '', ...hit, engaged: seconds }, line);
      arrival = {};
    }
  }
}

/** Visits as Matomo's API answers with them. */
export const MATOMO: HitFormat = {
  help: 'JSON of Live.getLastVisitsDetails',
  fields: { at: 'timestamp', event: 'eventAction', label: 'eventName', visitor: 'visitorId', engaged: 'timeSpent' },
  parser(sink, { domain }) {
    const isSeen = seenVisits();
    return jsonObjects((visit, line) => {
      if (isSeen(visit)) sink.skip('visits that are in the file twice', line);
      else readVisit(visit, line, sink, domain);
    });
  },
};
