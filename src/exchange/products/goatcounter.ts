// Reads hits from GoatCounter's CSV export. A record is a pageview or an event.
//
// Example: a record with the path /a and the referrer "Google" becomes a pageview of /a with the source google.com.
// Records that GoatCounter marked as bots are skipped. ../formats.ts lists this format.

import { isRegion } from '../../classify/place.ts';
import { Refusal } from '../../lib/errors.ts';
import type { CsvFormat } from '../format.ts';
import type { FileHit } from '../reading/file-fields.ts';
import { excerpt } from '../reading/lines.ts';
import { cutEvent, findNamedHost, isTrue, readScreen, writeUrl, writeVersion } from '../reading/texts.ts';

/** The first column of GoatCounter's export. Its name begins with the version of the format, such as `2Path`. */
const FIRST = /^[12],?Path$/;

/**
 * Removes the version from a name such as "Firefox 140". Also removes the space at the end, which is there even if the
 * version is unknown.
 */
const withoutVersion = (text = ''): string => text.replace(/ [\d._x]*$/, '');

/** Reads the browser and the system, with their versions, from names such as "Firefox 140". */
function readNames({ Browser, System }: Readonly<Record<string, string>>): FileHit {
  const [browser, os] = [withoutVersion(Browser), withoutVersion(System)];
  return {
    browser,
    browser_version: writeVersion(browser, Browser?.slice(browser.length)),
    os,
    os_version: writeVersion(os, System?.slice(os.length)),
  };
}

/**
 * Finds the host of a source such as "Google". Visits from "Google" then count together with visits from google.com. A
 * name without a known host becomes a campaign tag.
 */
function namedSource(text: string): { referrer?: string; tag?: string } {
  const host = findNamedHost(text);
  return host === undefined ? { tag: text } : { referrer: `https://${host}/` };
}

/**
 * Functions that read a referrer. GoatCounter marks each referrer with a letter. h is a URL, and g is a name such as
 * "Google". c is a campaign tag, and o is anything else.
 */
const REFERRERS: Record<'h' | 'g' | 'c' | 'o', (text: string) => { referrer?: string; tag?: string }> = {
  h: (text) => ({ referrer: text.includes('://') ? text : `https://${text}` }),
  g: namedSource,
  c: (text) => ({ tag: text }),
  o: (text) => (text.includes('://') ? { referrer: text } : namedSource(text)),
};

/**
 * Reads a referrer. `scheme` is GoatCounter's letter for the kind of referrer, such as h for a URL. An unknown letter
 * is read like o, the letter for all other kinds.
 */
export function readReferrer(text: string, scheme = ''): { referrer?: string; tag?: string } {
  if (text === '') return {};
  return REFERRERS[(['h', 'g', 'c'] as const).find((one) => one === scheme) ?? 'o'](text);
}

/** The CSV export of GoatCounter. The CSV has records only if GoatCounter was set to store single pageviews. */
export const GOATCOUNTER: CsvFormat = {
  help: 'its CSV',
  required: ['Path', 'Event', 'Session', 'Bot', 'Date'],
  optional: {
    sources: ['Referrer'],
    'utm source': ['Referrer'],
    ...{ 'utm medium': [], 'utm campaign': [], 'utm term': [], 'utm content': [] },
    countries: ['Location'],
    regions: ['Location'],
    cities: [],
    devices: ['UserAgent', 'User-Agent'],
    browsers: ['Browser', 'UserAgent', 'User-Agent'],
    'browser versions': ['Browser', 'UserAgent', 'User-Agent'],
    'operating systems': ['System', 'UserAgent', 'User-Agent'],
    'os versions': ['System', 'UserAgent', 'User-Agent'],
    screens: ['Screen size'],
    languages: [],
    'event labels': [],
    'time on page': [],
  },
  read: ['Referrer scheme'],
  fields: { at: 'Date', url: 'Path', event: 'Path', visitor: 'Session', country: 'Location', browser: 'Browser' },
  header(names) {
    const [first = ''] = names;
    // Before 2021, the column Browser contained the whole user agent.
    const isOld = first === '1Path' && !names.includes('UserAgent');
    if (FIRST.test(first))
      return names.with(0, 'Path').map((name) => (isOld && name === 'Browser' ? 'UserAgent' : name));
    throw new Refusal(`line 1: must begin with 1Path or 2Path, as GoatCounter writes it, not ${excerpt(first)}`);
  },
  readRow(row, domain): FileHit | string {
    const { Path: path = '', Event: event = '', Bot: bot = '', Location: place = '' } = row;
    if (bot !== '' && bot !== '0') return 'bots';
    const agent = row.UserAgent || row['User-Agent'] || '';
    const isEvent = isTrue(event);
    const { referrer = '', tag = '' } = readReferrer(row.Referrer ?? '', row['Referrer scheme']);
    const page = isEvent || !path.startsWith('/') ? '/' : path;
    const query = tag && `utm_source=${encodeURIComponent(tag)}`;
    return {
      at: row.Date ?? '',
      url: writeUrl(domain, page, query),
      referrer,
      event: isEvent ? cutEvent(path) : '',
      visitor: row.Session ?? '',
      agent,
      country: place.slice(0, 2),
      region: isRegion(place) ? place : '',
      screen: readScreen(row['Screen size']),
      ...(agent ? {} : readNames(row)),
    };
  },
};
