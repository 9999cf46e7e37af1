import { VISIT_GAP } from '../../stats/definitions.ts';
import { VISIT_TEXT_FIELDS, type VisitTextField } from '../../stats/dimensions.ts';
import { CLAIMED } from '../servers/row-numbers.ts';

/** What is known of a visit. Those with `h_` are lists with one for each of its hits, in order. */
export const FIELDS = [
  ...(['start', 'seconds', 'pageviews', 'events', ...VISIT_TEXT_FIELDS, 'entry', 'exit'] as const),
  ...(['h_second', 'h_page', 'h_event', 'h_label', 'h_seen'] as const),
] as const;
export type Field = (typeof FIELDS)[number];

/** The fields that a piece of SQL names. */
export const fieldsIn = (sql: string): Field[] => FIELDS.filter((name) => new RegExp(`\\b${name}\\b`).test(sql));

/** The columns of rows that are stored as numbers of a dictionary. */
const IS_LOW = new Set<string>(['event', ...VISIT_TEXT_FIELDS]);

const LOW = 'LowCardinality(String)';

/** As in the table of sealed visits, so that those of open days come beside them without being turned into another type. */
const TYPES: Record<Field, string> = {
  ...{ start: 'Int32', seconds: 'UInt32', pageviews: 'UInt32', events: 'UInt32', entry: LOW, exit: LOW },
  ...{ h_second: 'Array(Int32)', h_page: `Array(${LOW})`, h_event: `Array(${LOW})` },
  ...{ h_label: 'Array(String)', h_seen: 'Array(UInt32)' },
  ...(Object.fromEntries(VISIT_TEXT_FIELDS.map((name) => [name, LOW])) as Record<VisitTextField, string>),
};

/** The columns of a row that fields of visits are made of, beside `second`, `seq` and `engaged`. */
const ROWS_OF: Partial<Record<Field, readonly string[]>> = {
  pageviews: ['event'],
  events: ['event'],
  entry: ['page'],
  exit: ['page'],
  h_page: ['page'],
  h_event: ['event'],
  h_label: ['label'],
  h_seen: ['page'],
  ...Object.fromEntries(VISIT_TEXT_FIELDS.map((name): [VisitTextField, string[]] => [name, [name]])),
};

/** A claim cannot be longer than since the row before it, which the collector that took it may not have known; and a second for rounding. */
const boundedBy = (engaged: string, gap: string): string =>
  `if(${engaged} > ${CLAIMED}, least(toUInt32(${engaged} - ${CLAIMED}), toUInt32(${gap} + 2)), ${engaged})`;

/**
 * Adds `h_seen` to chains, for how many seconds the page of each hit was seen. A sign of life is about the latest hit before it on its
 * page, in the visit as it was when the sign came. Where everything came in order, these are the signs that follow the hit among the
 * rows of its page; elsewhere each sign is looked at alone, with what had come before it and without a long gap. One step in each query,
 * because ClickHouse takes long to understand functions within functions.
 */
function withSeen(chains: string, page: number): string {
  const groups = "arraySplit((x, other) -> x.3 = 0 OR x.4 <> other, by_page, arrayShiftRight(by_page.4, 1, ''))";
  const steps = [
    `arrayMap((x, before) -> (x.1, x.2, ${boundedBy('x.3', 'x.1 - before')}, x.${page}), rest, arrayShiftRight(rest.1, 1, rest[1].1)) AS bounded`,
    `arraySort(x -> (x.4, x.1, x.2), bounded) AS by_page,
     arrayAll(gap -> gap >= 0, arrayDifference(arrayMap(seq -> toInt64(seq), rest.2))) AS is_ordered`,
    `arrayMap(g -> (g[1].1, g[1].2, arraySum(g.3) - length(g) + 1), arrayFilter(g -> g[1].3 = 0, ${groups})) AS in_order,
     arrayMap(s -> (s, arrayFilter(x -> x.2 < s.2 AND (x.1, x.2) < (s.1, s.2), rest)), arrayFilter(x -> x.3 > 1, if(is_ordered, [], rest))) AS signs`,
    `arrayMap(l -> (l.1, arraySlice(l.2, greatest(1, arrayLastIndex(gap -> gap > ${VISIT_GAP}, arrayDifference(tupleElement(l.2, 1)))))), signs) AS running`,
    `arrayMap(l -> (if(tupleElement(l.1, 1) - tupleElement(l.2[-1], 1) <= ${VISIT_GAP},
       tupleElement(arrayLast(x -> x.3 = 0 AND x.${page} = tupleElement(l.1, ${page}), l.2), 2), 0),
       ${boundedBy('tupleElement(l.1, 3)', 'tupleElement(l.1, 1) - tupleElement(l.2[-1], 1)')} - 1), running) AS targets`,
    `arrayMap(n -> toUInt32(n), if(is_ordered, arraySort(in_order).3,
       arrayMap(h -> arraySum(t -> if(t.1 = h.2, t.2, 0), targets), hits))) AS h_seen`,
  ];
  return steps.reduce((from, step) => `SELECT *, ${step} FROM (${from})`, chains);
}

