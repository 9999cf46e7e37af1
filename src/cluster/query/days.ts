// Answers questions about the days of a site. Examples: which days have hits, all visits of these days, and the time of
// the first hit.
//
// Invariant: a day has hits if it is sealed with visits, or has hits that are not sealed yet. The database file says
// which days are sealed. The ClickHouse servers have the visits of sealed days, and all other hits as rows.
//
// Example: Monday and Tuesday are sealed, and Wednesday has rows. `listDays` gives all three. queries.ts uses this
// file.
import { makeDayStatus } from '../../catalog/day-status.ts';
import { listStates } from '../../catalog/sealed-days.ts';
import type { DayVisits, Visit } from '../../engine/activity.ts';
import type { DayStatus, ExclusionPreview } from '../../engine/engine.ts';
import { unpackScroll } from '../../engine/import-content.ts';
import { Refusal } from '../../lib/errors.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import type { Aggregates, Totals } from '../../stats/aggregates.ts';
import { HIT_TEXT_FIELDS, type HitTextField, VISIT_TEXT_FIELDS, type VisitTextField } from '../../stats/dimensions.ts';
import { askForVisitors, type Filters, type Query, type Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';
import { IS_BOUNCE, matchExclusion, WHO } from './aggregate.ts';
import { EVER, readKnownDays } from './catalog-snapshot.ts';
import { countDropsByDay } from './crawls-and-drops.ts';
import { buildBinder, matchFilters } from './filters.ts';
import { listDaysWithRows, selectOpenRows, selectVisits } from './visible-rows.ts';
import { FIELDS, listFields, type VisitField } from './visits.ts';

type Deps = { db: Db; nodes: Nodes };

type SignalDeps = Deps & { signal?: AbortSignal | undefined };

/**
 * If a query is about a past moment (`asOf`), only rows with numbers below `before` count. Undefined: all rows count.
 */
type PastDeps = SignalDeps & { before?: number | undefined };

/** `hits` lists the days with hits. `sums` lists the totals-only days. */
export async function listDays(deps: Deps, siteId: number): Promise<{ hits: number[]; sums: number[] }> {
  const { slices } = readKnownDays(deps.db, siteId, EVER).shown;
  const listByKind = (kind: number) => slices.filter(({ hasHits }) => hasHits === kind).map(({ day }) => day);
  return {
    hits: sortDays([...listByKind(1), ...(await listOpenDays(deps, siteId, EVER))]),
    sums: sortDays(listByKind(0)),
  };
}

function selectEveryVisit(db: Db, siteId: number, range: Range, fields: readonly VisitField[]): string {
  const { shown } = readKnownDays(db, siteId, range);
  const scanned = shown.slices.filter(({ hasHits }) => hasHits === 1);
  return selectVisits(siteId, [range], { shown, scanned }, fields);
}

/**
 * Lists the days with hits that are not sealed. Heartbeats alone do not count. A sealed day is among these days if it
 * has late hits that are not sealed yet.
 */
export async function listOpenDays(
  { db, nodes, signal, before }: PastDeps,
  siteId: number,
  range: Range,
): Promise<number[]> {
  const { shown } = readKnownDays(db, siteId, range);
  const own = `SELECT DISTINCT day FROM (${selectOpenRows(siteId, [range], { ...shown, before })}) WHERE engaged = 0`;
  return sortDays((await nodes.ask<{ day: number }>(own, {}, signal)).map(({ day }) => day));
}

const sortDays = (days: readonly number[]): number[] => [...new Set(days)].sort((one, other) => one - other);

export async function listVisitedDays(deps: PastDeps, siteId: number, range: Range): Promise<number[]> {
  const { slices } = readKnownDays(deps.db, siteId, range).shown;
  const sealed = slices.filter(({ visits }) => visits > 0).map(({ day }) => day);
  return sortDays([...sealed, ...(await listOpenDays(deps, siteId, range))]);
}

/** Lists which of the days already have data of the site. An import of these days would count hits twice. */
export async function listTaken(deps: Deps, siteId: number, days: readonly number[]): Promise<number[]> {
  const range = { from: Math.min(...days), to: Math.max(...days) + 1 };
  const { slices } = readKnownDays(deps.db, siteId, range).shown;
  const taken = new Set([...slices.map(({ day }) => day), ...(await listOpenDays(deps, siteId, range))]);
  return days.filter((day) => taken.has(day));
}

export type StoredVisit = Record<VisitTextField, string> &
  Record<`h_${HitTextField}`, string[]> & {
    slice: number;
    visitor: number;
    seconds: number;
    h_second: number[];
    h_seen: number[];
    h_scroll: number[];
    h_vitals: number[];
    excluded: number;
  };

export function buildVisit(row: StoredVisit, visitor: number): Visit {
  const own = Object.fromEntries(VISIT_TEXT_FIELDS.map((name) => [name, row[name]])) as Record<VisitTextField, string>;
  const hits = row.h_second.map((second, i) => {
    const texts = Object.fromEntries(HIT_TEXT_FIELDS.map((name) => [name, row[`h_${name}`][i] ?? '']));
    const told = {
      engaged: row.h_seen[i] ?? 0,
      scroll: unpackScroll(row.h_scroll[i] ?? 0),
      vitals: row.h_vitals[i] ?? 0,
    };
    return { ...(texts as Record<HitTextField, string>), second, ...told };
  });
  return { ...own, visitor, seconds: row.seconds, hits, excluded: row.excluded === 1 };
}

/**
 * About how many hits one query reads. An answer with all visits of a large day would be too long for a text in
 * JavaScript.
 */
const HITS_AT_ONCE = 200_000;

/** Decides in how many portions the visits of a day are read. All visits of one visitor are in one portion. */
export const countPortions = (hits: number): number => Math.max(1, Math.ceil(hits / HITS_AT_ONCE));

/**
 * Makes an SQL condition for one portion of a day's visits. With 3 portions, portion 1 has the visitors 1, 4, 7 and so
 * on.
 */
export const matchPortion = (portion: number, portions: number): string => `visitor % ${portions} = ${portion}`;

/** Counts the hits of a day. `open` has the days that may have rows. */
async function countHits({ db, nodes }: Deps, siteId: number, day: number, open: ReadonlySet<number>): Promise<number> {
  const range = { from: day, to: day + 1 };
  const { shown } = readKnownDays(db, siteId, range);
  const sealed = shown.slices.reduce((sum, { pageviews, events }) => sum + pageviews + events, 0);
  if (!open.has(day)) return sealed;
  const rows = await nodes.ask<{ n: number }>(
    `SELECT count() AS n FROM (${selectOpenRows(siteId, [range], shown)}) WHERE engaged = 0`,
  );
  return rows.reduce((sum, { n }) => sum + n, sealed);
}

/** Gives the visits of a site, day by day. A large day is given in several portions, so that it fits into memory. */
export async function* readVisits(deps: Deps, siteId: number, { from, to }: Range = EVER): AsyncGenerator<DayVisits> {
  const open = new Set(await listDaysWithRows(deps.nodes));
  for (const day of (await listDays(deps, siteId)).hits.filter((day) => day >= from && day < to))
    yield* readDay(deps, siteId, day, { open, condition: '1' });
}

/**
 * Gives the sealed visits of a day. Visits with the slice 0 are left out: these are made from rows, for example from
 * late hits.
 */
export const readSealedVisits = (deps: Deps, siteId: number, day: number): AsyncGenerator<DayVisits> =>
  readDay(deps, siteId, day, { open: new Set(), condition: 'slice > 0' });

type DayChoice = { open: ReadonlySet<number>; condition: string };

async function* readDay(
  deps: Deps,
  siteId: number,
  day: number,
  { open, condition }: DayChoice,
): AsyncGenerator<DayVisits> {
  const { db, nodes } = deps;
  const { values, bind } = buildBinder();
  const taken = listExclusions(db, siteId).map((one) => matchExclusion(one, bind));
  const named = `SELECT *, ${taken.length === 0 ? '0' : taken.join(' OR ')} AS excluded`;
  const portions = countPortions(await countHits(deps, siteId, day, open));
  const range = { from: day, to: day + 1 };
  const sql = `${named} FROM (${selectEveryVisit(db, siteId, range, FIELDS)})`;
  const ids = listIds(db, siteId, range);
  let before = 0;
  for (let portion = 0; portion < portions; portion++) {
    const own = `${sql} WHERE ${condition} AND ${matchPortion(portion, portions)} ORDER BY slice, visitor, start`;
    const shards = await nodes.askShards<StoredVisit>(own, values);
    // This day is read in several queries. Meanwhile its rows may be sealed, or an import may replace it. Then the rows
    // are deleted, and the next query would miss them. So the caller must read again from the start.
    if (portions > 1 && listIds(db, siteId, range) !== ids)
      throw new Refusal(`${formatDay(day * DAY)} changed while it was read. Try again`);
    const rows = shards.flatMap((some, shard) =>
      some.map((row) => ({ row, who: `${shard} ${row.slice} ${row.visitor}` })),
    );
    const numbers = new Map<string, number>();
    const first = before;
    const findNumber = (who: string): number => {
      const number = numbers.get(who) ?? first + numbers.size + 1;
      numbers.set(who, number);
      return number;
    };
    yield { day, visits: rows.map(({ row, who }) => buildVisit(row, findNumber(who))) };
    before += numbers.size;
  }
}

/** Writes the ids of all slices with visits in one text. If the text changes, a day was sealed, replaced or removed. */
const listIds = (db: Db, siteId: number, range: Range): string =>
  readKnownDays(db, siteId, range)
    .shown.slices.filter(({ hasHits }) => hasHits === 1)
    .map(({ id }) => id)
    .join();

/**
 * Counts by day the visits that a new exclusion would leave out, and the visitors that it would leave out. Visits that
 * another exclusion leaves out count too. A visitor counts only if the new exclusion leaves out all visits of that
 * visitor on the day.
 */
export async function previewExclusion(
  { db, nodes, signal }: SignalDeps,
  siteId: number,
  range: Range,
  filters: Filters,
): Promise<ExclusionPreview> {
  const { values, bind } = buildBinder();
  const isTaken = matchFilters(filters, bind);
  const byVisitor = `SELECT ${WHO}, countIf(${isTaken}) AS taken, count() AS visits, sumIf(pageviews, ${isTaken}) AS pageviews_taken,
      sumIf(events, ${isTaken}) AS events_taken, countIf(${isTaken} AND ${IS_BOUNCE}) AS bounces_taken, sumIf(seconds, ${isTaken}) AS seconds_taken`;
  const all = selectEveryVisit(db, siteId, range, listFields(`${byVisitor} ${isTaken}`));
  const ofShard = `SELECT day, countIf(taken = visits) AS visitors, sum(taken) AS visits_taken, sum(pageviews_taken) AS pageviews,
      sum(events_taken) AS events, sum(bounces_taken) AS bounces, sum(seconds_taken) AS seconds
    FROM (${byVisitor} FROM (${all}) GROUP BY ${WHO} HAVING taken > 0) GROUP BY day`;
  type Taken = Omit<Totals, 'visits'> & { day: number; visits_taken: number };
  const found = sumRows(await nodes.ask<Taken>(ofShard, values, signal), ['day']);
  const sums = readKnownDays(db, siteId, range).shown.slices.filter(({ hasHits }) => hasHits === 0);
  return {
    days: found
      .sort((one, other) => one.day - other.day)
      .map(({ day, visits_taken: visits, ...totals }) => ({ day, totals: { ...totals, visits } })),
    untouched: sortDays(sums.map(({ day }) => day)),
  };
}

type Measure = (query: Query) => Promise<Aggregates>;

/** How many days are counted at a time. All days at once would keep the ClickHouse servers from other queries. */
const DAYS_AT_ONCE = 8;

/**
 * Lists the days of a range with their visitors, excluded visits and dropped hits. A day with only dropped hits is left
 * out.
 */
export async function listDayStatus(
  { db, nodes, signal }: SignalDeps,
  measure: Measure,
  siteId: number,
  { from, to }: Range,
): Promise<DayStatus[]> {
  const states = new Map(listStates(db, siteId, from, to).map((row) => [row.day, row]));
  const days = sortDays([...states.keys(), ...(await listOpenDays({ db, nodes, signal }, siteId, { from, to }))]);
  const drops = await countDropsByDay(nodes, siteId, { from, to }, signal);
  const all: DayStatus[] = [];
  for (let i = 0; i < days.length; i += DAYS_AT_ONCE) {
    const some = days.slice(i, i + DAYS_AT_ONCE).map(async (day): Promise<DayStatus> => {
      const { totals, excluded } = await measure(askForVisitors(siteId, { from: day, to: day + 1 }));
      return makeDayStatus(day, states.get(day), { totals, excluded, drops: [{ hits: drops.get(day) ?? 0 }] });
    });
    all.push(...(await Promise.all(some)));
  }
  return all;
}

type FirstHit = { siteId: number; first: number };

/**
 * Finds the time of each site's first hit. If the first day is a totals-only day, the time is 00:00 UTC of its date.
 */
export async function findFirstHits({ db, nodes }: Deps, siteIds: readonly number[]): Promise<Map<number, number>> {
  const first = new Map<number, number>();
  const note = (siteId: number, at: number) => first.set(siteId, Math.min(at, first.get(siteId) ?? at));
  const some = (column: string) => `site IN (${siteIds.join(', ') || '0'}) AND ${column}`;
  const open = `SELECT site AS siteId, min(toInt64(day) * ${DAY} + second) AS first FROM activity WHERE ${some('engaged = 0')} GROUP BY siteId`;
  const slices = siteIds.flatMap((siteId) => {
    const [one] = readKnownDays(db, siteId, EVER).shown.slices;
    return one ? [{ siteId, ...one }] : [];
  });
  const firstSlices = slices.map(({ id }) => id).join(', ') || '0';
  const sealed = `SELECT site AS siteId, min(toInt64(day) * ${DAY} + start) AS first FROM visit WHERE ${some(`slice IN (${firstSlices})`)} GROUP BY siteId`;
  const found = await nodes.ask<FirstHit>(`${open} UNION ALL ${sealed}`);
  for (const { siteId, day, hasHits } of slices) if (hasHits === 0) note(siteId, day * DAY);
  for (const { siteId, first: at } of found) note(siteId, at);
  return first;
}
