// The tables of Plausible's export: which columns are imported, and how a value is read.
//
// A value gets the checks of a hit. E-mail addresses are removed, private paths are shortened, and long texts are cut.
// So an import stores nothing that a hit could not store. plausible-import.ts reads the zip with these tables, and
// google.ts reads its dimensions with them.

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

/** Longer texts are cut, as in an import of hits. */
const LONGEST_VALUE = 200;

/** Gives undefined if the row does not have the columns. Then the breakdown of the day is unknown. */
type ReadValue = (row: CsvRow, site: SumSite) => string | undefined;

export type PlausibleTable = {
  /** How to read the value of each breakdown from a row of the table. */
  counts?: Record<string, ReadValue>;
  /** For each total of the day, the name of the column that has it. */
  totals?: Partial<Record<keyof Totals, string>>;
  /** The column with the number of hits, for breakdowns that count hits as well as visitors. */
  hits?: string;
  /** A table without one of these columns is refused. */
  texts: readonly string[];
};

/** Reads the name of an event. A name longer than 120 characters is cut, because no filter may have a longer name. */
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
 * Reads the host of a source. The host comes from the column `referrer`, or else from the name in `source`, such as
 * "Google". A source that is only a campaign tag gives an empty text.
 */
const referrer = ({ referrer = '', source = '' }: CsvRow): string => {
  if (source === OTHER) return OTHER;
  const [host = ''] = referrer.replace(/^https?:\/\//, '').split('/');
  if (hasEmail(host) || hasEmail(source)) return '';
  if (host.includes('.')) return normalizeHost(host) ?? '';
  return findHost(source) ?? (/^[^\s/:]+\.[^\s/:]+$/.test(source) ? (normalizeHost(source) ?? '') : '');
};

/**
 * Works out the channel from the source and the medium, as for a visit. A source that is no host, such as `newsletter`,
 * is read like a campaign source. Click ids of ads are not in the file.
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
