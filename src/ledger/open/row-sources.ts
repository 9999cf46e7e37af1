// Finds and reads the rows of an open day that are in no shard. A day has a source for its own hits, and one for each import of that day.
// Invariant: each visible hit is in a shard, in these rows, or in a sealed slice, and in one of them only.
//
// Example: the shards of a day have its first 100,000 rows. Rows 100,001 to 100,350 are read from the table `hit`. At the next query only
// rows with higher ids are read. When compaction has taken the 350 rows, they are dropped from memory.
// Called by open-day-cache.ts, compaction.ts, upkeep/seal.ts and work/tasks.ts.
import { listReopened, type ReopenedDay } from '../../catalog/day-states.ts';
import { findImport, listOpenImports } from '../../catalog/imports.ts';
import { isSealed, type SiteDay } from '../../catalog/sealed-days.ts';
import { emptyRows, type ImportedRows } from '../../engine/import-content.ts';
import type { Db } from '../../store/db.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import {
  appendLists,
  dropFirst,
  findFirstHitDay,
  findLastId,
  type HitList,
  hasMoreHits,
  listHitDays,
  listHits,
  type Origin,
} from '../rows/hits.ts';
import { findCompacted, listShards, type ShardRow } from './shard-table.ts';

/**
 * The hits of one origin with ids above `after`, read up to the id `last`. `reopened` has the sealed slices of a day that was opened
 * again. `isReplaced` says that an import replaces these hits, slices and all shards.
 */
export type RowSource = Origin & { isReplaced: boolean; reopened: ReopenedDay[]; after: number; last: number };

/** The rows of an open day that have been read and are not in all shards. They follow the first `first` rows of the day. */
export type OpenRows = { rows: ImportedRows; first: number; sources: RowSource[] };

/**
 * Lists the sources of an open day. An import that replaces data hides earlier imports and reopened slices. Collected hits up to its
 * `voidUntil` are hidden too, and these are all hits in shards. Hits in shards are not read again.
 */
export function listSources(db: Db, siteId: number, day: number): RowSource[] {
  const imports = listOpenImports(db, siteId, day, day + 1);
  const latestReplacing = imports.findLastIndex(({ voidUntil }) => voidUntil !== null);
  const { voidUntil } = imports[latestReplacing] ?? {};
  const isReplaced = voidUntil !== undefined;
  const reopened = isReplaced ? [] : listReopened(db, siteId, day);
  const after = voidUntil ?? Math.max(0, ...reopened.map((row) => row.after));
  const visible = imports
    .slice(Math.max(latestReplacing, 0))
    .map(({ id }) => ({ siteId, importId: id, isReplaced: false, reopened: [], after: 0, last: 0 }));
  const last = isReplaced ? after : Math.max(after, findCompacted(db, { siteId, day }).until);
  return [{ siteId, importId: null, isReplaced, reopened, after, last }, ...visible];
}

/** The shards of an open day that queries count. */
export const listVisibleShards = (db: Db, siteDay: SiteDay, [own]: readonly RowSource[]): ShardRow[] =>
  own?.isReplaced ? [] : listShards(db, siteDay);

/** How many rows of a day are in all of its shards. During a compaction some shards have more rows than others. */
export const countCompacted = (shards: readonly ShardRow[]): number =>
  shards.reduce((least, { count }) => Math.min(least, count), shards[0]?.count ?? 0);

export const hasShards = (db: Db, siteDay: SiteDay): boolean =>
  listVisibleShards(db, siteDay, listSources(db, siteDay.siteId, siteDay.day)).length > 0;

/** The sealed slices of a day that was opened again. No visitor of them is among the new hits, so counts add up. */
export const listReopenedSlices = ([own]: readonly RowSource[]): ReopenedDay[] => own?.reopened ?? [];

/** Names the sealed slices of an open day. If the name changes, rows in memory may have been sealed and must not count again. */
export const nameSealedSlices = (sources: readonly RowSource[]): string =>
  [sources[0]?.after, ...listReopenedSlices(sources).map(({ id }) => id)].join();

/** The number of the first slice that the next sealing of a day adds. Slices from earlier sealings keep their numbers. */
export const findNextSlice = (sources: readonly RowSource[]): number =>
  1 + Math.max(-1, ...listReopenedSlices(sources).map(({ slice }) => slice));

