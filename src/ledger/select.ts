import { VISIT_FILTERS } from '../stats/dimensions.ts';
import type { Filters } from '../stats/question.ts';
import type { Target } from '../store/goals.ts';
import { type Narrowing, ofEvent, onPage } from './breakdowns.ts';
import type { ColumnName } from './columns.ts';
import { codeIn, type Day, listFor, startsOf } from './day.ts';
import { everyVisit, type Only, type Selection } from './tally.ts';
import type { Texts } from './terms.ts';

type TermOf = Texts['termOf'];

/** What a hit must be: on a page, or an event of a name; 0 as the event is a pageview. */
export type HitTest = { page?: number; event?: number };

/** Filters in numbers. A visit must have each of the values, and for each test a hit that meets it. */
export type Conditions = { values: [ColumnName, number][]; tests: HitTest[]; narrowing: Narrowing };

/** A term that no hit has. */
export const NEVER = 0xffff_ffff;

export function testOf({ type, value }: Target, termOf: TermOf): HitTest {
  const term = termOf(value) ?? NEVER;
  return type === 'page' ? { page: term, event: 0 } : { event: term };
}

export function conditionsOf({ page, event, goal, ...values }: Filters, termOf: TermOf): Conditions {
  const term = (text: string) => termOf(text) ?? NEVER;
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

/** The conditions of a test in the codes of a day. */
export const onlyOf = (day: Day, { page, event }: HitTest): Only[] => [
  ...onPage(day, { page }),
  ...(event === undefined ? [] : [ofEvent(day, event)]),
];

export const NOTHING: Selection = { visits: new Uint32Array(0), count: 0 };

/** 1 or 0. Codes are small and positive; a processor that need not guess takes a third of the time of one that guesses wrong. */
const isSame = (code: number, other: number): number => ((code ^ other) - 1) >>> 31;

/** Of so many rows looking for the next one by its value is quicker than looking at each. */
const RARE = 32;

/** The rows that meet a condition, ascending. */
function placesOf({ codes, code }: Only): Selection {
  const visits = listFor('visits', codes.length);
  let count = 0;
  let from = 0;
  // The search of the language is several times as fast as a loop, unless it is begun again for every other row.
  for (let row = codes.indexOf(code); row >= 0; row = codes.indexOf(code, from)) {
    visits[count++] = row;
    from = row + 1;
    if (count >= RARE && count * RARE > from) break;
  }
  if (count < RARE || count * RARE <= from) return { visits, count };
  for (let row = from; row < codes.length; row++) {
    visits[count] = row;
    count += isSame(codes[row] as number, code);
  }
  return { visits, count };
}

/** Leaves the visits that meet a condition. */
function withValue({ visits, count }: Selection, { codes, code }: Only): Selection {
  let left = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    visits[left] = visit;
    left += isSame(codes[visit] as number, code);
  }
  return { visits, count: left };
}

/** Leaves the visits that have a hit which meets all conditions, of which there are two at most. */
function withHit({ visits, count }: Selection, starts: Uint32Array, [first, second]: readonly Only[]): Selection {
  let left = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (first && first.codes[hit] !== first.code) continue;
      if (second && second.codes[hit] !== second.code) continue;
      visits[left++] = visit;
      break;
    }
  }
  return { visits, count: left };
}

/** The same for all visits of a day, found from the hits. */
function visitsWithHit(day: Day, [first, second]: readonly Only[]): Selection {
  if (!first) return NOTHING;
  const { visits, count } = placesOf(first);
  const hits = day.column('hits').codes;
  let left = 0;
  let visit = -1;
  let end = 0;
  let latest = -1;
  for (let i = 0; i < count; i++) {
    const hit = visits[i] as number;
    if (second && second.codes[hit] !== second.code) continue;
    while (end <= hit) end += hits[++visit] as number;
    // A visit comes no later in its list than its hits do in theirs, so that what is overwritten has been read.
    if (visit !== latest) visits[left++] = visit;
    latest = visit;
  }
  return { visits, count: left };
}

/** The visits of a day that the filters mean. A day that never saw one of the values is left at the first look. */
export function select(day: Day, { values, tests }: Conditions): Selection {
  const wanted: Only[] = [];
  for (const [name, term] of values) {
    const column = day.column(name);
    const code = codeIn(column, term);
    if (code < 0) return NOTHING;
    wanted.push({ codes: column.codes, code });
  }
  const needed = tests.map((one) => onlyOf(day, one));
  if (needed.some((test) => test.some(({ code }) => code < 0))) return NOTHING;

  const [value, ...others] = wanted;
  const [test, ...more] = needed;
  if (!value && !test) return everyVisit(day);
  let selection = value ? placesOf(value) : visitsWithHit(day, test ?? []);
  for (const one of others) selection = withValue(selection, one);
  const left = value ? needed : more;
  if (left.length > 0 && selection.count > 0) {
    const starts = startsOf(day);
    for (const one of left) selection = withHit(selection, starts, one);
  }
  return selection;
}
