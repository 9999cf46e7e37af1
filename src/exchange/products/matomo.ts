// Reads hits from visits of Matomo. The file has responses of Matomo's API Live.getLastVisitsDetails.
//
// A visit has actions. A viewed page becomes a pageview. Events, downloads, outlinks and searches become events on the
// page that was viewed before. Before the first page of a visit, an action of the type `event` uses its own URL as the
// page. Other events before the first page are skipped. Orders, and conversions with revenue, become events with
// revenue. The time on a page becomes a heartbeat. Only the first hit of a visit has the referrer and the campaign.
//
// Matomo writes the local time of the site as if it were UTC. Times of a site in Berlin are 3,600 s ahead in January.
// The parser subtracts these seconds. ../formats.ts lists this format.

import { isOnSite } from '../../classify/host.ts';
import { coded } from '../../lang/coded.ts';
import { iso } from '../../lib/time.ts';
import type { HitFormat } from '../format.ts';
import type { FileHit } from '../reading/file-fields.ts';
import { type JsonObject, jsonObjects, readNumber, readText } from '../reading/json-objects.ts';
import { excerpt, lineRefusal } from '../reading/lines.ts';
import { codePart } from '../reading/sheet.ts';
import { findNamedHost } from '../reading/texts.ts';
import { findEvent, readRevenue, SKIPPED } from './matomo-actions.ts';
import { readVisitor } from './matomo-visitor.ts';

const QUARTER = 900;
const FARTHEST = 14 * 3600;

const withScheme = (url: string): string => (url === '' || url.includes('://') ? url : `https://${url}`);

/**
 * True for a URL of a web page. Anybody can send any text as a URL to Matomo. A pageview with another text is skipped,
 * so that the rest of the file can be read.
 */
const isWebUrl = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '');

const listActions = ({ actionDetails }: JsonObject): JsonObject[] =>
  Array.isArray(actionDetails) ? actionDetails.filter((one) => typeof one === 'object' && one !== null) : [];

/**
 * Measures how many seconds the times of actions are ahead of UTC. Matomo writes the `timestamp` of an action in the
 * site's time zone, but `firstActionTimestamp` and `lastActionTimestamp` in UTC. The result is the first `timestamp`
 * minus `firstActionTimestamp`, rounded to 15 minutes. If `firstActionTimestamp` is missing, the result is the last
 * `timestamp` minus `lastActionTimestamp`.
 */
function measureAhead(visit: JsonObject, line: number): number {
  // Sorting finds the first and the last time. `Math.min(...times)` would throw for a visit with very many actions,
  // because a function call takes a limited number of arguments.
  const times = Float64Array.from(listActions(visit), ({ timestamp }) => readNumber(timestamp)).sort();
  if (times.length === 0) return 0;
  const [first, last] = [readNumber(visit.firstActionTimestamp), readNumber(visit.lastActionTimestamp)];
  const ahead = first > 0 ? (times[0] ?? 0) - first : (times.at(-1) ?? 0) - last;
  const rounded = Math.round(ahead / QUARTER) * QUARTER;
  if (Math.abs(rounded) <= FARTHEST) return rounded;
  const help = 'must have firstActionTimestamp or lastActionTimestamp within a day of the timestamps in actionDetails';
  throw lineRefusal(line, `visit ${excerpt(readText(visit.idVisit))} ${help}`);
}

/**
 * The types of referrers without a source. For a campaign, Matomo writes the campaign's name in place of the source.
 */
const WITHOUT_SOURCE = ['', 'direct', 'campaign'];

/**
 * Reads the referrer. Matomo may be set to store only the names of referrers, such as Google, and no URLs. Returns
 * undefined if such a name has no known host.
 */
function readReferrer({ referrerUrl, referrerType, referrerName }: JsonObject): string | undefined {
  const url = readText(referrerUrl);
  if (url !== '' || WITHOUT_SOURCE.includes(readText(referrerType))) return url;
  const host = findNamedHost(readText(referrerName));
  return host === undefined ? undefined : `https://${host}/`;
}

/**
 * Adds the campaign tags to the URL, unless it has tags already. Matomo has the tags in other fields, but an import
 * reads them from the URL.
 */
function withCampaign(url: string, visit: JsonObject): string {
  const address = visit.referrerType === 'campaign' && !/[?&]utm_/.test(url) ? URL.parse(url) : null;
  if (!address) return url;
  const tags = {
    utm_source: visit.campaignSource,
    utm_medium: visit.campaignMedium,
    utm_campaign: readText(visit.campaignName) || visit.referrerName,
    utm_term: readText(visit.campaignKeyword) || visit.referrerKeyword,
    utm_content: visit.campaignContent,
  };
  for (const [tag, value] of Object.entries(tags)) if (readText(value)) address.searchParams.set(tag, readText(value));
  return address.href;
}

