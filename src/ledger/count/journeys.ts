// Counts, page by page, which pages visits saw on their journeys. The root is the page or event at which a journey
// begins. A journey follows the pages after the root, or backwards before it. Without a root, a journey begins with the
// entry page: the page of the visit's first hit. A node is a path of pages that begins at the root. A report asks
// several queries in turn, and each query follows the paths one page farther. The query lists the nodes that were
// chosen from the answers to the earlier queries (stats/journeys.ts). All events are skipped, except at the root and at
// the entry page.
//
// Invariant: each selected visit counts once. A visit counts at its longest listed path, or as "not met" if the visit
// never reaches the root.
//
// Example: the query lists /a and /a > /b. A visit saw /a, /b, /c and /d. The visit counts at the node /a > /b, with
// the next page /c. It does not count as ended at /c, because it saw /d after that. query/scan.ts calls `countJourneys`
// for each day, and merge.ts calls `listJourneyRows`.
import { OTHER } from '../../stats/dimensions.ts';
import { END, type Followed, type JourneyRow, NOT_MET } from '../../stats/journeys.ts';
import { addToKey, type KeyCounts } from '../../stats/key-counts.ts';
import type { Of } from '../../stats/query.ts';
import { findCode } from '../column/column.ts';
import { type Day, findStarts, type Selection } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';
import { listTopRows } from '../rows/top-terms.ts';
import type { Conditions } from './conditions.ts';
import { addHitTests, makeHitTests } from './filters.ts';
import { type HitTest, makeMatches } from './hit-filter.ts';
import { isPossible, type Match } from './match.ts';
import { select } from './select.ts';
import { makeTermTest, type TermTest, UNKNOWN_TERM } from './term-filter.ts';

/** A query for journeys that is ready for counting. Texts are replaced by terms. */
export type JourneyWork = {
  /**
   * `met` selects the visits that reach the root, and `hit` finds the hit with which a visit reaches the root. `pages`
   * tests whether a page is the root, because repeated views of the root are skipped. Without `root`, the first page of
   * each journey is the visit's entry page.
   */
  root: { met: Conditions; hit: HitTest; pages: TermTest | undefined } | undefined;
  /** 1 if pages after the root are counted, and -1 if pages before the root are counted. */
  direction: 1 | -1;
  followed: Followed;
  /** For each node, the term of the last page of its path. */
  terms: number[];
};

export function prepareJourneys(
  { root, direction, followed }: Of<'journeys'>,
  conditions: Conditions,
  texts: Texts,
): JourneyWork {
  const hits = root ? makeHitTests([root], texts) : [];
  const pages = root?.type === 'page' ? makeTermTest({ like: [root.value] }, texts) : undefined;
  return {
    root: root && { met: addHitTests(conditions, hits, root), hit: hits[0] ?? {}, pages },
    direction: direction === 'after' ? 1 : -1,
    followed,
    terms: followed.nodes.map(({ value }) => texts.findTerm(value) ?? UNKNOWN_TERM),
  };
}

/**
 * Visits are counted by key. A key is one number with three parts: a node, whether the visit ends on the next page, and
 * the next page. These constants are values of the next page. `NONE` means that the visit saw no further page.
 * `NOT_LISTED` means any further page. If the index of a node is below `followed.open`, its next pages are not counted
 * one by one: all of them are `NOT_LISTED`. Numbers from `FIRST_TERM` on are terms plus 2.
 */
const [NONE, NOT_LISTED, FIRST_TERM] = [0, 1, 2];
const NEXT = 2 ** 33;
const makeKey = (node: number, isLast: boolean, next: number): number =>
  ((node + 1) * 2 + Number(isLast)) * NEXT + next;

/** Adds the visits of a day to `sums`. `selection` has the visits that pass the filters. */
export function countJourneys(sums: Map<number, number>, day: Day, selection: Selection, work: JourneyWork): void {
  const all = selection.count;
  const met = selectMet(day, selection, work);
  if (met.count < all) addToKey(sums, makeKey(NOT_MET, true, NONE), all - met.count);
  if (met.count > 0) addVisits(sums, day, met, work);
}

const selectMet = (day: Day, selection: Selection, { root }: JourneyWork): Selection =>
  root ? select(day, root.met) : selection;

function addVisits(sums: Map<number, number>, day: Day, { visits, count }: Selection, work: JourneyWork): void {
  const walk = makeWalk(day, work);
  const starts = findStarts(day);
  // The keys of both maps contain a page: its code in `counts`, and its term in `sums`. Most codes are smaller than
  // their terms. A map with small keys is several times faster than a map with large keys.
  const counts = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    addToKey(counts, walk(starts[visit] as number, starts[visit + 1] as number), 1);
  }
  const { terms } = day.column('page');
  const size = terms.length + FIRST_TERM;
  for (const [key, more] of counts) {
    const next = key % size;
    const own = next < FIRST_TERM ? next : (terms[next - FIRST_TERM] as number) + FIRST_TERM;
    const node = Math.floor(key / size / 2);
    addToKey(sums, makeKey(node, Math.floor(key / size) % 2 === 1, own), more);
  }
}

/**
 * Maps each node and next page to the child node, which is the path with this page at its end. The key of the map is
 * node × P + the code of the next page. P is the number of pages of the day. Pages that the day does not have are left
 * out.
 */
