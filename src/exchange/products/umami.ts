// Reads the table website_event of Umami, as Umami Cloud and databases export it.
//
// A row is a pageview (event_type 1) or an event (event_type 2). Times are in the form in which the database prints
// them: "2026-01-05 10:00:00" is UTC. Umami's names of browsers, systems and devices become the names that daybook
// uses. ../formats.ts lists this format.
//
// Umami stores the data of events in another table. An SQL statement on Umami's database can add this data as the
// column event_data (docs/move-from-umami.md).
//
// Example: a row has the event_data {"plan": "pro", "seats": 3}. Its event gets the properties plan = pro and
// seats = 3.

import { parseObject } from '../../classify/json-object.ts';
import { readLanguage } from '../../classify/language.ts';
import { readSoundProps } from '../../classify/props.ts';
import type { CsvFormat } from '../format.ts';
import type { FileHit } from '../reading/file-fields.ts';
import { cutEvent, readScreen, tagColumns, writePlace, writeTags, writeUrl } from '../reading/texts.ts';

const toMap = (names: Record<string, string>) => new Map(Object.entries(names));

/** The names of browsers in Umami, from the package detect-browser. Other names are imported unchanged. */
const BROWSERS = toMap({
  chrome: 'Chrome',
  crios: 'Chrome',
  'chromium-webview': 'Android WebView',
  edge: 'Edge',
  'edge-chromium': 'Edge',
  'edge-ios': 'Edge',
  facebook: 'Facebook',
  firefox: 'Firefox',
  fxios: 'Firefox',
  ie: 'Internet Explorer',
  instagram: 'Instagram',
  ios: 'Safari',
  'ios-webview': 'Safari (in-app)',
  kakaotalk: 'KakaoTalk',
  miui: 'MIUI Browser',
  opera: 'Opera',
  'opera-mini': 'Opera Mini',
  safari: 'Safari',
  samsung: 'Samsung Internet',
  silk: 'Silk',
  yandexbrowser: 'Yandex',
});

const SYSTEMS = toMap({ 'Mac OS': 'macOS', 'Android OS': 'Android' });

const DEVICES = toMap({ desktop: 'Desktop', laptop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet' });

const EVENT = '2';
const OFFSET = /(?:Z|[+-]\d\d(?::?\d\d)?)$/;

/** `2026-01-05 10:00:00` becomes `2026-01-05T10:00:00Z`. A time without an offset is UTC. */
const moment = (at: string): string => at.replace(' ', 'T') + (at === '' || OFFSET.test(at) ? '' : 'Z');

/**
 * Writes the data of an event as properties. Umami accepts any name, and a name such as `cart.total` becomes
 * `cart_total`. Properties that daybook cannot store are left out. A text that is not a JSON object is returned
 * unchanged, so that the line is refused later.
 */
function writeProps(data: string): string {
  const values = parseObject(data);
  if (values === undefined) return data;
  const named = Object.entries(values).map(([name, value]) => [name.replaceAll(/\W/g, '_'), value]);
  return JSON.stringify(Object.fromEntries(readSoundProps(Object.fromEntries(named)) ?? []));
}

export const UMAMI: CsvFormat = {
  help: 'website_event.csv',
  required: ['created_at', 'session_id', 'url_path', 'event_type'],
  optional: {
    sources: ['referrer_domain'],
    ...tagColumns('url_query'),
    countries: ['country'],
    regions: ['region'],
    cities: ['city'],
    devices: ['device'],
    browsers: ['browser'],
    'browser versions': [],
    'operating systems': ['os'],
    'os versions': ['os'],
    screens: ['screen'],
    languages: ['language'],
    'event labels': [],
    properties: ['event_data'],
    'time on page': [],
  },
  read: ['event_name'],
  fields: {
    at: 'created_at',
    url: 'url_path',
    event: 'event_name',
    props: 'event_data',
    visitor: 'session_id',
    country: 'country',
    region: 'region',
    city: 'city',
    browser: 'browser',
    os: 'os',
    screen: 'screen',
    language: 'language',
  },
  host: 'hostname',
  readRow(row, domain): FileHit | string {
    const { created_at: at = '', url_path: path = '', url_query: query = '', referrer_domain: from } = row;
    const { browser = '', os = '', device = '', event_type: type = '', event_name: event = '' } = row;
    if (type !== '1' && type !== EVENT) return 'neither pageviews nor events';
    return {
      at: moment(at),
      // Umami writes the fragment into the path, and the query string into a separate column.
      url: writeUrl(domain, path, writeTags(query, row)),
      referrer: from ? `https://${from}/` : '',
      event: type === EVENT ? cutEvent(event) || '(unnamed)' : '',
      props: row.event_data ? writeProps(row.event_data) : '',
      visitor: row.session_id ?? '',
      country: row.country ?? '',
      ...writePlace(row),
      device: DEVICES.get(device) ?? '',
      browser: BROWSERS.get(browser) ?? browser,
      os: SYSTEMS.get(os) ?? os.replace(/^Windows .*/, 'Windows'),
      os_version: os.startsWith('Windows ') ? os : '',
      screen: readScreen(row.screen),
      language: readLanguage(row.language),
    };
  },
};
