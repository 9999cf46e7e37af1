// Visits of Matomo as a source of hits: the answers of its API Live.getLastVisitsDetails.
//
// A visit has actions. Pageviews become hits; events, downloads, outlinks and searches become events of the page seen
// before. The time on a page becomes a heartbeat. Only the first hit has the referrer and the campaign.
//
// Matomo writes times of actions in the zone of its site as if they were UTC. Visits of Berlin in January are 3,600 s
// ahead, and this is taken off. Listed in ../formats.ts.

import { isOnSite } from '../../classify/host.ts';
import { iso } from '../../lib/time.ts';
import type { HitFormat } from '../format.ts';
import type { FileHit } from '../reading/file-hits.ts';
import { type JsonObject, jsonObjects } from '../reading/json-objects.ts';
import { excerpt, lineRefusal } from '../reading/lines.ts';

const namesOf = (names: Record<string, string>) => new Map(Object.entries(names));

/** Matomo's names of browsers, with those of daybook. Other browsers have equal names in both. */
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

/** Devices by the file name of their icon. Matomo translates the name of a device, but not the icon. */
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

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');
const numberIn = (value: unknown): number => Number(textOf(value) || Number.NaN);
const cut = (value: unknown, length: number): string => [...textOf(value)].slice(0, length).join('');
const named = (name: string, names: ReadonlyMap<string, string>): string => names.get(name) ?? name;

const withScheme = (url: string): string => (url === '' || url.includes('://') ? url : `https://${url}`);

const actionsOf = ({ actionDetails }: JsonObject): JsonObject[] =>
  Array.isArray(actionDetails) ? actionDetails.filter((one) => typeof one === 'object' && one !== null) : [];

/**
 * Measures how many seconds the times of a visit's actions are ahead of UTC. Only the first and the last time of the visit are real UTC;
 * the difference is the offset of the zone.
 */
function aheadOf(visit: JsonObject, line: number): number {
  // Math.min(...times) would fail: a visit may have more actions than a call may have arguments.
  const times = Float64Array.from(actionsOf(visit), ({ timestamp }) => numberIn(timestamp)).sort();
  if (times.length === 0) return 0;
  const [first, last] = [numberIn(visit.firstActionTimestamp), numberIn(visit.lastActionTimestamp)];
  const ahead = first > 0 ? (times[0] ?? 0) - first : (times.at(-1) ?? 0) - last;
  const rounded = Math.round(ahead / QUARTER) * QUARTER;
  if (Math.abs(rounded) <= FARTHEST) return rounded;
  const help = 'must have firstActionTimestamp or lastActionTimestamp within a day of the timestamps in actionDetails';
  throw lineRefusal(line, `visit ${excerpt(textOf(visit.idVisit))} ${help}`);
}

/** Puts the campaign back into the URL. Matomo takes it out, and daybook reads it there. */
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

/** Types of actions that become events, on the page seen before. */
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

/** Tells whether a visit came before. New visits move older ones to the next page of the API, so a visit may come twice. */
function seenVisits(): (visit: JsonObject) => boolean {
  const seen = new Set<string | number>();
  return ({ idVisit }) => {
    const id = textOf(idVisit);
    // An id as a number takes a third of the memory.
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
