// A selection is the list of the visits of a day that pass the filters of a query.
// Invariant: a selection ascends and has each visit once. A selection stands in a shared buffer, which the next
// selection overwrites.
//
// Example: of 1,000 visits, 40 are from DE, and 5 of these 40 have a hit on /buy. The filters are "country is DE" and
// "page is /buy". The column `country` gives the 40 visits; then only their hits are read. If no visit of the day is
// from DE, no row is read at all.
//
// Scans, previews, real-time reports and exclusions call `select`. For sealed days, which are past days that never
// change, selections are cached (selection-cache.ts).
import { type Day, type Selection, selectAll, sharedBuffer } from '../day/day.ts';
import { type Conditions, isUnfiltered } from './filters.ts';
import { makeMatchesOfAny } from './hit-filter.ts';
import { isEqual, isPossible, listRareRows, type Match } from './match.ts';
import { countAllPageviews, countHitsByVisit } from './per-visit.ts';

const NO_TERMS = new Uint8Array(0);

export const NO_VISITS: Selection = { visits: new Uint32Array(0), count: 0 };

export function select(day: Day, conditions: Conditions): Selection {
  if (isUnfiltered(conditions)) return selectAll(day);
  const find = () => selectAnew(day, conditions);
  return day.selected ? day.selected(conditions.text, find) : find();
}

function listRows(match: Match): Selection {
  const { codes, code } = match;
  const visits = sharedBuffer('visits', codes.length);
  const rare = listRareRows(match, visits);
  if (rare) return rare;
  let count = 0;
  for (let row = 0; row < codes.length; row++) {
    visits[count] = row;
    count += isEqual(codes[row] as number, code);
  }
  return { visits, count };
}

export function narrowByValue({ visits, count }: Selection, { codes, code }: Match): Selection {
  let size = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    visits[size] = visit;
    size += isEqual(codes[visit] as number, code);
  }
  return { visits, count: size };
}

/**
 * Keeps the visits of a selection that have a hit which passes all tests in `matches`. If `isWanted` is false, keeps
 * the visits without a passing hit instead.
 */
function narrowByHit(day: Day, selection: Selection, matches: readonly Match[], isWanted: boolean): Selection {
  const { visits, count } = selection;
  if (count === 0) return selection;
  const hits = countHitsByVisit(day, selection, matches);
  const unwanted = Number(!isWanted);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    visits[size] = visit;
    size += isEqual(isEqual(hits[visit] as number, 0), unwanted);
  }
  return { visits, count: size };
}

/**
 * Turns a list of hits into the list of their visits, each visit once. If the test `other` is given, hits that fail it
 * are skipped. The list is changed in place. At the start, `visits` has numbers of hits. At the end, it has numbers of
 * visits.
 */
function listVisitsOfHits(day: Day, { visits, count }: Selection, other?: Match): Selection {
  const hits = day.column('hits').codes;
  let size = 0;
  let visit = -1;
  let end = 0;
  let latest = -1;
  for (let i = 0; i < count; i++) {
    const hit = visits[i] as number;
    if (other && other.codes[hit] !== other.code) continue;
    while (end <= hit) end += hits[++visit] as number;
    // The buffer from which hits are read is overwritten with visits. That is safe, because never more visits are
    // written than hits were read.
    if (visit !== latest) visits[size++] = visit;
    latest = visit;
  }
  return { visits, count: size };
}

function listVisitsWithHit(day: Day, matches: readonly Match[]): Selection {
  const [first, second] = matches;
  if (!first) return NO_VISITS;
  const hits = listRows(first);
  const areMost = hits.count * 2 > first.codes.length;
  return areMost ? narrowByHit(day, selectAll(day), matches, true) : listVisitsOfHits(day, hits, second);
}

/**
 * Selects the visits that pass the filters, without the cache of earlier results. Tests on visits come first, such as
 * country. Tests on hits, such as page, come later and read only the remaining visits.
 */
function selectAnew(day: Day, { values, some, none }: Conditions): Selection {
  const matches: Match[] = [];
  for (const [name, test] of values) {
    const match = test(name === 'pageviews' ? { terms: NO_TERMS, codes: countAllPageviews(day) } : day.column(name));
    if (match && match.code < 0) return NO_VISITS;
    if (match) matches.push(match);
  }
  const wanted = some.map((tests) => makeMatchesOfAny(day, tests)).filter((test) => test.length > 0);
  if (!wanted.every(isPossible)) return NO_VISITS;
  const unwanted = none.map((tests) => makeMatchesOfAny(day, tests)).filter(isPossible);
  if (unwanted.some((test) => test.length === 0)) return NO_VISITS;

  const [value, ...otherValues] = matches;
  const [test, ...otherTests] = wanted;
  let selection = value ? listRows(value) : test ? listVisitsWithHit(day, test) : selectAll(day);
  for (const other of otherValues) selection = narrowByValue(selection, other);
  const remaining = value ? wanted : otherTests;
  for (const other of remaining) selection = narrowByHit(day, selection, other, true);
  for (const other of unwanted) selection = narrowByHit(day, selection, other, false);
  return selection;
}