/**
 * Visits, made of the rows of open days: those of a visitor without a longer gap are one. A sign of life without a running visit
 * begins none, and keeps none running, so that the signs before the first hit are left out.
 */
export function madeOf(rows: string, fields: readonly Field[]): string {
  const columns = ['second', 'seq', 'engaged', ...new Set(fields.flatMap((name) => ROWS_OF[name] ?? []))];
  const at = (name: string) => columns.indexOf(name) + 1;
  const list = (name: string) => `hits.${at(name)}`;
  const pageviews = `countEqual(${list('event')}, '')`;
  const EXPRESSIONS: Record<Field, () => string> = {
    start: () => 'hits[1].1',
    seconds: () => 'rest[-1].1 - hits[1].1',
    pageviews: () => pageviews,
    events: () => `length(hits) - ${pageviews}`,
    entry: () => `hits[1].${at('page')}`,
    exit: () => `hits[-1].${at('page')}`,
    h_second: () => 'hits.1',
    h_page: () => list('page'),
    h_event: () => list('event'),
    h_label: () => list('label'),
    h_seen: () => 'h_seen',
    ...(Object.fromEntries(VISIT_TEXT_FIELDS.map((name) => [name, () => `hits[1].${at(name)}`])) as Record<
      VisitTextField,
      () => string
    >),
  };
  const selected = fields.map((name) => `, CAST(${EXPRESSIONS[name]()} AS ${TYPES[name]}) AS ${name}`).join('');
  const texts = columns.map((name) => (IS_LOW.has(name) ? `toString(${name})` : name));
  const chains = `SELECT site, day, visitor, arraySlice(chain, indexOf(chain.3, 0)) AS rest, arrayFilter(x -> x.3 = 0, rest) AS hits
    FROM (
      SELECT site, day, visitor, arrayJoin(arraySplit((x, gap) -> gap > ${VISIT_GAP}, sorted, arrayDifference(sorted.1))) AS chain
      FROM (
        SELECT site, day, visitor, arraySort(groupArray((${texts.join(', ')}))) AS sorted
        FROM (${rows}) GROUP BY site, day, visitor
      )
    )
    WHERE has(chain.3, 0)`;
  const own = fields.includes('h_seen') ? withSeen(chains, at('page')) : chains;
  return `SELECT site, day, 0 AS part, visitor${selected} FROM (${own})`;
}

/** Visits as they were before a second of their day; they go on until then. */
export function cutBefore(visits: string, until: number, fields: readonly Field[]): string {
  const left = `arrayCount(s -> s < ${until}, h_second)`;
  const pageviews = `toUInt32(arrayCount(e -> e = '', arraySlice(h_event, 1, ${left})))`;
  const CUT: Partial<Record<Field, string>> = {
    seconds: `toUInt32(least(toInt64(start) + seconds, ${until - 1}) - start)`,
    pageviews,
    events: `toUInt32(${left} - ${pageviews})`,
    exit: `h_page[${left}]`,
  };
  const expressionOf = (name: Field): string =>
    CUT[name] ?? (name.startsWith('h_') ? `arraySlice(${name}, 1, ${left})` : name);
  const selected = fields.map((name) => `, cut.${name} AS ${name}`).join('');
  const computed = fields.map((name) => `${expressionOf(name)}`).join(', ');
  return `SELECT site, day, part, visitor${selected} FROM (
    SELECT site, day, part, visitor, tuple(${computed})::Tuple(${fields.map((name) => `${name} ${TYPES[name]}`).join(', ')}) AS cut
    FROM (${visits}) WHERE start < ${until})`;
}

/** The fields that a cut needs beside those that it leaves. */
export const CUT_NEEDS: readonly Field[] = ['start', 'seconds', 'h_second', 'h_event', 'h_page'];