function listChildren({ followed: { nodes }, terms }: JourneyWork, ofDay: ArrayLike<number>): Map<number, number> {
  const children = new Map<number, number>();
  for (let node = 1; node < nodes.length; node++) {
    const code = findCode(ofDay, terms[node] as number);
    if (code >= 0) children.set((nodes[node]?.parent as number) * ofDay.length + code, node);
  }
  return children;
}

/**
 * Makes a function that walks through the hits of a visit, and returns the visit's key. A key is one number. It stands
 * for the node of the visit, the next page, and whether the visit ends on the next page.
 */
function makeWalk(day: Day, work: JourneyWork): (start: number, end: number) => number {
  const { direction, followed } = work;
  const { terms, codes: pages } = day.column('page');
  const isView = makeViewTest(day);
  const children = listChildren(work, terms);
  const size = terms.length + FIRST_TERM;
  const findRoot = makeRootFinder(day, work);
  const ofRoot = work.root?.pages?.(terms);

  /**
   * Finds the next pageview, from hit `from` on, of a page other than `last`. "Next" follows the direction of the
   * query, so it may be an earlier hit. Returns `stop` if there is no such pageview.
   */
  function findNext(from: number, stop: number, last: number): number {
    let hit = from;
    while (hit !== stop && (!isView(hit) || isSame(pages[hit] as number, last))) hit += direction;
    return hit;
  }
  const isSame = (page: number, last: number): boolean =>
    last === AT_ROOT ? ofRoot !== undefined && ofRoot[page] === 1 : page === last;

  return (start, end) => {
    const stop = direction === 1 ? end : start - 1;
    const root = findRoot(start, end);
    let [node, last] = [0, AT_ROOT];
    // Without a root, the journey begins with the page of the first hit, even if this hit is an event.
    let hit = work.root ? findNext(root + direction, stop, last) : start;
    while (hit !== stop) {
      last = pages[hit] as number;
      const child = children.get(node * terms.length + last);
      const next = findNext(hit + direction, stop, last);
      if (child === undefined) {
        const listed = node >= followed.open ? last + FIRST_TERM : NOT_LISTED;
        return (node * 2 + Number(next === stop)) * size + listed;
      }
      node = child;
      hit = next;
    }
    return (node * 2 + 1) * size + NONE;
  };
}

/** The value of `last` for a visit that has seen only the root. Otherwise, `last` is the code of the latest page. */
const AT_ROOT = -1;

function makeViewTest(day: Day): (hit: number) => boolean {
  const { terms, codes } = day.column('event');
  const view = findCode(terms, 0);
  return (hit) => codes[hit] === view;
}

/**
 * Makes a function that finds the hit with which a visit reaches the root: the first hit that fits the root. The
 * function is called only for visits that reach the root. Without a root, it returns the visit's first hit.
 */
function makeRootFinder(day: Day, { root }: JourneyWork): (start: number, end: number) => number {
  const matches = root ? makeMatches(day, root.hit) : [];
  if (!isPossible(matches)) return (start) => start;
  const [first, second] = matches;
  return (start, end) => {
    for (let hit = start; hit < end; hit++) if (fits(first, hit) && fits(second, hit)) return hit;
    return start;
  };
}

const fits = (match: Match | undefined, hit: number): boolean => !match || match.codes[hit] === match.code;

type Sum = { visits: number; ended: number };

/** Adds up the counts of each node by the page that its visits saw next. */
function sumNodes({ keys, counts }: KeyCounts): Map<number, Map<number, Sum>> {
  const nodes = new Map<number, Map<number, Sum>>();
  for (const [i, key] of keys.entries()) {
    const whole = Math.floor(key / NEXT);
    const [node, isLast] = [Math.floor(whole / 2) - 1, whole % 2];
    const sums = nodes.get(node) ?? new Map<number, Sum>();
    nodes.set(node, sums);
    const count = counts[i] as number;
    const { visits, ended } = sums.get(key % NEXT) ?? { visits: 0, ended: 0 };
    sums.set(key % NEXT, { visits: visits + count, ended: ended + isLast * count });
  }
  return nodes;
}

/**
 * Lists the counts of a query as rows, with texts in place of terms. Each node has rows for the `limit` next pages with
 * the most visits. All other pages together are one row, `(other)`. A site may have a million pages, and reading all
 * their texts would take too long.
 */
export function listJourneyRows(counts: KeyCounts, limit: number, { readText, findTerm }: Texts): JourneyRow[] {
  const unnamed = [NOT_LISTED, (findTerm(OTHER) ?? UNKNOWN_TERM) + FIRST_TERM];
  return [...sumNodes(counts)].flatMap(([node, sums]) => {
    const seen = [...sums].filter(([, { visits }]) => visits > 0);
    const pages = seen.filter(([next]) => next >= FIRST_TERM && !unnamed.includes(next));
    const first = listTopRows(
      pages.map(([next]) => next - FIRST_TERM),
      pages.map(([, { visits }]) => visits),
      { limit },
      readText,
    ).map(({ place, value }) => ({ node, value, ...(pages[place] as [number, Sum])[1] }));
    const none = sums.get(NONE);
    const ended = none && none.visits > 0 ? [{ node, value: END, ...none }] : [];
    const rest = { visits: 0, ended: 0 };
    for (const [next, sum] of seen) if (next !== NONE) addSum(rest, sum, 1);
    for (const row of first) addSum(rest, row, -1);
    return [...ended, ...first, ...(rest.visits > 0 ? [{ node, value: OTHER, ...rest }] : [])];
  });
}

function addSum(sum: Sum, { visits, ended }: Sum, times: 1 | -1): void {
  sum.visits += times * visits;
  sum.ended += times * ended;
}
