// An export of hits as NDJSON or CSV, one line for each hit.
//
// Each line has the fields of an import. So `daybook import` can read exported NDJSON and counts the same visits. The
// text is written in chunks of 64 KB. So a site with 30 million hits needs no more memory than a small one.
//
// Example: visitor 7 viewed the pages / and /a, and / was visible for 12 s. The export has three lines: two hits, and
// one heartbeat with `"engaged":12`. `daybook export` writes it (src/cli/export.ts).

import { findClickId } from '../classify/ad.ts';
import type { DayVisits, Visit } from '../engine/activity.ts';
import { writeCsvCell } from '../lib/csv.ts';
import { DAY, formatDay, iso } from '../lib/time.ts';
import { FILE_TEXT_FIELDS, type FileTextField, OTHER, type VisitTextField } from '../stats/dimensions.ts';
import { parseRevenue, writeAmount } from '../stats/revenue.ts';
import { makeVisitRows, type VisitRow } from '../stats/visit-rows.ts';
import { unpackVitals, writeVitals } from '../stats/vitals.ts';
import { type Field, UNKNOWN_HOST } from './reading/file-fields.ts';

const CHUNK = 64 * 1024;
const OBJECTS = ['props', 'revenue'] as const;

/**
 * A CSV cell has properties and revenue as JSON. A line of NDJSON has them as objects. `visit` numbers the visits of a
 * visitor on the day, from 1.
 */
type Line = Partial<Record<Field, string | number>> & { visitor: string; visit: number; excluded?: true };

/** Columns that an import does not need. With them, a receipt of the day can be checked (src/receipts). */
const MARKS = ['visit', 'excluded'] as const;

const HIT_FIELDS = ['event', 'label'] as const;
const VISIT_FIELDS = FILE_TEXT_FIELDS.filter(
  (name) => !(HIT_FIELDS as readonly string[]).includes(name),
) as VisitTextField[];

const FIELDS: readonly Field[] = [
  'at',
  'url',
  'referrer',
  ...HIT_FIELDS,
  'props',
  'revenue',
  'engaged',
  'scroll',
  'vitals',
  'visitor',
  ...(VISIT_FIELDS as FileTextField[]),
];

/** `daybook import` can read NDJSON, so exported hits can be moved to another daybook. CSV is for spreadsheets. */
export const EXPORT_FORMATS: Record<string, { head: string; line(line: Line): string }> = {
  ndjson: {
    head: '',
    line: (line) => `${JSON.stringify(readObjects(line))}\n`,
  },
  csv: {
    head: `${[...FIELDS, ...MARKS].join(',')}\n`,
    line: (line) => `${[...FIELDS, ...MARKS].map((name) => writeCsvCell(String(line[name] ?? ''))).join(',')}\n`,
  },
};

const TAGS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

export async function* exportHits(
  days: AsyncIterable<DayVisits>,
  format: keyof typeof EXPORT_FORMATS,
): AsyncGenerator<string> {
  const { head, line } = EXPORT_FORMATS[format] as (typeof EXPORT_FORMATS)[string];
  let chunk = head;
  for await (const { day, visits } of days) {
    for (const one of makeDayLines(day, visits)) {
      chunk += line(one);
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

/** Makes the lines of all visits of a day, or of all visits of some visitors. */
function* makeDayLines(day: number, visits: Iterable<Visit>): Generator<Line> {
  let [visitor, number] = [0, 0];
  for (const visit of visits) {
    number = visit.visitor === visitor ? number + 1 : 1;
    visitor = visit.visitor;
    for (const row of makeVisitRows(visit)) yield makeLine(row, visit, day, number);
  }
}

/** Makes the lines of NDJSON as objects. The digest of a sealed day is computed from these lines. */
export function* makeExportLines({ day, visits }: DayVisits): Generator<object & Pick<Line, 'visitor' | 'visit'>> {
  for (const line of makeDayLines(day, visits)) yield readObjects(line);
}

function readObjects(line: Line): object & Pick<Line, 'visitor' | 'visit'> {
  const objects = OBJECTS.flatMap((name) => (line[name] ? [[name, JSON.parse(String(line[name]))]] : []));
  return objects.length === 0 ? line : { ...line, ...Object.fromEntries(objects) };
}

/**
 * Makes the line of a hit or a heartbeat. The line of a heartbeat has only its time, page, visitor, seconds, depth and
 * vitals.
 */
function makeLine(
  { second, page, hostname, engaged, scroll, vitals, properties, revenue, ...hit }: VisitRow,
  visit: Visit,
  day: number,
  number: number,
): Line {
  const isHit = engaged === undefined;
  const [path = ''] = page.split('#', 1);
  const tags = new URLSearchParams();
  for (const tag of isHit ? TAGS : []) if (visit[tag] !== '') tags.set(tag, visit[tag]);
  const clickId = isHit ? findClickId(visit.ad) : undefined;
  if (clickId !== undefined) tags.set(clickId, '');
  const line: Line = {
    at: iso(day * DAY + second),
    // Rare pages are stored as "(other)". This text gets a slash in front, because an import accepts only URLs with a
    // path.
    url: `https://${hostname || UNKNOWN_HOST}${path.startsWith('/') ? path : `/${path}`}${tags.size > 0 ? `${path.includes('?') ? '&' : '?'}${tags}` : ''}${page.slice(path.length)}`,
    // In another time zone, hits of two days may be on one day. There, equal numbers would make two people one visitor.
    visitor: `${formatDay(day * DAY)}-${visit.visitor}`,
    visit: number,
  };
  if (isHit && visit.source !== '') line.referrer = `https://${visit.source}/`;
  if (!isHit) line.engaged = engaged;
  if (scroll !== undefined) line.scroll = scroll;
  if (vitals !== 0) line.vitals = writeVitals(unpackVitals(vitals));
  for (const name of HIT_FIELDS) if (hit[name] !== '') line[name] = hit[name];
  if (properties !== '') line.props = properties;
  const { currency, amount } = parseRevenue(revenue) ?? { currency: OTHER, amount: 0 };
  // Revenue beyond the limit of a day has no amount.
  if (currency !== OTHER) line.revenue = JSON.stringify({ amount: writeAmount(amount, currency), currency });
  if (visit.excluded) line.excluded = true;
  for (const name of isHit ? VISIT_FIELDS : []) if (visit[name] !== '') line[name as FileTextField] = visit[name];
  return line;
}
