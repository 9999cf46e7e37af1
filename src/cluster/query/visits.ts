// Makes visits in SQL from the rows of open days. A row is a hit or a heartbeat. The rules are the same as in the
// engine on SQLite. The fields of a visit that begin with `h_` are lists with one value for each hit, sorted by time.
//
// Invariant: a visit has the hits of one visitor on one day, without a gap of more than 30 minutes. A heartbeat never
// begins a visit.
//
// Example: a visitor has a hit at 10:00, a heartbeat at 10:05 and a hit at 10:50. The result is two visits, because 45
// minutes lie between the last two rows. The first visit has one hit and lasts 5 minutes. visible-rows.ts and
// upkeep/seal.ts call `sessionizeRows`, aggregate.ts calls `cutVisits`.
import { VISIT_GAP } from '../../stats/definitions.ts';
import { HIT_TEXT_FIELDS, type HitTextField, VISIT_TEXT_FIELDS, type VisitTextField } from '../../stats/dimensions.ts';
import { CLAIMED } from '../servers/row-numbers.ts';
import { isLow, VISIT_TYPES } from '../servers/tables.ts';

export type VisitField = keyof typeof VISIT_TYPES;
export const FIELDS = Object.keys(VISIT_TYPES) as VisitField[];

/** Finds which of the given names an SQL text contains. */
export const listNamed = <Name extends string>(names: readonly Name[], sql: string): Name[] =>
  names.filter((name) => new RegExp(`\\b${name}\\b`).test(sql));

/** Finds the fields of visits that an SQL text names. Only these columns are read. */
export const listFields = (sql: string): VisitField[] => listNamed(FIELDS, sql);

/**
 * The columns of rows from which a field of a visit is made. `second`, `seq` and `engaged` are left out here, because
 * they are always read. Of all other columns, only needed ones are read.
 */
const ROW_COLUMNS: Partial<Record<VisitField, readonly string[]>> = {
  pageviews: ['event'],
  events: ['event'],
  entry: ['page'],
  exit: ['page'],
  h_seen: ['page'],
  h_scroll: ['page', 'event', 'scroll'],
  h_vitals: ['page', 'event', 'vitals'],
  ...Object.fromEntries(HIT_TEXT_FIELDS.map((name) => [`h_${name}`, [name]])),
  ...Object.fromEntries(VISIT_TEXT_FIELDS.map((name): [VisitTextField, string[]] => [name, [name]])),
};

/**
 * The fields that are needed to cut off a visit at a time of day. Example: to compare today until 10:00 with yesterday,
 * yesterday's visits are cut off at 10:00.
 */
export const CUT_NEEDS: readonly VisitField[] = ['start', 'seconds', 'h_second', 'h_event', 'h_page'];

/**
 * Makes SQL that makes visits from rows. A gap of over 30 minutes between two rows of a visitor begins a new visit.
 * Heartbeats before the first hit are ignored, because a visit begins with a hit.
 */
export function sessionizeRows(rows: string, fields: readonly VisitField[]): string {
  const columns = ['second', 'seq', 'engaged', ...new Set(fields.flatMap((name) => ROW_COLUMNS[name] ?? []))];
  const at = (name: string) => columns.indexOf(name) + 1;
  const list = (name: string) => `hits.${at(name)}`;
  const pageviews = `countEqual(${list('event')}, '')`;
  const EXPRESSIONS: Record<VisitField, () => string> = {
    start: () => 'hits[1].1',
    seconds: () => 'rest[-1].1 - hits[1].1',
    pageviews: () => pageviews,
    events: () => `length(hits) - ${pageviews}`,
    entry: () => `hits[1].${at('page')}`,
    exit: () => `hits[-1].${at('page')}`,
    h_second: () => 'hits.1',
    h_seen: () => 'h_seen',
    h_scroll: () => 'h_scroll',
    h_vitals: () => 'h_vitals',
    ...(Object.fromEntries(HIT_TEXT_FIELDS.map((name) => [`h_${name}`, () => list(name)])) as Record<
      `h_${HitTextField}`,
      () => string
    >),
    ...(Object.fromEntries(VISIT_TEXT_FIELDS.map((name) => [name, () => `hits[1].${at(name)}`])) as Record<
      VisitTextField,
      () => string
    >),
  };
  const selected = fields.map((name) => `, CAST(${EXPRESSIONS[name]()} AS ${VISIT_TYPES[name]}) AS ${name}`).join('');
  const texts = columns.map((name) => (isLow(name) ? `toString(${name})` : name));
  const chains = `SELECT site, day, visitor, arraySlice(chain, indexOf(chain.3, 0)) AS rest, arrayFilter(x -> x.3 = 0, rest) AS hits
    FROM (
      SELECT site, day, visitor, arrayJoin(arraySplit((x, gap) -> gap > ${VISIT_GAP}, sorted, arrayDifference(sorted.1))) AS chain
      FROM (
        SELECT site, day, visitor, arraySort(groupArray((${texts.join(', ')}))) AS sorted
        FROM (${rows}) GROUP BY site, day, visitor
      )
    )
    WHERE has(chain.3, 0)`;
  const seen = fields.includes('h_seen') ? addSeen(chains, at('page')) : chains;
  const lists = ['h_scroll', 'h_vitals'] as const;
  const own = lists
    .filter((list) => fields.includes(list))
    .reduce((from, list) => {
      const told = at(TOLD_OF_VIEWS[list][0]);
      return addTold(from, list, { page: at('page'), event: at('event'), told });
    }, seen);
  return `SELECT site, day, 0 AS slice, visitor${selected} FROM (${own})`;
}

