// Writes hits as the two tables for DuckDB and ClickHouse. Hits are grouped into visits with plain loops, which share
// no code with daybook.
import { closeSync, openSync, writeSync } from 'node:fs';
import { channelOf } from './channel.ts';
import type { Hit } from './traffic.ts';

/**
 * The properties that a hit has from its visit. Both tables have these columns, so most queries read only one table.
 */
const ATTRIBUTES = [
  'entry',
  'exit',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'country',
  'device',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'screen',
  'language',
  'region',
  'city',
  'channel',
] as const;

export type Attribute = (typeof ATTRIBUTES)[number];

/**
 * The columns of the tables. Numbers come first, `day` is a date, all others are words. Ids ascend in the order of day,
 * visitor and time.
 */
export const TABLES = {
  visit: ['id', 'visitor', 'day', 'second', 'pageviews', 'events', 'seconds', 'cents', ...ATTRIBUTES],
  hit: [
    ...['id', 'visitor', 'day', 'second', 'visit', 'hostname', 'page', 'event', 'label', 'engaged', 'scroll', 'cents'],
    ...['plan', 'seats', 'item'],
    ...ATTRIBUTES,
  ],
} as const satisfies Record<string, readonly string[]>;

/** `scroll` is one more than the depth in percent, and 0 if the depth is not known. */
const NUMBERS = new Set<string>([
  'id',
  'visitor',
  'second',
  'visit',
  'pageviews',
  'events',
  'seconds',
  'engaged',
  'scroll',
  'cents',
]);

/** Returns the type of a column, in the words of an engine. */
export const typeOf = (column: string, of: { number: string; word(column: string): string }): string =>
  NUMBERS.has(column) ? of.number : column === 'day' ? 'DATE' : of.word(column);

const GAP = 1_800;

type Row = { second: number; hit: Hit };

const secondOf = ({ at }: Hit): number =>
  Number(at.slice(11, 13)) * 3600 + Number(at.slice(14, 16)) * 60 + Number(at.slice(17, 19));

const pageOf = ({ url }: Hit): string => url.slice(url.indexOf('/', 'https://'.length)).replace(/\?.*/, '');

const hostOf = ({ url }: Hit): string => url.slice('https://'.length, url.indexOf('/', 'https://'.length));

const sourceOf = ({ referrer = '' }: Hit): string => referrer.replace(/^https:\/\/(?:www\.)?/, '').replace(/\/$/, '');

const tagOf = ({ url }: Hit, tag: string): string =>
  url.includes('?') ? (new URLSearchParams(url.slice(url.indexOf('?'))).get(tag) ?? '') : '';

function attributesOf(first: Hit, last: Hit): Record<Attribute, string> {
  return {
    entry: pageOf(first),
    exit: pageOf(last),
    source: sourceOf(first),
    utm_source: tagOf(first, 'utm_source'),
    utm_medium: tagOf(first, 'utm_medium'),
    utm_campaign: tagOf(first, 'utm_campaign'),
    utm_term: tagOf(first, 'utm_term'),
    utm_content: tagOf(first, 'utm_content'),
    country: first.country ?? '',
    device: first.device,
    browser: first.browser,
    browser_version: first.browser_version,
    os: first.os,
    os_version: first.os_version,
    screen: first.screen,
    language: first.language,
    region: first.region ?? '',
    city: first.city ?? '',
    channel: channelOf({
      source: sourceOf(first),
      medium: tagOf(first, 'utm_medium'),
      tag: tagOf(first, 'utm_source'),
      url: first.url,
    }),
  };
}

/** Groups the hits of one visitor, in the order of time, into visits. */
function cut(rows: readonly Row[]): Row[][] {
  const visits: Row[][] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    if (row.second - before > GAP) visits.push([]);
    visits.at(-1)?.push(row);
    before = row.second;
  }
  return visits;
}

/** Writes both tables as files of tab-separated values, one day at a time. */
export function tableFiles(path: (table: keyof typeof TABLES) => string) {
  const files = { visit: openSync(path('visit'), 'w'), hit: openSync(path('hit'), 'w') };
  const ids = { visit: 0, hit: 0, visitor: 0 };
  /** The words of each column. */
  const words = new Map<string, Set<string>>();

  function line(table: keyof typeof TABLES, values: Record<string, string | number>): string {
    const texts = TABLES[table].map((column) => {
      const value = values[column] ?? '';
      if (typeof value === 'string' && column !== 'day') {
        const known = words.get(column);
        if (known) known.add(value);
        else words.set(column, new Set([value]));
      }
      return value;
    });
    return `${texts.join('\t')}\n`;
  }

  return {
    words,
    /** Adds a whole day of hits, in the order of time. */
    add(hits: readonly Hit[]): void {
      const visitors = new Map<string, Row[]>();
      for (const hit of hits) {
        const row = { second: secondOf(hit), hit };
        const known = visitors.get(hit.visitor);
        if (known) known.push(row);
        else visitors.set(hit.visitor, [row]);
      }
      const text = { visit: '', hit: '' };
      const day = hits[0]?.at.slice(0, 10) ?? '';
      for (const rows of visitors.values()) {
        ids.visitor++;
        for (const visit of cut(rows)) {
          const [first, last] = [visit[0], visit.at(-1)];
          if (!first || !last) continue;
          const shared = { visitor: ids.visitor, day, ...attributesOf(first.hit, last.hit) };
          const events = visit.filter(({ hit }) => hit.event).length;
          const seconds = last.second - first.second;
          const cents = visit.reduce((sum, { hit }) => sum + (hit.cents ?? 0), 0);
          const sums = { second: first.second, pageviews: visit.length - events, events, seconds, cents };
          text.visit += line('visit', { ...shared, ...sums, id: ++ids.visit });
          for (const { second, hit } of visit) {
            const what = {
              page: pageOf(hit),
              event: hit.event ?? '',
              label: hit.label ?? '',
              engaged: hit.engaged ?? 0,
              hostname: hostOf(hit),
              scroll: hit.scroll === undefined ? 0 : hit.scroll + 1,
              cents: hit.cents ?? 0,
              ...(hit.props ?? { plan: '', seats: '', item: '' }),
            };
            text.hit += line('hit', { ...shared, ...what, id: ++ids.hit, visit: ids.visit, second });
          }
        }
      }
      writeSync(files.visit, text.visit);
      writeSync(files.hit, text.hit);
    },
    /** Closes the files. Returns how many hits and visits there were. */
    close(): typeof ids {
      closeSync(files.visit);
      closeSync(files.hit);
      return ids;
    },
  };
}