/** Reads the new rows of a source, and advances its `last`. */
function readNew(db: Db, day: number, source: RowSource): HitList[] {
  const lists = [...listHits(db, { ...source, day }, source.last)].flat();
  source.last = lists.at(-1)?.[0] ?? source.last;
  return lists;
}

/** Takes rows of an earlier read, without those that are in shards now. Undefined if the day must be read anew, as always with imports. */
function continueRead(sources: RowSource[], first: number, before: OpenRows | undefined): OpenRows | undefined {
  if (!before || before.sources.length > 1 || sources.length > 1) return undefined;
  const isSame = nameSealedSlices(before.sources) === nameSealedSlices(sources) && before.first <= first;
  const inShards = first - before.first;
  if (!isSame || before.rows.count < inShards) return undefined;
  return inShards === 0 ? before : { ...before, first, rows: dropFirst(before.rows, inShards) };
}

/** Begins to read the rows of an open day that are in no shard. */
export function beginOpen(db: Db, { siteId, day }: SiteDay, before?: OpenRows) {
  const sources = listSources(db, siteId, day);
  const shards = listVisibleShards(db, { siteId, day }, sources);
  const first = countCompacted(shards);
  const known = continueRead(sources, first, before);
  return { shards, isKnown: known !== undefined, open: known ?? { rows: emptyRows(256), first, sources } };
}

/**
 * Whether `most` or more rows of an open day wait for compaction. Always false with imports, because compaction may not take their
 * rows.
 */
export function isCompactionBehind(db: Db, day: number, { rows, sources }: OpenRows, most: number): boolean {
  const [own, ...imports] = sources;
  if (!own || imports.length > 0 || most === Number.POSITIVE_INFINITY) return false;
  return hasMoreHits(db, { ...own, day }, own.last, Math.max(1, most - rows.count));
}

/**
 * Reads new rows of an open day, up to `most` for a day without imports. `checkpoint` is called after each portion and may throw. The
 * next call then goes on from there.
 */
export function readOn(
  db: Db,
  day: number,
  open: OpenRows,
  { checkpoint = () => {}, most = Number.POSITIVE_INFINITY } = {},
): void {
  const [own, ...imports] = open.sources;
  if (own && imports.length === 0) {
    const portions = open.rows.count < most ? listHits(db, { ...own, day }, own.last) : [];
    for (const lists of portions) {
      const some = lists.slice(0, most - open.rows.count);
      open.rows = appendLists(open.rows, some);
      own.last = some.at(-1)?.[0] ?? own.last;
      if (open.rows.count === most) return;
      checkpoint();
    }
    return;
  }
  // Ids are in the order of arrival.
  const lists = open.sources.flatMap((source) => readNew(db, day, source)).sort(([a = 0], [b = 0]) => a - b);
  open.rows = appendLists(open.rows, lists);
}

/** The sources with the ids of their latest hits. If no hit came since a read, they equal its sources. */
export const listSourcesNow = (db: Db, siteId: number, day: number): RowSource[] =>
  listSources(db, siteId, day).map((source) => ({
    ...source,
    last: Math.max(source.last, findLastId(db, { ...source, day })),
  }));

/** The open days with rows, from `from` to before `to`. */
export function listOpenDays(db: Db, siteId: number, from: number, to: number): number[] {
  const imports = listOpenImports(db, siteId, from, to);
  const days = new Set<number>();
  for (const importId of [null, ...imports.map(({ id }) => id)]) {
    for (let day: number | undefined = from; ; day++) {
      day = findFirstHitDay(db, { siteId, importId }, day, to);
      if (day === undefined) break;
      if (!isSealed(db, siteId, day)) days.add(day);
    }
  }
  return [...days].sort((a, b) => a - b);
}

/** The open days that are over at an instant, so that they must be sealed. */
export function listDue(db: Db, now: number): SiteDay[] {
  const due = new Map<string, SiteDay>();
  const findToday = makeDayFinder(db, now);
  for (const { siteId, importId, day } of listHitDays(db)) {
    const today = findToday(siteId);
    if (today === undefined || day >= today || isSealed(db, siteId, day)) continue;
    const isVisible = importId === null || findImport(db, siteId, importId)?.state === 'shown';
    if (isVisible) due.set(`${siteId} ${day}`, { siteId, day });
  }
  return [...due.values()];
}