/**
 * Makes SQL that gives visits as they were at the time `until` of their day, in seconds. If a visit went on after this
 * time, it is cut off one second before `until`. So today until now can be compared with yesterday until the same time.
 */
export function cutVisits(visits: string, until: number, fields: readonly VisitField[]): string {
  const left = `arrayCount(s -> s < ${until}, h_second)`;
  const pageviews = `toUInt32(arrayCount(e -> e = '', arraySlice(h_event, 1, ${left})))`;
  const CUT: Partial<Record<VisitField, string>> = {
    seconds: `toUInt32(least(toInt64(start) + seconds, ${until - 1}) - start)`,
    pageviews,
    events: `toUInt32(${left} - ${pageviews})`,
    exit: `h_page[${left}]`,
  };
  const makeExpression = (name: VisitField): string =>
    CUT[name] ?? (name.startsWith('h_') ? `arraySlice(${name}, 1, ${left})` : name);
  const selected = fields.map((name) => `, cut.${name} AS ${name}`).join('');
  const computed = fields.map((name) => `${makeExpression(name)}`).join(', ');
  return `SELECT site, day, slice, visitor${selected} FROM (
    SELECT site, day, slice, visitor, tuple(${computed})::Tuple(${fields.map((name) => `${name} ${VISIT_TYPES[name]}`).join(', ')}) AS cut
    FROM (${visits}) WHERE start < ${until})`;
}

/**
 * Makes SQL that limits visible seconds that the sender could not check. A browser reported these seconds, and
 * `CLAIMED` was added to their number. The limit is the time since the visitor's previous row, plus 1 s for rounding. A
 * stored value is the seconds plus one, so the SQL adds 2 to the time.
 */
const boundClaim = (engaged: string, gap: string): string =>
  `if(${engaged} > ${CLAIMED}, least(toUInt32(${engaged} - ${CLAIMED}), toUInt32(${gap} + 2)), ${engaged})`;

/**
 * Adds `h_seen`: for how many seconds the page of each hit was visible. A heartbeat has these seconds. A heartbeat
 * belongs to a hit on the same page: the latest one that was received before the heartbeat.
 *
 * If all rows arrived in order of time, the rows of a page are split into groups, which is fast. Each group has a hit
 * and the heartbeats after it. If some rows arrived out of order, the rows before each heartbeat are searched. Each
 * step is a nested query, because ClickHouse takes long to parse nested functions.
 */
function addSeen(chains: string, page: number): string {
  const groups = "arraySplit((x, other) -> x.3 = 0 OR x.4 <> other, by_page, arrayShiftRight(by_page.4, 1, ''))";
  const steps = [
    `arrayMap((x, before) -> (x.1, x.2, ${boundClaim('x.3', 'x.1 - before')}, x.${page}), rest, arrayShiftRight(rest.1, 1, rest[1].1)) AS bounded`,
    `arraySort(x -> (x.4, x.1, x.2), bounded) AS by_page,
     arrayAll(gap -> gap >= 0, arrayDifference(arrayMap(seq -> toInt64(seq), rest.2))) AS is_ordered`,
    `arrayMap(g -> (g[1].1, g[1].2, arraySum(g.3) - length(g) + 1), arrayFilter(g -> g[1].3 = 0, ${groups})) AS in_order,
     arrayMap(s -> (s, arrayFilter(x -> x.2 < s.2 AND (x.1, x.2) < (s.1, s.2), rest)), arrayFilter(x -> x.3 > 1, if(is_ordered, [], rest))) AS signs`,
    `arrayMap(l -> (l.1, arraySlice(l.2, greatest(1, arrayLastIndex(gap -> gap > ${VISIT_GAP}, arrayDifference(tupleElement(l.2, 1)))))), signs) AS running`,
    `arrayMap(l -> (if(tupleElement(l.1, 1) - tupleElement(l.2[-1], 1) <= ${VISIT_GAP},
       tupleElement(arrayLast(x -> x.3 = 0 AND x.${page} = tupleElement(l.1, ${page}), l.2), 2), 0),
       ${boundClaim('tupleElement(l.1, 3)', 'tupleElement(l.1, 1) - tupleElement(l.2[-1], 1)')} - 1), running) AS targets`,
    `arrayMap(n -> toUInt32(n), if(is_ordered, arraySort(in_order).3,
       arrayMap(h -> arraySum(t -> if(t.1 = h.2, t.2, 0), targets), hits))) AS h_seen`,
  ];
  return steps.reduce((from, step) => `SELECT *, ${step} FROM (${from})`, chains);
}

