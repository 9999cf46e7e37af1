// Lists the visits of a day with texts in place of terms, for exports and transfers.
//
// Invariant: each visit has all of its hits, in the order of time.
//
// Example: a visit of visitor 7 has two hits. The second hit has the properties `{"plan":"pro"}`, which are read from
// the column of `plan`. query/export-visits.ts and transfer.ts call `listVisits`.
import type { Visit, VisitHit } from '../../engine/activity.ts';
import { unpackScroll } from '../../engine/import-content.ts';
import {
  HIT_TEXT_FIELDS,
  type HitTextField,
  PROPERTIES,
  VISIT_TEXT_FIELDS,
  type VisitTextField,
} from '../../stats/dimensions.ts';
import { type Property, writeProperties } from '../../stats/properties.ts';
import { packBuckets, VITALS } from '../../stats/vitals.ts';
import type { ColumnName } from '../column/column.ts';
import { type DayProperties, findProperties, type SetTexts } from '../column/properties.ts';
import { type Day, findStarts } from './day.ts';

type ReadText = { readText(term: number): string };

type OwnFields = Pick<VisitHit, 'second' | 'engaged' | 'scroll' | 'vitals' | 'properties'>;

/**
 * Lists the visits of a day, or of one of its shards or slices, with texts in place of terms. The visitors get the
 * numbers `before` + 1, `before` + 2 and so on. `before` is the number of visitors in earlier shards and slices of the
 * day. On each day, the numbers begin at 1 again, so equal numbers of two days do not stand for one visitor.
 * `isExcluded` has a 1 for each excluded visit.
 */
export function* listVisits(
  day: Day,
  { readText, ...texts }: ReadText & SetTexts,
  { before, isExcluded }: { before: number; isExcluded: Uint8Array | undefined },
): Generator<Visit> {
  const number = (name: ColumnName): ((row: number) => number) => {
    const { terms, codes } = day.column(name);
    return terms.length === 0 ? (row) => codes[row] as number : (row) => terms[codes[row] as number] as number;
  };
  const text = (name: ColumnName): ((row: number) => string) => {
    const read = number(name);
    return (row) => readText(read(row));
  };
  const starts = findStarts(day).slice(0, day.totals.visits + 1);
  const [again, seconds] = [number('again'), number('seconds')];
  const [second, engaged, scroll] = [number('second'), number('engaged'), number('scroll')];
  const vitals = VITALS.map(number);
  const isMeasured = VITALS.some((vital) => (day.column(vital).terms.at(-1) ?? 0) > 0);
  const hitTexts = HIT_TEXT_FIELDS.filter((name) => name !== PROPERTIES).map((name) => [name, text(name)] as const);
  const properties = listByHit(findProperties(day, texts), readText);
  const visitTexts = VISIT_TEXT_FIELDS.map((name) => [name, text(name)] as const);

  let visitor = before;
  for (let visit = 0; visit < day.totals.visits; visit++) {
    if (again(visit) === 0) visitor++;
    const hits: VisitHit[] = [];
    for (let hit = starts[visit] as number; hit < (starts[visit + 1] as number); hit++) {
      const fields: OwnFields = {
        ...{ second: second(hit), engaged: engaged(hit), scroll: unpackScroll(scroll(hit)) },
        vitals: isMeasured ? packBuckets(vitals.map((read) => read(hit))) : 0,
        properties: writeProperties(properties.get(hit) ?? []),
      };
      const own = fields as Record<HitTextField, string> & OwnFields;
      // A loop over fields takes a third of the time of Object.fromEntries, and an export has millions of hits.
      for (const [name, read] of hitTexts) own[name] = read(hit);
      hits.push(own);
    }
    const own = Object.fromEntries(visitTexts.map(([name, read]) => [name, read(visit)])) as Record<
      VisitTextField,
      string
    >;
    yield { ...own, visitor, seconds: seconds(visit), hits, excluded: isExcluded?.[visit] === 1 };
  }
}

/** Lists the properties of each hit that has at least one. */
function listByHit({ names, column }: DayProperties, readText: ReadText['readText']): Map<number, Property[]> {
  const byHit = new Map<number, Property[]>();
  for (const name of names()) {
    const { terms, codes } = column(name);
    const texts = Array.from(terms, readText);
    for (let hit = 0; hit < codes.length; hit++) {
      const value = texts[codes[hit] as number] as string;
      if (value === '') continue;
      const own = byHit.get(hit);
      if (own) own.push([name, value]);
      else byHit.set(hit, [[name, value]]);
    }
  }
  return byHit;
}
