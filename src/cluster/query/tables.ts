// Makes tables with columns from the visits that ClickHouse servers return, for exports to Parquet.
//
// Invariant: all lists of a table have the order of its visits or hits. `starts` says at which hit each visit begins.
//
// Example: three visits are from DE, FR and DE. Their column has the texts DE and FR, and the codes [0, 1, 0].
// queries.ts calls `readTables`.

import { findChannel } from '../../classify/channel.ts';
import type { DayVisits, Visit, VisitHit } from '../../engine/activity.ts';
import type { DayTable, TextColumn, VisitText } from '../../engine/day-table.ts';
import { packScroll } from '../../engine/import-content.ts';
import { readProperties } from '../../stats/properties.ts';
import { unpackBuckets, VITALS } from '../../stats/vitals.ts';

/** A large day comes in several portions, and each portion becomes a table. */
export async function* readTables(days: AsyncIterable<DayVisits>): AsyncGenerator<DayTable> {
  let [before, lastDay] = [0, Number.NaN];
  for await (const { day, visits } of days) {
    const own = [...visits];
    if (day !== lastDay) before = 0;
    lastDay = day;
    if (own.length > 0) yield tabulate(day, own, before);
    before += own.length;
  }
}

function tabulate(day: number, visits: readonly Visit[], visitsBefore: number): DayTable {
  const hits = visits.flatMap((visit) => visit.hits);
  const properties = hits.map((hit) => new Map(readProperties(hit.properties)));
  const buckets = hits.map(({ vitals }) => unpackBuckets(vitals));
  const isExcluded = Uint8Array.from(visits, ({ excluded }) => Number(excluded));
  const starts = new Uint32Array(visits.length + 1);
  for (const [i, visit] of visits.entries()) starts[i + 1] = (starts[i] as number) + visit.hits.length;
  return {
    ...{ day, visits: visits.length, hits: hits.length, starts, visitsBefore },
    visitors: visits.map(({ visitor }) => visitor),
    seconds: visits.map(({ seconds }) => seconds),
    events: visits.map((visit) => visit.hits.filter(({ event }) => event !== '').length),
    excluded: isExcluded.includes(1) ? isExcluded : undefined,
    readVisitText: (name) => makeTexts(visits, (visit) => readVisitText(visit, name)),
    readHitText: (name) => makeTexts(hits, (hit) => hit[name]),
    readNumbers: (name) => hits.map((hit) => readNumber(hit, name)),
    readVital: (name) => buckets.map((own) => own[VITALS.indexOf(name)] ?? 0),
    propertyNames: [...new Set(properties.flatMap((own) => [...own.keys()]))].sort(),
    readProperty: (name) => makeTexts(properties, (own) => own.get(name) ?? ''),
  };
}

const readNumber = (hit: VisitHit, name: 'second' | 'engaged' | 'scroll'): number =>
  name === 'scroll' ? packScroll(hit.scroll) : hit[name];

function readVisitText(visit: Visit, name: VisitText): string {
  if (name === 'channel') return findChannel(visit);
  if (name === 'entry') return visit.hits[0]?.page ?? '';
  return name === 'exit' ? (visit.hits.at(-1)?.page ?? '') : visit[name];
}

function makeTexts<Row>(rows: readonly Row[], read: (row: Row) => string): TextColumn {
  const known = new Map<string, number>();
  const codes = new Uint32Array(rows.length);
  for (const [i, row] of rows.entries()) {
    const text = read(row);
    const code = known.get(text) ?? known.size;
    known.set(text, code);
    codes[i] = code;
  }
  return { texts: [...known.keys()], codes };
}
