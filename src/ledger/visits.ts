import type { DayVisits, Visit, VisitHit } from '../engine.ts';
import { VISIT_TEXT_FIELDS, type VisitTextField } from '../stats/dimensions.ts';
import type { Db } from '../store/statements.ts';
import { COLUMNS, type ColumnName } from './columns.ts';
import { type Day, startsOf } from './day.ts';
import { dayReader } from './days.ts';
import { cachedTexts, type Texts } from './terms.ts';

/** Copies all columns of a day, so that they are from one snapshot; those of a part would be overwritten by the next. */
function withAllColumns(day: Day): Day {
  const columns = new Map(
    COLUMNS.map((name) => {
      const { terms, codes } = day.column(name);
      return [name, { terms, codes: codes.slice() }];
    }),
  );
  return { ...day, column: (name) => columns.get(name) ?? day.column(name) };
}

/** The visits of a day or a part of it, by visitor. Visitor numbers are valid for this day only; `before` are taken. */
function* visitsOf(day: Day, textOf: Texts['textOf'], before: number): Generator<Visit> {
  const number = (name: ColumnName): ((row: number) => number) => {
    const { terms, codes } = day.column(name);
    return terms.length === 0 ? (row) => codes[row] as number : (row) => terms[codes[row] as number] as number;
  };
  const text = (name: ColumnName): ((row: number) => string) => {
    const read = number(name);
    return (row) => textOf(read(row));
  };
  const starts = startsOf(day).slice(0, day.totals.visits + 1);
  const [again, seconds, second, engaged] = [number('again'), number('seconds'), number('second'), number('engaged')];
  const [page, event, label] = [text('page'), text('event'), text('label')];
  const visitTexts = VISIT_TEXT_FIELDS.map((name) => [name, text(name)] as const);

  let visitor = before;
  for (let visit = 0; visit < day.totals.visits; visit++) {
    if (again(visit) === 0) visitor++;
    const hits: VisitHit[] = [];
    for (let hit = starts[visit] as number; hit < (starts[visit + 1] as number); hit++) {
      hits.push({ second: second(hit), page: page(hit), event: event(hit), label: label(hit), engaged: engaged(hit) });
    }
    const own = Object.fromEntries(visitTexts.map(([name, read]) => [name, read(visit)])) as Record<
      VisitTextField,
      string
    >;
    yield { ...own, visitor, seconds: seconds(visit), hits };
  }
}

export const listDaysWithHits = (db: Db, siteId: number): number[] =>
  db.read(() => [...new Set([...dayReader(db).days(siteId, 0, Number.MAX_SAFE_INTEGER)].map(({ day }) => day))]);

/** All visits of a site, by day. Only one day is in memory at a time. */
export async function* visitsIn(db: Db, siteId: number): AsyncGenerator<DayVisits> {
  const days = dayReader(db);
  const textOf = cachedTexts(db, siteId);
  for (const day of listDaysWithHits(db, siteId)) {
    days.nextQuery();
    let visitors = 0;
    for (const columns of db.read(() => [...days.days(siteId, day, day + 1)].map(withAllColumns))) {
      yield { day, visits: visitsOf(columns, textOf, visitors) };
      visitors += columns.totals.visitors;
    }
    days.forget();
  }
}
