// Journeys: which pages visits saw after a page, a goal or their entry, or before a page or a goal.
//
// A node is a page at one place of a journey. The root is the first node. The parent of a node is one page nearer to
// the root. `ended` of a node counts the visits that saw no further page.
//
// Invariant: `visits` of a node is `ended` plus the visits of the nodes in `next`. This is not so for nodes of the last
// step and nodes with the value `(other)`: their `next` is empty.
//
// Example: 10 visits saw /a. Then 6 of them saw /b, 1 saw /c, and 3 ended. The root has 10 visits, and 3 of them ended.
// Its `next` has /b with 6 visits and /c with 1.
//
// A step is one page farther from the root. An engine is asked once for each step. The query names the nodes of all
// steps that were asked so far (`Followed`). The engine lists next pages only for the nodes of the latest step. So it
// keeps few counts, even for long journeys. The last answer has all counts. So hits that arrive between two steps do
// not make the counts differ. ask.ts and reports.ts call this file.
import { compareCodePoints } from '../lib/code-points.ts';
import { computeShare } from '../lib/percent.ts';
import { OTHER } from './dimensions.ts';

export const DIRECTIONS = ['after', 'before'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const MOST_STEPS = 5;
export const MOST_NEXT = 20;

/**
 * A page of a journey. Its index is its place in the list of all nodes. `parent` is the index of the node that is one
 * page nearer to the root. The root has the index 0 and the parent -1.
 */
export type JourneyNode = { parent: number; value: string };

/** The value of a row for visits that saw no further page. No page has an empty name, so this value is never a page. */
export const END = '';
/** The node of visits that never reach the root. They count only in the share of the root. */
export const NOT_MET = -1;

/**
 * Visits that reached `node`, and saw the page `value` next. `ended` is the number of these visits that saw no further
 * page. In the direction `before`, the next page is an earlier one.
 */
export type JourneyRow = { node: number; value: string; visits: number; ended: number };

export type JourneyTree = { value: string; visits: number; share: number; ended: number; next: JourneyTree[] };

/** The nodes of all steps that were asked so far. From the index `open` on, they are the nodes of the latest step. */
export type Followed = { nodes: readonly JourneyNode[]; open: number };

export const ONLY_ROOT: Followed = { nodes: [{ parent: -1, value: '' }], open: 0 };

type Asked = { name: string; limit: number; followed: Followed };

/**
 * The most nodes of a step that are followed, which means that the engine lists their next pages. The nodes with the
 * most visits are chosen. All other nodes have only the next page `(other)`.
 *
 * With 20 next pages for each node, the fifth step could have millions of nodes. Three steps with ten next pages for
 * each node never exceed the limit. Without a limit, 10,000 nodes made trees of 12 MB, and for a second the server
 * accepted no hits.
 */
export const MOST_FOLLOWED = 250;

/** Asks the engine step by step. Returns the last query with its answer, which has the counts of all steps. */
export async function followJourneys<
  Query extends Asked & { steps: number },
  Found extends { journeys?: JourneyRow[] },
>(query: Query, measure: (query: Query) => Promise<Found>): Promise<{ query: Query; measured: Found }> {
  let asked = query;
  for (let step = 1; ; step++) {
    const measured = await measure(asked);
    const more = step < query.steps ? chooseNodes(asked, measured.journeys ?? []) : [];
    if (more.length === 0) return { query: asked, measured };
    const nodes = [...asked.followed.nodes, ...more];
    const open = Math.max(asked.followed.nodes.length, nodes.length - MOST_FOLLOWED);
    asked = { ...asked, followed: { nodes, open } };
  }
}

const compareRows = (one: Ranked, other: Ranked): number =>
  other.visits - one.visits || compareCodePoints(one.value, other.value);
type Ranked = { value: string; visits: number };

const isPage = ({ value }: JourneyRow): boolean => value !== END && value !== OTHER;

/**
 * Chooses the nodes of the next step: the pages with the most visits after each node of the latest step. The nodes with
 * the most visits are last, because `followJourneys` follows only the last 250 nodes of a step.
 */
function chooseNodes({ limit, followed: { open } }: Asked, rows: readonly JourneyRow[]): JourneyNode[] {
  const own = Map.groupBy(
    rows.filter((row) => row.node >= open && isPage(row)),
    ({ node }) => node,
  );
  return [...own.values()]
    .flatMap((some) => some.sort(compareRows).slice(0, limit))
    .sort((one, other) => one.visits - other.visits || one.node - other.node)
    .map(({ node, value }) => ({ parent: node, value }));
}

type Sums = { visits: number; ended: number; pages: JourneyRow[]; rest: { visits: number; ended: number } };

function sumNode(rows: readonly JourneyRow[]): Sums {
  const sums: Sums = { visits: 0, ended: 0, pages: [], rest: { visits: 0, ended: 0 } };
  for (const row of rows) {
    sums.visits += row.visits;
    if (row.value === END) sums.ended += row.visits;
    else if (row.value === OTHER) addRest(sums, row);
    else sums.pages.push(row);
  }
  return sums;
}

function addRest({ rest }: Sums, { visits, ended }: JourneyRow): void {
  rest.visits += visits;
  rest.ended += ended;
}

type Leaf = Omit<JourneyTree, 'share'>;

/** Makes the tree of an answer. The share of the root is how many percent of all selected visits reached the root. */
export function makeTree({ name, limit, followed: { nodes } }: Asked, rows: readonly JourneyRow[]): JourneyTree {
  const own = Map.groupBy(rows, ({ node }) => node);
  const all = rows.reduce((sum, { visits }) => sum + visits, 0);
  const kept = nodes.map((): Leaf[] => []);
  let root: Leaf = { value: name, visits: 0, ended: 0, next: [] };
  // The nodes of a later step are later in the list. So this loop begins at the end: the nodes in `next` must exist
  // before their parent.
  for (let place = nodes.length - 1; place >= 0; place--) {
    const { parent, value } = nodes[place] as JourneyNode;
    const sums = sumNode(own.get(place) ?? []);
    const [first, others] = splitRows(sums.pages, limit);
    for (const row of others) addRest(sums, row);
    const leaves = first.map(({ value, visits, ended }): Leaf => ({ value, visits, ended, next: [] }));
    const next = [...(kept[place] as Leaf[]).sort(compareRows), ...leaves];
    if (sums.rest.visits > 0) next.push({ value: OTHER, ...sums.rest, next: [] });
    const visits = (kept[place] as Leaf[]).reduce((sum, leaf) => sum + leaf.visits, sums.visits);
    const shared = next.map(({ value, visits: some, ended, next }) => ({
      ...{ value, visits: some, share: computeShare(some, visits), ended, next },
    }));
    root = { value: place === 0 ? name : value, visits, ended: sums.ended, next: shared };
    if (parent >= 0 && visits > 0) kept[parent]?.push(root);
  }
  const { value, visits, ended, next } = root;
  return { value, visits, share: computeShare(visits, all), ended, next };
}

function splitRows(rows: JourneyRow[], limit: number): [first: JourneyRow[], others: JourneyRow[]] {
  const sorted = rows.sort(compareRows);
  return [sorted.slice(0, limit), sorted.slice(limit)];
}