const NO_REVENUE = 'revenue whose amount or currency cannot be read';

/** For each kind of data, such as countries, the field of a visit that contains it. */
const FIELDS: Readonly<Record<string, string>> = {
  sources: 'referrerUrl',
  countries: 'countryCode',
  regions: 'regionCode',
  cities: 'city',
  devices: 'deviceTypeIcon',
  browsers: 'browserName',
  'browser versions': 'browserVersion',
  'operating systems': 'operatingSystemName',
  'os versions': 'operatingSystemVersion',
  screens: 'resolution',
  languages: 'languageCode',
};

/** Finds the kinds of data that no visit of the file has. The request to Matomo may have left their fields out. */
function unseenFields() {
  const unseen = new Set(Object.keys(FIELDS));
  let visits = 0;
  return {
    see(visit: JsonObject): void {
      visits++;
      for (const what of unseen) if ((FIELDS[what] ?? '') in visit) unseen.delete(what);
    },
    list: (): string[] => (visits === 0 ? [] : [...unseen]),
  };
}

/** Data of a visit that daybook does not store. */
const LEFT_OUT =
  'page titles, search terms of search engines, device models, user IDs, and custom dimensions and variables, which daybook does not store';

type Sink = Parameters<HitFormat['parser']>[0];

/**
 * Makes a function that tells whether a visit was read before. Matomo's API returns visits in portions, latest first.
 * If new visits arrive between two requests, older visits move to the next portion, and the file contains them twice.
 */
function seenVisits(): (visit: JsonObject) => boolean {
  const seen = new Set<string | number>();
  return ({ idVisit }) => {
    const id = readText(idVisit);
    // A number takes a third of the memory of a text.
    const key = Number.isSafeInteger(Number(id)) ? Number(id) : id;
    if (id === '') return false;
    const isSeen = seen.has(key);
    seen.add(key);
    return isSeen;
  };
}

function readVisit(visit: JsonObject, line: number, { add, skip }: Sink, domain: string): void {
  if (visit.result === 'error') throw lineRefusal(line, `Matomo refused: ${excerpt(readText(visit.message))}`);
  if (!Array.isArray(visit.actionDetails)) throw lineRefusal(line, 'actionDetails', 'is required in each visit');
  const ahead = measureAhead(visit, line);
  const person = readVisitor(visit);
  let arrival: FileHit = { referrer: readReferrer(visit) ?? '' };
  let page = '';
  for (const action of listActions(visit)) {
    const type = readText(action.type);
    const event = findEvent(action);
    if (type !== 'action' && !event) {
      skip(SKIPPED.get(type) ?? 'other actions', line);
      continue;
    }
    if (type === 'action' || (page === '' && type === 'event')) {
      const url = withScheme(readText(action.url));
      if (isWebUrl(url)) page = url;
      else if (type === 'action') {
        skip('pages without a URL that can be read', line);
        continue;
      }
    }
    const host = URL.parse(page)?.hostname;
    if (event && page === '') skip('actions before the first page of a visit', line);
    else if (host !== undefined && !isOnSite({ domain }, host)) skip('another host', line);
    else {
      const time = readNumber(action.timestamp) - ahead;
      const hit = {
        at: Number.isInteger(time) && Math.abs(time) < 1e11 ? iso(time) : readText(action.timestamp),
        url: page,
      };
      const revenue = readRevenue(action, visit) ?? '';
      if (event && revenue === '' && readNumber(action.revenue) > 0) skip(NO_REVENUE, line);
      add(
        {
          ...person,
          ...hit,
          ...event,
          revenue,
          ...arrival,
          ...(arrival.referrer !== undefined && { url: withCampaign(page, visit) }),
        },
        line,
      );
      const seconds = readText(action.timeSpent);
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
    const fields = unseenFields();
    let nameless = 0;
    const reader = jsonObjects((visit, line) => {
      fields.see(visit);
      if (isSeen(visit)) return sink.skip('visits that are in the file twice', line);
      readVisit(visit, line, sink, domain);
      if (readReferrer(visit) === undefined) nameless++;
    });
    return {
      feed: reader.feed,
      end(): void {
        reader.end();
        for (const what of fields.list()) sink.lack?.(what);
        if (nameless > 0) sink.leave?.(coded('left_sources', { visits: nameless }));
        sink.leave?.(codePart(LEFT_OUT));
      },
    };
  },
};
