import type { DayVisits, Visit } from '../engine.ts';
import { csvCell } from '../lib/csv.ts';
import { DAY, iso } from '../lib/time.ts';
import { FILE_TEXT_FIELDS, type FileTextField, type VisitTextField } from '../stats/dimensions.ts';
import type { Field } from './file-hits.ts';
import { type VisitRow, visitRows } from './visit-rows.ts';

/** So much text is handed on at once. */
const CHUNK = 64 * 1024;

type Line = Partial<Record<Field, string | number>>;

const HIT_FIELDS = ['event', 'label'] as const;
const VISIT_FIELDS = FILE_TEXT_FIELDS.filter(
  (name) => !(HIT_FIELDS as readonly string[]).includes(name),
) as VisitTextField[];

/** In the order in which they are written. */
const FIELDS: readonly Field[] = [
  'at',
  'url',
  'referrer',
  ...HIT_FIELDS,
  'engaged',
  'visitor',
  ...(VISIT_FIELDS as FileTextField[]),
];

/** How hits can be written, so that an import reads them. */
export const EXPORT_FORMATS: Record<string, { head: string; line(line: Line): string }> = {
  ndjson: { head: '', line: (line) => `${JSON.stringify(line)}\n` },
  csv: {
    head: `${FIELDS.join(',')}\n`,
    line: (line) => `${FIELDS.map((field) => csvCell(line[field] ?? '')).join(',')}\n`,
  },
};

const TAGS = ['utm_source', 'utm_medium', 'utm_campaign'] as const;

/** What a row says, as an import understands it. Of a sign of life nothing is said but whose it is, and where. */
function lineOf({ second, page, engaged, ...hit }: VisitRow, visit: Visit, day: number, domain: string): Line {
  const isHit = engaged === undefined;
  const tags = new URLSearchParams();
  for (const tag of isHit ? TAGS : []) if (visit[tag] !== '') tags.set(tag, visit[tag]);
  const line: Line = {
    at: iso(day * DAY + second),
    // A page of which only "(other)" is known has no path.
    url: `https://${domain}${page.startsWith('/') ? page : `/${page}`}${tags.size > 0 ? `?${tags}` : ''}`,
  };
  if (isHit && visit.source !== '') line.referrer = `https://${visit.source}/`;
  if (!isHit) line.engaged = engaged;
  line.visitor = String(visit.visitor);
  for (const name of HIT_FIELDS) if (hit[name] !== '') line[name] = hit[name];
  for (const name of isHit ? VISIT_FIELDS : []) if (visit[name] !== '') line[name as FileTextField] = visit[name];
  return line;
}

/** The hits of a site as text, in pieces. */
export async function* exportedHits(
  days: AsyncIterable<DayVisits>,
  domain: string,
  format: keyof typeof EXPORT_FORMATS,
): AsyncGenerator<string> {
  const { head, line } = EXPORT_FORMATS[format] as (typeof EXPORT_FORMATS)[string];
  let chunk = head;
  for await (const { day, visits } of days) {
    for (const visit of visits) {
      for (const row of visitRows(visit)) chunk += line(lineOf(row, visit, day, domain));
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}
