// Reads hits from the raw CSV export of Simple Analytics. A record is a pageview or an event.
//
// Example: a record with the datapoint `pageview` and the path /a becomes a pageview of /a. Any other datapoint is the
// name of an event. Records of robots are skipped. ../formats.ts lists this format.

import { readLanguage } from '../../classify/language.ts';
import type { CsvFormat } from '../format.ts';
import type { FileHit } from '../reading/file-fields.ts';
import { cutEvent, isTrue, readScreen, tagColumns, writeTags, writeUrl, writeVersion } from '../reading/texts.ts';

const DEVICES = new Map(Object.entries({ desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet', tv: 'Desktop' }));

/** The raw CSV export. Its records are pageviews, and also events if the user chose them for the export. */
export const SIMPLE_ANALYTICS: CsvFormat = {
  help: 'raw CSV',
  required: ['added_iso', 'path', 'session_id'],
  optional: {
    sources: ['document_referrer', 'referrer_hostname'],
    ...tagColumns('query'),
    countries: ['country_code'],
    regions: [],
    cities: [],
    devices: ['device_type', 'user_agent'],
    browsers: ['browser_name', 'user_agent'],
    'browser versions': ['browser_version', 'user_agent'],
    'operating systems': ['os_name', 'user_agent'],
    'os versions': ['os_version', 'user_agent'],
    screens: ['viewport_width', 'screen_width'],
    languages: ['lang_language'],
    events: ['datapoint'],
    'event labels': [],
    'time on page': [],
  },
  read: ['is_robot'],
  fields: {
    at: 'added_iso',
    url: 'path',
    referrer: 'document_referrer',
    event: 'datapoint',
    visitor: 'session_id',
    country: 'country_code',
    browser: 'browser_name',
    browser_version: 'browser_version',
    os: 'os_name',
    os_version: 'os_version',
    screen: 'viewport_width',
    language: 'lang_language',
  },
  host: 'hostname',
  readRow(row, domain): FileHit | string {
    if (isTrue(row.is_robot)) return 'bots';
    const { path = '', query = '', datapoint = '', user_agent: agent = '' } = row;
    const referrer = row.document_referrer || row.referrer_hostname || '';
    return {
      at: row.added_iso ?? '',
      url: writeUrl(domain, path, writeTags(query, row)),
      referrer: referrer === '' || referrer.includes('://') ? referrer : `https://${referrer}`,
      event: datapoint === 'pageview' ? '' : cutEvent(datapoint),
      visitor: row.session_id ?? '',
      agent,
      country: row.country_code ?? '',
      device: DEVICES.get(row.device_type ?? '') ?? '',
      browser: row.browser_name ?? '',
      browser_version: writeVersion(row.browser_name, row.browser_version),
      os: row.os_name ?? '',
      os_version: writeVersion(row.os_name, row.os_version),
      screen: readScreen(row.viewport_width || row.screen_width),
      language: readLanguage(row.lang_language),
    };
  },
};
