import { VISIT_FILTERS } from '../stats/dimensions.ts';
import type { Filters } from '../stats/question.ts';
import type { Target } from '../store/goals.ts';
import { type Narrowing, ofEvent, onPage } from './breakdowns.ts';
import type { ColumnName } from './columns.ts';
import { codeIn, type Day, sharedBuffer, startsOf } from './day.ts';
import { everyVisit, type Match, type Selection } from './tally.ts';
import type { Texts } from './terms.ts';

type TermOf = Texts['termOf'];

/** The page and event that a hit must have. Event 0 is a pageview. */
export type HitTest = { page?: number; event?: number };

/** Filters by term. A selected visit has each of the values, and for each test a hit that meets it. */
export type Conditions = { values: [ColumnName, number][]; tests: HitTest[]; narrowing: Narrowing };

/** The term of a text that the site does not have. No column has it. */
export const UNKNOWN_TERM = 0xffff_ffff;

export function testOf({ type, value }: Target, termOf: TermOf): HitTest {
  const term = termOf(value) ?? UNKNOWN_TERM;
  return type === 'page' ? { page: term, event: 0 } : { event: term };
}

export function conditionsOf({ page, event, goal, ...values }: Filters, termOf: TermOf): Conditions {
  const term = (text: string) => termOf(text) ?? UNKNOWN_TERM;
  return {
    values: VISIT_FILTERS.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[name, term(value)]];
    }),
    tests: [
      ...(event === undefined ? [] : [{ event: term(event) }]),
      ...(goal === undefined ? [] : [testOf(goal, termOf)]),
      ...(page === undefined ? [] : [{ page: term(page) }]),
    ],
    narrowing: page === undefined ? {} : { page: term(page) },
  };
}

/** A test in the codes of a day. */
export const matchesOf = (day: Day, { page, event }: HitTest): Match[] => [
  ...onPage(day, { page }),
  ...(event === undefined ? [] : [ofEvent(day, event)]),
];

export const NO_VISITS: Selection = { visits: new Uint32Array(0), count: 0 };

/** 1 for equal codes, else 0. Without a branch it takes a third of the time of a mispredicted one. Codes are below 2^31. */
const isEqual = (code: number, other: number): number => ((code ^ other) - 1) >>> 31;

/** indexOf is faster than a loop over all rows, as long as less than one row in 32 matches. */
const RARE = 32;

/** The rows that match, ascending. */
function rowsOf({ codes, code }: Match): Selection {
  const visits = sharedBuffer('visits', codes.length);
  let count = 0;
  let from = 0;
  // indexOf is several times as fast as a loop, unless it is called again for every other row.
  for (let row = codes.indexOf(code); row >= 0; row = codes.indexOf(code, from)) {
    visits[count++] = row;
    from = row + 1;
    if (count >= RARE && count * RARE > from) break;
  }
  if (count < RARE || count * RARE <= from) return { visits, count };
  for (let row = from; row < codes.length; row++) {
    visits[count] = row;
    count += isEqual(codes[row] as number, code);
  }
  return { visits, count };
}

/** Narrows the selection to visits that match. */
function withValue({ visits, count }: Selection, { codes, code }: Match): Selection {
  let size = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    visits[size] = visit;
    size += isEqual(codes[visit] as number, code);
  }
  return { visits, count: size };
}

/** Narrows the selection to visits with a hit that matches both conditions. */
function withHit({ visits, count }: Selection, starts: Uint32Array, [first, second]: readonly Match[]): Selection {
  let size = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (first && first.codes[hit] !== first.code) continue;
      if (second && second.codes[hit] !== second.code) continue;
      visits[size++] = visit;
      break;
    }
  }
  return { visits, count: size };
}

/** All visits of a day with a hit that matches both conditions, found from the column of hits. */
function visitsWithHit(day: Day, [first, second]: readonly Match[]): Selection {
  if (!first) return NO_VISITS;
  const { visits, count } = rowsOf(first);
  const hits = day.column('hits').codes;
  let size = 0;
  let visit = -1;
  let end = 0;
  let latest = -1;
  for (let i = 0; i < count; i++) {
    const hit = visits[i] as number;
    if (second && second.codes[hit] !== second.code) continue;
    while (end <= hit) end += hits[++visit] as number;
    // The visits overwrite the buffer of the hits. Each entry has been read by then, because a visit never comes after its hits.
    if (visit !== latest) visits[size++] = visit;
    latest = visit;
  }
  return { visits, count: size };
}

/** Narrows the selection to visits that count. */
export function selectWhere({ visits, count }: Selection, counts: (visit: number) => boolean): Selection {
  let size = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    visits[size] = visit;
    if (counts(visit)) size++;
  }
  return { visits, count: size };
}

/** The visits of a day that the filters select. A day without one of the values is skipped at once. */
export function select(day: Day, { values, tests }: Conditions): Selection {
  const matches: Match[] = [];
  for (const [name, term] of values) {
    const column = day.column(name);
    const code = codeIn(column, term);
    if (code < 0) return NO_VISITS;
    matches.push({ codes: column.codes, code });
  }
  const hitMatches = tests.map((test) => matchesOf(day, test));
  if (hitMatches.some((test) => test.some(({ code }) => code < 0))) return NO_VISITS;

  const [value, ...otherValues] = matches;
  const [test, ...otherTests] = hitMatches;
  if (!value && !test) return everyVisit(day);
  let selection = value ? rowsOf(value) : visitsWithHit(day, test ?? []);
  for (const other of otherValues) selection = withValue(selection, other);
  const remainingTests = value ? hitMatches : otherTests;
  if (remainingTests.length > 0 && selection.count > 0) {
    const starts = startsOf(day);
    for (const remaining of remainingTests) selection = withHit(selection, starts, remaining);
  }
  return selection;
}
