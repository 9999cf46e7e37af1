// Counts journeys in SQL: the pages that visits saw after a root, or before it. A root is the page, the goal or the
// entry (the first page of the visit) at which journeys begin. A node is a root or a page that follows a node
// (stats/journeys.ts).
//
// Invariant: the counts equal the counts of the engine on SQLite. A query lists the nodes to follow. Each selected
// visit counts once, at the last listed node that its journey reaches.
//
// Example: the root is the entry (node 0). The query lists /a (node 1) and /a > /b (node 2). A visit saw /a, /b and /c.
// Its path is ['/a', '/b', '/c']. The visit counts at node 2, with the next page /c, after which the visit ended.
//
// The pages of the listed nodes are sent as parameters, and SQL gives each page a number. From a node and the number of
// the next page, SQL finds the next node. measure.ts calls `countJourneys`.
import { OTHER } from '../../stats/dimensions.ts';
import { END, type Followed, type JourneyNode, type JourneyRow, NOT_MET } from '../../stats/journeys.ts';
import type { Of } from '../../stats/query.ts';
import type { CountVisits, Scope, VisitSelection } from './aggregate.ts';
import { type Bind, matchPage, matchTarget, overHits } from './filters.ts';

export async function countJourneys(
  count: CountVisits,
  { where, bind }: VisitSelection,
  query: Of<'journeys'>,
  scope: Pick<Scope, 'ranges'>,
): Promise<JourneyRow[]> {
  const steps = [...selectPath(query, bind), ...selectNode(query.followed, bind)];
  const found = await count<JourneyRow>(
    { ...scope, where },
    {
      keys: { node: 'journey_node', value: 'journey_next' },
      sums: { visits: 'count()', ended: `countIf(journey_node >= 0 AND length(path) <= reached + 1)` },
      from: (visits) => steps.reduce((from, step) => `SELECT *, ${step} FROM (${from})`, visits),
    },
  );
  return found.filter(({ visits }) => visits > 0);
}

const selectViews = (pages: string, events: string): string => `arrayFilter((p, e) -> e = '', ${pages}, ${events})`;

/**
 * Makes SQL expressions. Each expression adds a column, and may use the columns before it. The last column, `path`, has
 * the pages that a visit saw after the root, or before it. `met` is the position of the root among the hits, from 1. If
 * the visit does not have the root, `met` is 0.
 */
function selectPath({ root, direction }: Of<'journeys'>, bind: Bind): string[] {
  const cut = direction === 'after' ? 'met + 1' : '1, toUInt32(greatest(met, 1) - 1)';
  const views = selectViews(`arraySlice(h_page, ${cut})`, `arraySlice(h_event, ${cut})`);
  const ordered = direction === 'after' ? views : `arrayReverse(${views})`;
  return [
    `${root ? overHits('arrayFirstIndex', matchTarget(root, bind)) : '1'} AS met`,
    // The page of a visit's first hit is the entry, even if that hit is an event.
    `${root ? ordered : `arrayPushFront(${views}, h_page[1])`} AS seen`,
    ...(root?.type === 'page'
      ? [`arrayFirstIndex(p -> NOT (${matchPage(root.value, bind)}), seen) AS away`]
      : ['toUInt32(1) AS away']),
    'arrayCompact(if(away = 0, [], arraySlice(seen, away))) AS path',
  ];
}

/**
 * Makes SQL expressions. Each expression adds a column, and may use the columns before it. The columns `node_1`,
 * `node_2` and so on have the nodes that a visit reached after the root. `reached` is the number of these nodes.
 */
function selectNode({ nodes, open }: Followed, bind: Bind): string[] {
  const texts = [...new Set(nodes.slice(1).map(({ value }) => value))];
  const depth = countLevels(nodes);
  const size = texts.length + 1;
  const numbers = new Map(texts.map((text, i) => [text, i + 1]));
  const keys = nodes.slice(1).map(({ parent, value }) => parent * size + (numbers.get(value) ?? 0));
  const pages = `transform(p, ${bindList(texts, 'String', bind)}, range(1, ${size}), 0)`;
  const walk = (key: string) => `transform(${key}, ${bindList(keys, 'Int64', bind)}, range(1, ${nodes.length}), ${-1})`;
  const levels = Array.from({ length: depth }, (_, i) => `node_${i + 1}`);
  return [
    ...(depth === 0 ? [] : [`arrayMap(p -> toInt64(${pages}), arraySlice(path, 1, ${depth})) AS numbers`]),
    ...levels.map((name, i) => {
      const before = i === 0 ? '0' : `node_${i}`;
      return `if(${before} < 0 OR length(numbers) <= ${i}, -1, toInt64(${walk(`toInt64(${before} * ${size} + numbers[${i + 1}])`)})) AS ${name}`;
    }),
    `arrayCount(node -> node >= 0, [${levels.length === 0 ? 'toInt64(-1)' : levels.join(', ')}]) AS reached`,
    `toInt64(if(met = 0, ${NOT_MET}, if(reached = 0, 0, [${['toInt64(0)', ...levels].join(', ')}][reached + 1]))) AS journey_node`,
    `multiIf(journey_node < 0 OR length(path) <= reached, '${END}', journey_node >= ${open}, path[reached + 1], '${OTHER}') AS journey_next`,
  ];
}

function countLevels(nodes: readonly JourneyNode[]): number {
  let levels = 0;
  for (let at = nodes.at(-1)?.parent ?? -1; at >= 0; at = nodes[at]?.parent ?? -1) levels++;
  return levels;
}

/** Sends a list as one parameter, because a statement can have only some hundred parameters. */
const bindList = (list: readonly (string | number)[], type: string, bind: Bind): string =>
  `JSONExtract(${bind(JSON.stringify(list))}, 'Array(${type})')`;
