// Exports hits as NDJSON or CSV, with one line for each hit and each heartbeat.
//
// A line has the fields that `daybook import` reads, and also the fields `visit` and `excluded`. `daybook import` can
// read exported NDJSON, and then counts the same visits. The text is written in chunks of 64 KB. For this reason,
// exporting 30 million hits needs no more memory than exporting a few.
//
// Example: visitor 7 viewed the pages / and /a, and / was visible for 12 s. The export has three lines: two hits, and
// one heartbeat with `"engaged":12`. The command `daybook export` (src/cli/export.ts) calls `exportHits`.

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
 * The fields of a line. In CSV, properties and revenue are JSON in a cell. In NDJSON, they are objects. `visit` numbers
 * the visits of a visitor on the day, from 1.
 */
type Line = Partial<Record<Field, string | number>> & { visitor: string; visit: number; excluded?: true };

/**
 * Columns that an import does not use. They are for comparing an export with receipts, the signed records of a day's
 * figures (src/receipts). Without these columns, nobody could compute the figures from an export.
 */
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

/**
 * The formats of an export. NDJSON is for moving hits to another daybook, because `daybook import` can read NDJSON. CSV
 * is for spreadsheets.
 */
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

/** Makes the lines of one day. The visits of a visitor are numbered, so they must follow each other in `visits`. */
function* makeDayLines(day: number, visits: Iterable<Visit>): Generator<Line> {
  let [visitor, number] = [0, 0];
  for (const visit of visits) {
    number = visit.visitor === visitor ? number + 1 : 1;
    visitor = visit.visitor;
    for (const row of makeVisitRows(visit)) yield makeLine(row, visit, day, number);
  }
}

/** Makes the lines of NDJSON as objects. The digest in the receipt of a day is computed from these lines. */
export function* makeExportLines({ day, visits }: DayVisits): Generator<object & Pick<Line, 'visitor' | 'visit'>> {
  for (const line of makeDayLines(day, visits)) yield readObjects(line);
}

function readObjects(line: Line): object & Pick<Line, 'visitor' | 'visit'> {
  const objects = OBJECTS.flatMap((name) => (line[name] ? [[name, JSON.parse(String(line[name]))]] : []));
  return objects.length === 0 ? line : { ...line, ...Object.fromEntries(objects) };
}

/**
 * Makes the line of a hit or a heartbeat. The line of a heartbeat has fewer fields: time, page, visitor, visit,
 * seconds, depth, web vitals, and whether the visit is excluded.
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
    // On a day with too many pages, a new page is stored as "(other)". The export puts a slash in front, because an
    // import accepts only URLs with a path.
    url: `https://${hostname || UNKNOWN_HOST}${path.startsWith('/') ? path : `/${path}`}${tags.size > 0 ? `${path.includes('?') ? '&' : '?'}${tags}` : ''}${page.slice(path.length)}`,
    // Another daybook may import these hits in another time zone, where hits of two days may fall on one day. Without
    // the date, visitor 7 of one day and visitor 7 of the other would then count as one visitor.
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
  // On a day with too many different amounts, further revenue is stored as `(other)`, without an amount.
  if (currency !== OTHER) line.revenue = JSON.stringify({ amount: writeAmount(amount, currency), currency });
  if (visit.excluded) line.excluded = true;
  for (const name of isHit ? VISIT_FIELDS : []) if (visit[name] !== '') line[name as FileTextField] = visit[name];
  return line;
}
