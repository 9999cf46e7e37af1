// Defines the tables of Plausible's export: which columns are imported, and how a value is read.
//
// A value gets the same checks as the value of a hit. E-mail addresses are removed, private paths are shortened, and
// long texts are cut. An import therefore stores nothing that a hit could not store. plausible-import.ts reads the zip
// with these tables, and google.ts reads its dimensions with them.

import { findChannel } from '../../classify/channel.ts';
import { findHost } from '../../classify/known-sources.ts';
import { keepPath } from '../../classify/page.ts';
import { writeRegion } from '../../classify/place.ts';
import { hasEmail, keepLabel } from '../../classify/private.ts';
import { keepTag, normalizeHost } from '../../classify/source.ts';
import { OTHER } from '../../stats/dimensions.ts';
import type { SumSite } from '../format.ts';
import type { CsvRow } from '../reading/csv.ts';
import { cutEvent, writeVersion } from '../reading/texts.ts';

export type Totals = Record<'visitors' | 'visits' | 'pageviews' | 'events' | 'bounces' | 'seconds', number>;

/** The longest text, in characters. Longer texts are cut, like the texts of imported hits. */
const LONGEST_VALUE = 200;

/**
 * Reads a value from a row. Returns undefined if the table lacks the column. The day's breakdown by this value is then
 * unknown.
 */
type ReadValue = (row: CsvRow, site: SumSite) => string | undefined;

export type PlausibleTable = {
  /** For each breakdown, a function that reads its value from a row of the table. */
  counts?: Record<string, ReadValue>;
  /** For each total of the day, the name of its column. */
  totals?: Partial<Record<keyof Totals, string>>;
  /** The column with the number of hits. Only tables whose breakdowns count hits and visitors have such a column. */
  hits?: string;
  /** Columns with texts that the table must have. A table without one of them is refused. */
  texts: readonly string[];
};

/** Reads the name of an event. A name longer than 120 characters is cut, because filters accept at most 120. */
export const readEvent = ({ name = '' }: CsvRow): string => cutEvent(name);

export function findTable(fileName: string): string | undefined {
  const name = FILE_NAME.exec(fileName)?.[1] ?? '';
  return Object.hasOwn(TABLES, name) ? name : undefined;
}

const cut = (value: string, longest: number): string =>
  value.length <= longest ? value : [...value.slice(0, 2 * longest)].slice(0, longest).join('');

const column =
  (name: string, names: ReadonlyMap<string, string> = new Map()) =>
  (row: CsvRow): string => {
    const value = cut(row[name] ?? '', LONGEST_VALUE);
    return names.get(value) ?? (value === '(not set)' ? '' : value);
  };

/** Reads a name with its major version, such as `Chrome 141`, from two columns. */
const version =
  (name: string, number: string, names: ReadonlyMap<string, string>): ReadValue =>
  (row) =>
    cut(writeVersion(column(name, names)(row), row[number]), LONGEST_VALUE);

const page =
  (name: string): ReadValue =>
  (row, site) => {
    const path = row[name] ?? '';
    if (path === OTHER) return OTHER;
    return keepPath(path.startsWith('/') ? path : `/${path}`, site) ?? '/';
  };

const tag = (name: string) => (row: CsvRow) => keepTag(column(name)(row));

/**
 * Reads the host of a source from the column `referrer`. Without a host there, looks for one in `source`, which may be
 * a name such as "Google". Returns an empty text for a source that is only a campaign tag.
 */
const referrer = ({ referrer = '', source = '' }: CsvRow): string => {
  if (source === OTHER) return OTHER;
  const [host = ''] = referrer.replace(/^https?:\/\//, '').split('/');
  if (hasEmail(host) || hasEmail(source)) return '';
  if (host.includes('.')) return normalizeHost(host) ?? '';
  return findHost(source) ?? (/^[^\s/:]+\.[^\s/:]+$/.test(source) ? (normalizeHost(source) ?? '') : '');
};

/**
 * Finds the channel from the source and the medium, by the rules for visits (classify/channel.ts). A source that is not
 * a host, such as `newsletter`, is read like the tag `utm_source`. The file has no click ids of ads.
 */
export const readChannel: ReadValue = (row) =>
  row.utm_medium === undefined
    ? undefined
    : findChannel({
        source: referrer(row),
        utm_source: tag('utm_source')(row) || tag('source')(row),
        utm_medium: tag('utm_medium')(row),
        ad: '',
      });

const country: ReadValue = ({ country = '' }) => (/^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : '');

const region: ReadValue = (row, site) =>
  row.region === undefined ? undefined : writeRegion(country(row, site) ?? '', row.region);

const BROWSERS = new Map([
  ['Microsoft Edge', 'Edge'],
  ['Samsung Browser', 'Samsung Internet'],
  ['Yandex Browser', 'Yandex'],
]);
const SYSTEMS = new Map([
  ['Mac', 'macOS'],
  ['GNU/Linux', 'Linux'],
]);
const DEVICES = new Map([
  ['Laptop', 'Desktop'],
  ['Ultra-wide', 'Desktop'],
]);

export const TABLES: Record<string, PlausibleTable> = {
  visitors: {
    texts: [],
    totals: {
      visitors: 'visitors',
      visits: 'visits',
      pageviews: 'pageviews',
      bounces: 'bounces',
      seconds: 'visit_duration',
    },
  },
  sources: {
    texts: ['source'],
    counts: {
      referrers: referrer,
      channels: readChannel,
      utm_source: tag('utm_source'),
      utm_medium: tag('utm_medium'),
      utm_campaign: tag('utm_campaign'),
      utm_term: tag('utm_term'),
      utm_content: tag('utm_content'),
    },
  },
  pages: { texts: ['page'], counts: { pages: page('page') }, hits: 'pageviews' },
  entry_pages: { texts: ['entry_page'], counts: { entry_pages: page('entry_page') } },
  exit_pages: { texts: ['exit_page'], counts: { exit_pages: page('exit_page') } },
  locations: { texts: ['country'], counts: { countries: country, regions: region } },
  devices: { texts: ['device'], counts: { devices: column('device', DEVICES) } },
  browsers: {
    texts: ['browser'],
    counts: {
      browsers: column('browser', BROWSERS),
      browser_versions: version('browser', 'browser_version', BROWSERS),
    },
  },
  operating_systems: {
    texts: ['operating_system'],
    counts: {
      operating_systems: column('operating_system', SYSTEMS),
      os_versions: version('operating_system', 'operating_system_version', SYSTEMS),
    },
  },
  custom_events: {
    texts: ['name'],
    totals: { events: 'events' },
    counts: {
      events: readEvent,
      event_labels: (row, site) => cut(keepLabel(site, row.link_url || row.path || ''), LONGEST_VALUE),
    },
    hits: 'events',
  },
};

const FILE_NAME = /(?:^|\/)imported_([a-z_]+?)(?:_\d{8}_\d{8})?\.csv$/;
