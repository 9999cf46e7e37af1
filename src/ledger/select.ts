import { allPageviews } from './by-visit.ts';
import type { Conditions } from './conditions.ts';
import { type Day, sharedBuffer, startsOf } from './day.ts';
import { matchesOfAny } from './hit-test.ts';
import { everyVisit, isEqual, isPossible, type Match, type Selection } from './tally.ts';

const NO_TERMS = new Uint8Array(0);

export const NO_VISITS: Selection = { visits: new Uint32Array(0), count: 0 };

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

/** Narrows the selection to visits with a hit that matches both conditions, or to those without. */
function whereHit(
  { visits, count }: Selection,
  starts: Uint32Array,
  [first, second]: readonly Match[],
  isWanted: boolean,
): Selection {
  let size = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const end = starts[visit + 1] as number;
    let hit = starts[visit] as number;
    for (; hit < end; hit++) {
      if (first && first.codes[hit] !== first.code) continue;
      if (second && second.codes[hit] !== second.code) continue;
      break;
    }
    if (hit < end === isWanted) visits[size++] = visit;
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
export function select(day: Day, { values, some, none }: Conditions): Selection {
  const matches: Match[] = [];
  for (const [name, test] of values) {
    const match = test(name === 'pageviews' ? { terms: NO_TERMS, codes: allPageviews(day) } : day.column(name));
    if (match && match.code < 0) return NO_VISITS;
    if (match) matches.push(match);
  }
  const wanted = some.map((tests) => matchesOfAny(day, tests)).filter((test) => test.length > 0);
  if (!wanted.every(isPossible)) return NO_VISITS;
  const unwanted = none.map((tests) => matchesOfAny(day, tests)).filter(isPossible);
  if (unwanted.some((test) => test.length === 0)) return NO_VISITS;

  const [value, ...otherValues] = matches;
  const [test, ...otherTests] = wanted;
  let selection = value ? rowsOf(value) : test ? visitsWithHit(day, test) : everyVisit(day);
  for (const other of otherValues) selection = withValue(selection, other);
  const remaining = value ? wanted : otherTests;
  if (remaining.length + unwanted.length > 0 && selection.count > 0) {
    const starts = startsOf(day);
    for (const other of remaining) selection = whereHit(selection, starts, other, true);
    for (const other of unwanted) selection = whereHit(selection, starts, other, false);
  }
  return selection;
}
