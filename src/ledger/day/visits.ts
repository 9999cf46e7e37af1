import type { Visit, VisitHit } from '../../engine/activity.ts';
import { unpackScroll } from '../../engine/import-content.ts';
import { HIT_TEXT_FIELDS, type HitTextField, VISIT_TEXT_FIELDS, type VisitTextField } from '../../stats/dimensions.ts';
import type { ColumnName } from '../column/column.ts';
import { type Day, findStarts } from './day.ts';

type OwnFields = Pick<VisitHit, 'second' | 'engaged' | 'scroll'>;

/**
 * Lists the visits of a day, with texts in place of terms. Visitors are numbered from `before` + 1, and the numbers
 * mean nothing on other days. `isExcluded` has a 1 for each excluded visit.
 */
export function* listVisits(
  day: Day,
  readText: (term: number) => string,
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
  const hitTexts = HIT_TEXT_FIELDS.map((name) => [name, text(name)] as const);
  const visitTexts = VISIT_TEXT_FIELDS.map((name) => [name, text(name)] as const);

  let visitor = before;
  for (let visit = 0; visit < day.totals.visits; visit++) {
    if (again(visit) === 0) visitor++;
    const hits: VisitHit[] = [];
    for (let hit = starts[visit] as number; hit < (starts[visit + 1] as number); hit++) {
      const numbers: OwnFields = { second: second(hit), engaged: engaged(hit), scroll: unpackScroll(scroll(hit)) };
      const own = numbers as Record<HitTextField, string> & OwnFields;
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
