import type { Slice } from '../../catalog/sealed-days.ts';
import { BOUNCE } from '../../stats/definitions.ts';
import type { Range } from '../../stats/question.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';
import { type Bind, type binder, selects } from './filters.ts';
import type { Known, Plan } from './plan.ts';
import { isOf, isOpenIn, type Shown, visitsOf, within } from './visible-rows.ts';
import { CUT_NEEDS, cutBefore, fieldsIn } from './visits.ts';

/** Whoever visited, on one day and in one part of it. */
export const WHO = 'day, part, visitor';

/**
 * The same as one number, which is counted several times as fast as the three: part and number of a sealed visitor, and of an open day
 * the code, which is random, with the day in it and a bit that no other has.
 */
export const VISITOR =
  'if(part = 0, bitOr(bitXor(visitor, intHash64(day)), 9223372036854775808), bitShiftLeft(toUInt64(part), 32) + visitor)';

/** Which visits of which days an exclusion takes. */
export function takenBy({ from, to, filters }: Exclusion, bind: Bind): string {
  const until = to === null ? '' : ` AND day < ${to}`;
  return `(day >= ${from}${until} AND ${selects(filters, bind)})`;
}

/** Counts of what is selected: sums that add up over shards, by some keys. */
type Counting = {
  keys?: Record<string, string>;
  sums: Record<string, string>;
  /** Selects from `visits`, which has the fields that are named here; the visits themselves where it is left out. */
  from?: (visits: string) => string;
  /** The same sums of what rollups have, of rows that are selected. */
  fromRollups?: { sums: Record<string, string>; where: string };
};

/** Which visits are counted: `until` cuts them, and with `isWhole` none is set aside, nor taken from sums. */
export type Reach = { ranges: readonly Range[]; where: string; until?: number; isWhole?: boolean };

type Asking = { nodes: Nodes; known: Known; plan: Plan; gone?: AbortSignal | undefined };

const listOf = (entries: readonly (readonly [name: string, sql: string])[]): string =>
  entries.map(([name, sql]) => `${sql} AS ${name}`).join(', ');

const groupBy = (keys: object): string => {
  const names = Object.keys(keys);
  return names.length === 0 ? '' : ` GROUP BY ${names.join(', ')}`;
};

const inRanges = (parts: readonly Slice[], ranges: readonly Range[]): Slice[] =>
  parts.filter(({ day }) => ranges.some(({ from, to }) => day >= from && day < to));

/** The sums that one shard has of its visits. */
const sumsOf = ({ keys = {}, sums }: Counting, visits: string): string =>
  `SELECT ${listOf([...Object.entries(keys), ...Object.values(sums).map((sql, i) => [`s${i}`, sql] as const)])}
   FROM (${visits})${groupBy(keys)}`;

type OfParts = { siteId: number; ranges: readonly Range[]; shown: Shown };

/** The same that it has in its rollups of some parts; nothing where there are none. */
function rolledUp(
  { keys = {}, sums, fromRollups }: Counting,
  { siteId, ranges, shown }: OfParts,
  parts: readonly Slice[],
): string[] {
  if (!fromRollups || parts.length === 0) return [];
  const own = Object.keys(sums).map((name, i) => [`s${i}`, `toUInt64(sum(${fromRollups.sums[name] ?? '0'}))`] as const);
  return [
    `SELECT ${listOf([...Object.keys(keys).map((name) => [name, name] as const), ...own])} FROM tally
     WHERE site = ${siteId} AND ${within(ranges)} AND ${isOf(parts, shown)} AND ${fromRollups.where}${groupBy(keys)}`,
  ];
}

/** Asks each shard for its sums, and adds them up. */
export function counter(
  { nodes, known: { shown, exclusions }, plan, gone }: Asking,
  siteId: number,
  { values, bind }: ReturnType<typeof binder>,
) {
  const everyPart = shown.parts.filter(({ hasHits }) => hasHits === 1);

  // Sums can be neither cut nor judged.
  const scannedIn = ({ ranges, until, isWhole = false }: Reach): Slice[] =>
    inRanges(isWhole || until !== undefined ? everyPart : plan.scanned, ranges);

  function visitsIn(reach: Reach, scanned: readonly Slice[], named: string): string {
    const { ranges, where, until, isWhole = false } = reach;
    const taken = isWhole ? [] : exclusions.map((one) => takenBy(one, bind));
    const fields = new Set([
      ...fieldsIn([named, where, ...taken].join(' ')),
      ...(until === undefined ? [] : CUT_NEEDS),
    ]);
    const all = visitsOf(siteId, ranges, { shown, scanned }, [...fields]);
    const left = taken.length === 0 ? all : `SELECT * FROM (${all}) WHERE NOT (${taken.join(' OR ')})`;
    const cut = until === undefined ? left : cutBefore(left, until, [...fields]);
    return where === '1' ? cut : `SELECT * FROM (${cut}) WHERE ${where}`;
  }

  return async function count<Found extends object>(reach: Reach, counting: Counting): Promise<Found[]> {
    const { keys = {}, sums, from = (visits) => visits } = counting;
    const scanned = scannedIn(reach);
    const isScanned = scanned.length > 0 || isOpenIn(reach.ranges, shown);
    const scan = isScanned ? [sumsOf(counting, from(visitsIn(reach, scanned, sumsOf(counting, from('')))))] : [];
    const { ranges } = reach;
    const rolled = reach.isWhole ? [] : rolledUp(counting, { siteId, ranges, shown }, inRanges(plan.summed, ranges));
    if (scan.length + rolled.length === 0) return [];
    const rows = await nodes.ask<Record<string, string | number>>(
      [...scan, ...rolled].join(' UNION ALL '),
      values,
      gone,
    );
    // The names of the sums are those of fields too, which ClickHouse would take one for the other.
    const [own, names] = [Object.keys(keys), Object.keys(sums)];
    return sumRows(rows, own).map((row) =>
      Object.fromEntries([...own.map((name) => [name, row[name]]), ...names.map((name, i) => [name, row[`s${i}`]])]),
    );
  };
}

export type Count = ReturnType<typeof counter>;

/** What filters select, and which hits of that count. */
export type Selection = { where: string; counted: string; bind: Bind };

export const IS_BOUNCE = `pageviews = ${BOUNCE.pageviews} AND events = ${BOUNCE.events}`;

export const pageviewsThat = (counted: string): string =>
  counted === '1' ? 'pageviews' : `arrayCount((p, e) -> e = '' AND ${counted}, h_page, h_event)`;

/** What hits have beside their page `p` and event `e`: when they came, their label, for how many seconds the page was seen, and which of the same it is. */
const MORE = {
  ...{ second: 'h_second', l: 'h_label', n: 'h_seen' },
  // Which of the hits of its visit with the same page and event, the same event, and the same event and label it is.
  ...{ same_page: 'arrayEnumerateUniq(h_page, h_event)', same_event: 'arrayEnumerateUniq(h_event)' },
  same_label: 'arrayEnumerateUniq(h_event, h_label)',
} as const;

/** The hits of visits as rows, each with its visit. */
export function hitsOf(visits: string, condition: string, more: readonly (keyof typeof MORE)[]): string {
  const lists = ['h_page AS p', 'h_event AS e', ...more.map((name) => `${MORE[name]} AS ${name}`)];
  return `SELECT *, ${['p', 'e', ...more].join(', ')} FROM (${visits}) ARRAY JOIN ${lists.join(', ')} WHERE ${condition}`;
}
