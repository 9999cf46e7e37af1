// Makes visits in SQL from the rows of open days. A row is a hit or a heartbeat. The rules are those of the engine on
// SQLite. The fields of a visit that begin with `h_` are lists with one value for each hit, sorted by time.
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

/** Finds the names in an SQL text. */
export const listNamed = <Name extends string>(names: readonly Name[], sql: string): Name[] =>
  names.filter((name) => new RegExp(`\\b${name}\\b`).test(sql));

/** Finds the fields of visits that an SQL text names. Only these columns are read. */
export const listFields = (sql: string): VisitField[] => listNamed(FIELDS, sql);

/** For each field of a visit: the columns of rows from which it is made. Only these columns are read. */
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
  const scrolled = fields.includes('h_scroll')
    ? addScroll(seen, { page: at('page'), event: at('event'), scroll: at('scroll') })
    : seen;
  const own = fields.includes('h_vitals')
    ? addVitals(scrolled, { page: at('page'), event: at('event'), vitals: at('vitals') })
    : scrolled;
  return `SELECT site, day, 0 AS slice, visitor${selected} FROM (${own})`;
}

/**
 * Makes SQL that gives visits as they were at the time `until` of their day, in seconds. A visit that was still running
 * then ends one second before `until`. So today until now can be compared with yesterday until the same time.
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
 * Makes SQL that limits the visible seconds that only a browser reported (`CLAIMED`). The limit is the time since the
 * visitor's last row, and 1 s for rounding. Stored values are 1 higher than the seconds, so 2 is added.
 */
const boundClaim = (engaged: string, gap: string): string =>
  `if(${engaged} > ${CLAIMED}, least(toUInt32(${engaged} - ${CLAIMED}), toUInt32(${gap} + 2)), ${engaged})`;

/**
 * Adds `h_seen`: for how many seconds the page of each hit was visible. A heartbeat has these seconds. A heartbeat
 * belongs to the latest hit on its page that was received before the heartbeat.
 *
 * If all rows arrived in order of time, the last hit on the page by time is taken, which is fast. Otherwise the rows
 * before each heartbeat are searched. Each step is a nested query, because ClickHouse takes long to parse nested
 * functions.
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
 * Adds `h_scroll`: how much of the page of each hit was seen. A heartbeat has this depth, in percent plus one, and 0 if
 * it did not tell. A depth belongs to the latest pageview of the page that was received before the heartbeat. If
 * several heartbeats told a depth of a pageview, the largest one counts.
 *
 * If all rows arrived in order of time, each pageview of a page begins a group with the heartbeats that follow. An
 * event is alone in its group. Otherwise the rows before each heartbeat are searched, as in `addSeen`.
 */
function addScroll(chains: string, { page, event, scroll }: Record<'page' | 'event' | 'scroll', number>): string {
  const groups = `arraySplit((x, other) -> x.3 = 0 OR (x.${event}, x.${page}) <> other, by_view,
    arrayShiftRight(arrayMap(x -> (x.${event}, x.${page}), by_view), 1, ('', '')))`;
  const steps = [
    `arrayAll(gap -> gap >= 0, arrayDifference(arrayMap(seq -> toInt64(seq), rest.2))) AS arrived_in_order`,
    `arraySort(x -> (x.${event}, x.${page}, x.1, x.2), if(arrived_in_order, rest, [])) AS by_view,
     arrayFilter(x -> x.${scroll} > 0, if(arrived_in_order, [], rest)) AS told`,
    `arrayMap(g -> (g[1].1, g[1].2, arrayMax(g.${scroll})), arrayFilter(g -> g[1].3 = 0, ${groups})) AS views,
     arrayMap(s -> (s, arrayFilter(x -> x.2 < s.2 AND (x.1, x.2) < (s.1, s.2), rest)), told) AS before_told`,
    `arrayMap(l -> (l.1, arraySlice(l.2, greatest(1, arrayLastIndex(gap -> gap > ${VISIT_GAP}, arrayDifference(tupleElement(l.2, 1)))))), before_told) AS running_told`,
    `arrayMap(l -> (if(tupleElement(l.1, 1) - tupleElement(l.2[-1], 1) <= ${VISIT_GAP},
       tupleElement(arrayLast(x -> x.3 = 0 AND x.${event} = '' AND x.${page} = tupleElement(l.1, ${page}), l.2), 2), 0),
       tupleElement(l.1, ${scroll})), running_told) AS depths`,
    `arrayMap(n -> toUInt8(n), if(arrived_in_order, arraySort(views).3,
       arrayMap(h -> arrayMax(arrayPushBack(arrayMap(t -> if(t.1 = h.2, t.2, 0), depths), 0)), hits))) AS h_scroll`,
  ];
  return steps.reduce((from, step) => `SELECT *, ${step} FROM (${from})`, chains);
}

/** The places of columns in the tuple of a row. */
type Places = Record<'page' | 'event' | 'vitals', number>;

/**
 * Adds `h_vitals`: the packed vitals of each hit. A heartbeat with vitals belongs to the latest pageview of its page
 * that was received before the heartbeat. Of several, the largest number counts.
 *
 * Few visits are out of order. Only in these, the rows before each heartbeat are searched, as for `h_seen`.
 */
function addVitals(chains: string, { page, event, vitals }: Places): string {
  const isView = (x: string): string => `(${x}.3 = 0 AND ${x}.${event} = '')`;
  const groups = "arraySplit((x, other) -> x.3 = 0 OR x.4 <> other, v_rows, arrayShiftRight(v_rows.4, 1, ''))";
  const own = `arrayMap(x -> (x.1, x.2, x.3, x.${page}, x.${vitals}), arrayFilter(x -> ${isView('x')} OR x.${vitals} > 0, rest))`;
  const steps = [
    `arraySort(x -> (x.4, x.1, x.2), ${own}) AS v_rows,
     arrayAll(gap -> gap >= 0, arrayDifference(arrayMap(seq -> toInt64(seq), rest.2))) AS v_ordered`,
    `arrayMap(g -> (g[1].2, arrayMax(g.5)), arrayFilter(g -> g[1].3 = 0, ${groups})) AS v_views,
     arrayMap(s -> (s, arrayFilter(x -> x.2 < s.2 AND (x.1, x.2) < (s.1, s.2), rest)), arrayFilter(x -> x.3 > 0 AND x.${vitals} > 0, if(v_ordered, [], rest))) AS v_signs`,
    `arrayMap(l -> (l.1, arraySlice(l.2, greatest(1, arrayLastIndex(gap -> gap > ${VISIT_GAP}, arrayDifference(tupleElement(l.2, 1)))))), v_signs) AS v_running`,
    `arrayMap(l -> (if(tupleElement(l.1, 1) - tupleElement(l.2[-1], 1) <= ${VISIT_GAP},
       tupleElement(arrayLast(x -> ${isView('x')} AND x.${page} = tupleElement(l.1, ${page}), l.2), 2), 0),
       tupleElement(l.1, ${vitals})), v_running) AS v_late`,
    `if(v_ordered, v_views, v_late) AS v_found`,
    `arrayMap(h -> toUInt64(arrayMax(arrayConcat([0], arrayMap(t -> if(t.1 = h.2, t.2, 0), v_found)))), hits) AS h_vitals`,
  ];
  return steps.reduce((from, step) => `SELECT *, ${step} FROM (${from})`, chains);
}
