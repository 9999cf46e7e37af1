// Finds the selection of a query: the visits of a day that pass its filters.
//
// Invariant: a selection is ascending and has each visit once. A selection is in a shared buffer, which the next
// selection overwrites.
//
// Example: the filters are "country is DE" and "page is /buy". Of 1,000 visits, the column `country` finds the 40
// visits from DE. Then only the hits of these 40 visits are read. If no visit is from DE, no hit is read.
//
// Queries and exclusions call `select`. Selections of sealed days are cached (selection-cache.ts).
import { type Day, type Selection, selectAll, sharedBuffer } from '../day/day.ts';
import { type Conditions, isUnfiltered } from './conditions.ts';
import { makeMatchesOfAny } from './hit-filter.ts';
import { isEqual, isPossible, listRareRows, type Match } from './match.ts';
import { countHitsByVisit } from './per-visit.ts';

export const NO_VISITS: Selection = { visits: new Uint32Array(0), count: 0 };

export function select(day: Day, conditions: Conditions): Selection {
  if (isUnfiltered(conditions)) return selectAll(day);
  const find = () => (conditions.any ? selectFromGroups(day, conditions) : selectAnew(day, conditions));
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
 * Returns the visits of a selection that have at least one hit that passes all of `matches`. If `isWanted` is false,
 * returns only the visits without such a hit.
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
 * Turns a list of hits into the list of their visits. Each visit is listed once. Hits that fail the match `other` are
 * skipped. The list of visits overwrites the list of hits, from its start.
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
    // Visits overwrite the list of hits. Each hit adds at most one visit, so no unread hit is overwritten.
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

/** Selects the visits that pass at least one group of conditions. */
function selectOfAny(day: Day, groups: readonly Conditions[]): Selection {
  const size = day.totals.visits;
  const selected = new Uint8Array(size);
  for (const group of groups) markVisits(selected, select(day, group));
  const visits = sharedBuffer('visits', size);
  let count = 0;
  for (let visit = 0; visit < size; visit++) {
    visits[count] = visit;
    count += selected[visit] as number;
  }
  return { visits, count };
}

function markVisits(selected: Uint8Array, { visits, count }: Selection): void {
  for (let i = 0; i < count; i++) selected[visits[i] as number] = 1;
}

/**
 * Selects the visits that pass at least one group of conditions. For each list of tests in `some`, a visit must also
 * have a hit that passes one of these tests. For example, the hit reaches the goal of the query.
 */
function selectFromGroups(day: Day, { any = [], some }: Conditions): Selection {
  let selection = selectOfAny(day, any);
  for (const tests of some) selection = narrowByHit(day, selection, makeMatchesOfAny(day, tests), true);
  return selection;
}

/**
 * Finds a selection without the cache. Tests on visits, such as country, are applied first. Tests on hits, such as
 * page, are applied later, and read only the remaining visits.
 */
function selectAnew(day: Day, { values, some, none }: Conditions): Selection {
  const matches: Match[] = [];
  for (const [read, test] of values) {
    const match = test(read(day));
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