/**
 * The lists of a visit that `addTold` makes. For each list, the first text names the column in which heartbeats
 * report the values. The second text is the type of the values in ClickHouse.
 */
const TOLD_OF_VIEWS = { h_scroll: ['scroll', 'UInt8'], h_vitals: ['vitals', 'UInt64'] } as const;

/**
 * Adds a list of numbers that heartbeats report for pageviews. `h_scroll` has the depth in percent plus one, and
 * `h_vitals` has the packed vitals. A number is 0 if no heartbeat reported it. A reported number belongs to a pageview
 * of the same page: the latest one that was received before the heartbeat. If several heartbeats reported a number for
 * a pageview, the largest one counts.
 *
 * If all rows arrived in order of time, they are split into groups, which is fast. A group has a pageview, and the
 * heartbeats of its page that belong to it. An event is alone in its group. If some rows arrived out of order, the
 * pageview of each heartbeat is searched among the rows before the heartbeat.
 */
function addTold(
  chains: string,
  list: keyof typeof TOLD_OF_VIEWS,
  { page, event, told }: Record<'page' | 'event' | 'told', number>,
): string {
  // `h_scroll` and `h_vitals` may both be in one query, so each has its own names of intermediate columns.
  const [ordered, sorted, signs, views, before, running, late] = (
    ['ordered', 'sorted', 'signs', 'views', 'before', 'running', 'late'] as const
  ).map((name) => `${list}_${name}`);
  const groups = `arraySplit((x, other) -> x.3 = 0 OR (x.${event}, x.${page}) <> other, ${sorted},
    arrayShiftRight(arrayMap(x -> (x.${event}, x.${page}), ${sorted}), 1, ('', '')))`;
  const steps = [
    `arrayAll(gap -> gap >= 0, arrayDifference(arrayMap(seq -> toInt64(seq), rest.2))) AS ${ordered}`,
    `arraySort(x -> (x.${event}, x.${page}, x.1, x.2), arrayFilter(x -> x.3 = 0 OR x.${told} > 0, if(${ordered}, rest, []))) AS ${sorted},
     arrayFilter(x -> x.${told} > 0, if(${ordered}, [], rest)) AS ${signs}`,
    `arrayMap(g -> (g[1].1, g[1].2, arrayMax(g.${told})), arrayFilter(g -> g[1].3 = 0, ${groups})) AS ${views},
     arrayMap(s -> (s, arrayFilter(x -> x.2 < s.2 AND (x.1, x.2) < (s.1, s.2), rest)), ${signs}) AS ${before}`,
    `arrayMap(l -> (l.1, arraySlice(l.2, greatest(1, arrayLastIndex(gap -> gap > ${VISIT_GAP}, arrayDifference(tupleElement(l.2, 1)))))), ${before}) AS ${running}`,
    `arrayMap(l -> (if(tupleElement(l.1, 1) - tupleElement(l.2[-1], 1) <= ${VISIT_GAP},
       tupleElement(arrayLast(x -> x.3 = 0 AND x.${event} = '' AND x.${page} = tupleElement(l.1, ${page}), l.2), 2), 0),
       tupleElement(l.1, ${told})), ${running}) AS ${late}`,
    `arrayMap(n -> to${TOLD_OF_VIEWS[list][1]}(n), if(${ordered}, arraySort(${views}).3,
       arrayMap(h -> arrayMax(arrayPushBack(arrayMap(t -> if(t.1 = h.2, t.2, 0), ${late}), 0)), hits))) AS ${list}`,
  ];
  return steps.reduce((from, step) => `SELECT *, ${step} FROM (${from})`, chains);
}
